import ColorScience

extension SensitivityEstimate {
  /// Compares a shot of a chart with the fitted camera's responses to it, both converted by the
  /// color matrix for the shot's light and without the shot's glare. The differences come from
  /// noise, dirt, uneven light, or another chart.
  ///
  /// `nil` if fewer than `ChartShot.fewestPatches` were read. Complexity: O(patches).
  public func comparison(of shot: ChartShot) -> ChartComparison? {
    guard let light = shot.light.spectrum, let balance = gains(under: light)?.gains,
      let developed = colorMatrix(under: light)
    else { return nil }
    let channels = sensitivities.onGrid
    let matrix = developed * Matrix3x3(diagonal: balance.vector)
    func response(to power: [Double]) -> SIMD3<Double> {
      var sums = SIMD3<Double>.zero
      for channel in 0..<3 {
        for index in power.indices { sums[channel] += channels[channel][index] * power[index] }
      }
      return sums
    }
    let scale = (matrix * response(to: SensorGrid.power(of: light))).y
    let white = XYZ(developed * SIMD3(1, 1, 1))
    let colors = shot.chart.patches.map { patch in
      XYZ(matrix * response(to: SensorGrid.power(of: light, on: patch.reflectance)) / scale)
    }
    let glare = glare(of: shot)?.level.vector ?? .zero
    return ChartComparison(
      of: shot.responses.map { $0.map { LinearRGB($0.vector - glare) } }, with: colors,
      of: shot.chart, matrix: matrix, white: white)
  }

  /// The object of a shot.
  public enum Target: String, Hashable, Sendable, Codable, CaseIterable {
    /// A gray card.
    case card
    /// A color chart.
    case chart
  }

  /// A further shot that would improve the estimate.
  public struct NextShot: Hashable, Sendable, Codable {
    /// The object of the shot.
    public let target: Target
    /// The name of the standard illuminant that represents lights of this kind.
    public let light: String
    /// The expected error of gains after that shot, under lamps of known spectrum: the root mean
    /// square of their logarithms over the standard illuminants. 0.01 is 1 %.
    public let expectedError: Double
  }

  /// Returns the error of gains expected now under lamps of known spectrum, over the standard
  /// illuminants, and the further shots that would reduce it, the best first.
  ///
  /// A further chart is assumed to be as noisy as those of the estimate, or, if there are none, to
  /// have 1 % of noise and light uneven by 2 %; a card, to have `CalibrationShot.defaultNoise`. The
  /// error after the actual further shot is within a fifth of the expected one
  /// (`SensitivityShotTests`). Complexity: O(patches), some milliseconds for each candidate.
  public func nextShots() -> ExpectedShots<NextShot> {
    let lamps = StandardIlluminant.all.compactMap { lamp in
      fit.logRatios(of: SensorGrid.power(of: lamp.spectrum), at: fit.mode)?.slopes
    }
    func error(_ factor: CholeskyFactor, coordinates: Int) -> Double {
      let rest = [Double](repeating: 0, count: coordinates - fit.mode.count)
      let sum = lamps.reduce(0) { sum, slopes in
        [slopes.red, slopes.blue].reduce(sum) { sum, slopes in
          let row = slopes + rest
          return sum + zip(factor.solve(row), row).reduce(0) { $0 + $1.0 * $1.1 }
        }
      }
      return (sum / Double(2 * lamps.count)).squareRoot()
    }
    var shots: [NextShot] = []
    for name in ["A", "D65", "LED-B3", "FL11"] {
      guard let light = StandardIlluminant(named: name)?.spectrum else { continue }
      for target in Target.allCases {
        let surfaces =
          switch target {
          case .card: [SensorGrid.power(of: light)]
          case .chart:
            ColorChart.classicFrom2014.patches.map {
              SensorGrid.power(of: light, on: $0.reflectance)
            }
          }
        let shot = SensitivityFit.Shot(
          under: SensorGrid.power(of: light), powers: surfaces,
          responses: surfaces.map { _ in LinearRGB(red: 1, green: 1, blue: 1) },
          cardNoise: target == .card ? CalibrationShot.defaultNoise : nil)
        guard let factor = fit.factor(adding: shot) else { continue }
        shots.append(
          NextShot(
            target: target, light: name,
            expectedError: error(factor, coordinates: fit.mode.count + shot.ownCoordinates)))
      }
    }
    return ExpectedShots(
      expectedError: error(fit.factor, coordinates: fit.mode.count),
      shots: shots.sorted { $0.expectedError < $1.expectedError }
    )
  }
}
