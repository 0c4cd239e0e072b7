internal import ColorScience
public import WhiteBalance

/// Gains of single settings, measured where the card was nearly neutral, of a camera whose gains
/// scatter about their laws: the steps of its hardware are coarser than those of its controls.
///
/// Near neutral, the picture shows the gains directly, whatever the tone curve and the channel
/// mixing are.
public struct ObservedGains: Hashable, Sendable, Codable {
  /// A setting of all controls, and its gains.
  public struct Point: Hashable, Sendable, Codable {
    /// The values of the controls.
    public var values: [ControlValue]
    /// The gains, relative to those at the laws' reference, with green 1.
    public var gains: Gains
    /// The standard error of the natural logarithms of the gains.
    public var error: Double
  }

  /// The settings.
  public let points: [Point]
  /// The standard deviation of the natural logarithms of the gains of other settings from their
  /// laws.
  public let scatter: Double

  /// Combines measured gains with the laws; `nil` if noise explains their differences.
  ///
  /// - Parameters:
  ///   - measured: The measured gains of settings, each with its standard error.
  ///   - laws: The gains of the laws at settings.
  init?(measured: [Point], laws: (_ values: [ControlValue]) -> Gains) {
    guard measured.count > 1 else { return nil }
    let differences = measured.map { point in
      let law = laws(point.values)
      return SIMD2(
        logarithm(point.gains.red / law.red), logarithm(point.gains.blue / law.blue))
    }
    let squares: [Double] = differences.map { ($0.x * $0.x + $0.y * $0.y) / 2 }
    let noise: Double = measured.reduce(0) { $0 + $1.error * $1.error } / Double(measured.count)
    let mean: Double = squares.reduce(0, +) / Double(measured.count)
    guard mean.isFinite, mean > Self.unexplained * noise else { return nil }
    let variance = mean - noise
    scatter = variance.squareRoot()
    points = zip(measured, differences).map { point, difference in
      let noise = point.error * point.error
      let share = variance / (variance + noise)
      let law = laws(point.values)
      return Point(
        values: point.values,
        gains: Gains(
          red: law.red * exponential(share * difference.x),
          blue: law.blue * exponential(share * difference.y)),
        error: (share * noise).squareRoot())
    }
  }

  /// The mean square of the differences from the laws, relative to that of noise, up to which noise
  /// explains them.
  private static let unexplained = 3.0

  /// Decodes and checks gains.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    points = try values.decode([Point].self, forKey: .points)
    scatter = try values.decode(Double.self, forKey: .scatter)
    guard scatter >= 0, scatter.isFinite,
      points.allSatisfy({ $0.gains.arePositiveAndFinite && $0.error >= 0 && $0.error.isFinite })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .points, in: values,
        debugDescription: "observed gains must be positive, and their errors not negative")
    }
  }

  /// Indicates whether each point has exactly one possible value of each of some controls.
  func areSettings(of controls: [ControlDescription]) -> Bool {
    points.allSatisfy { point in
      point.values.map(\.id) == controls.map(\.id)
        && zip(point.values, controls).allSatisfy { value, control in
          value.value >= control.minimum && value.value <= control.maximum
        }
    }
  }

  /// The gains of a setting; `nil` if it was not observed.
  func gains(at values: [ControlValue]) -> Gains? {
    points.first { point in point.values.allSatisfy { values[$0.id] == $0.value } }?.gains
  }

  /// The observed setting that is expected to be nearer to wanted gains than one that the laws give
  /// and that was not observed; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - wanted: The wanted gains.
  ///   - gains: The gains of the setting that the laws give.
  ///   - mixing: The channel mixing after the gains.
  func setting(
    for wanted: Gains, insteadOf gains: Gains, behind mixing: ChannelMixing?
  ) -> Point? {
    func expected(_ gains: Gains, _ error: Double) -> Double {
      CardColor.expectedSquare(
        of: gains, from: wanted, behind: mixing, errors: SIMD2(error, error))
    }
    let best = points.map { ($0, expected($0.gains, $0.error)) }.min { $0.1 < $1.1 }
    return best.flatMap { $0.1 < expected(gains, scatter) ? $0.0 : nil }
  }
}
