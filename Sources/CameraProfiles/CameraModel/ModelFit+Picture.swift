internal import ColorScience

extension ModelFit {
  /// The codes that the camera makes of gray light, 1 where its sensor clips, with the covariance
  /// whose square roots are the band that the looks leave open.
  package func toneCurve(at light: [Double]) -> Estimate {
    mixture { _, parameters in
      var tone = ToneShape()
      tone.setBase(parameters)
      tone.setWarp(parameters)
      return light.map { tone.code(base: tone.base($0)) }
    }
  }

  /// The matrix behind the gains, row by row: nine numbers, of which each three add up to 1.
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

  /// By what factor the codes' distance from their luma is larger behind the tone curve, and the
  /// code of black.
  package var saturationAndBlack: Estimate {
    mixture { _, parameters in
      [
        exponential(parameters[ParameterLayout.saturation]),
        255 * parameters[ParameterLayout.black],
      ]
    }
  }

  /// How far the codes of each look are above those of the best family, in codes; 0 of channels
  /// that tell nothing since they clip.
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
