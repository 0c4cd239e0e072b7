internal import ColorScience

extension ModelFit {
  /// The camera's codes for linear values of gray, where 1 is the value at which its sensor clips.
  /// The square roots of the covariance's diagonal give the band that the observations leave open.
  package func toneCurve(at light: [Double]) -> Estimate {
    mixture { _, parameters in
      var tone = ToneShape()
      tone.setBase(parameters)
      tone.setWarp(parameters)
      return light.map { tone.code(base: tone.base($0)) }
    }
  }

  /// The matrix after the gains, row by row: nine numbers, of which each three add up to 1.
  package var matrix: Estimate {
    mixture { _, parameters in
      var numbers = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
      for (place, (row, column)) in MixingPrior.places.enumerated() {
        numbers[3 * row + column] = parameters[place]
        numbers[4 * row] -= parameters[place]
      }
      return numbers
    }
  }

  /// The factor by which the tone curve's codes are moved away from their luma, and the code of
  /// black.
  package var saturationAndBlack: Estimate {
    mixture { _, parameters in
      [
        exponential(parameters[ParameterLayout.saturation]),
        255 * parameters[ParameterLayout.black],
      ]
    }
  }

  /// The codes of each observation minus those of the best family; 0 for channels that cannot be
  /// used, such as clipped ones.
  package var residuals: [SIMD3<Double>] {
    guard let best = candidates.first else { return [] }
    var prediction = ModelPrediction(best.model, looks)
    prediction.predict(best.parameters)
    return (0..<looks.count).map { look in
      var result = SIMD3<Double>()
      for channel in 0..<3 where looks.isUsed[3 * look + channel] {
        let row = 3 * look + channel
        result[channel] = looks.codes[row] - prediction.codes[row]
      }
      return result
    }
  }
}
