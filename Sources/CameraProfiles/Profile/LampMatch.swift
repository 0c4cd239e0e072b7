public import WhiteBalance
internal import ColorScience

/// The agreement between a gray card's gains and a lamp.
public struct LampMatch: Hashable, Sendable {
  /// The lamp.
  public let light: Light
  /// The card's gain of red relative to the lamp's at equal green, as a natural logarithm: 0.01 is
  /// 1 %.
  public let red: Double
  /// The card's gain of blue relative to the lamp's at equal green, as a natural logarithm.
  public let blue: Double
  /// The square of the difference in standard errors; its mean is 2 for the right lamp.
  public let distance: Double
  /// The probability of this lamp among those compared, with equal priors.
  public let share: Double

  /// Indicates whether the difference is plausible: 99 of 100 right lamps pass.
  public var isPlausible: Bool { distance < 9.21 }
}

extension CameraProfile.Model {
  /// The relative difference between the gains of lamps of one kind and those of its data sheet.
  static let lampTolerance = 0.01

  /// Ranks lamps by their agreement with the gains of a gray card, the most probable first. Lamps
  /// for which the camera has no gains with known errors are left out.
  ///
  /// The errors are those of the camera's calibration, of the card, and 1 % for lamps that differ
  /// from their data sheets. The distance of the right lamp is above 9.21 once in 100
  /// (`LampMatchTests`). Complexity: O(lamps).
  ///
  /// - Parameters:
  ///   - lights: The lamps, each with a known spectrum or one of those of the camera's shots.
  ///   - gains: The gains that make the card neutral, on any scale.
  ///   - error: The relative standard errors of the card's gains.
  public func lamps(
    _ lights: [Light], for gains: Gains, error: (red: Double, blue: Double) = (0, 0)
  ) -> [LampMatch] {
    let own = GainUncertainty.Covariance(errors: error.red, error.blue)
    let tolerance = GainUncertainty.Covariance(errors: Self.lampTolerance, Self.lampTolerance)
    let seen = gains.relativeToGreen
    let found = lights.compactMap { light -> (match: LampMatch, weight: Double)? in
      guard let known = lampGains(for: light) else { return nil }
      let ratio = known.gains.relativeToGreen
      let (red, blue) = (logarithm(seen.red / ratio.red), logarithm(seen.blue / ratio.blue))
      let sum = known.covariance + own + tolerance
      let determinant = sum.red * sum.blue - sum.redBlue * sum.redBlue
      let distance =
        (sum.blue * red * red - 2 * sum.redBlue * red * blue + sum.red * blue * blue) / determinant
      guard distance.isFinite else { return nil }
      return (
        LampMatch(light: light, red: red, blue: blue, distance: distance, share: 0),
        -0.5 * distance - 0.5 * logarithm(determinant)
      )
    }
    let most = found.map(\.weight).max() ?? 0
    let total: Double = found.map { exponential($0.weight - most) }.reduce(0, +)
    return found.sorted { $0.weight > $1.weight }.map { match, weight in
      LampMatch(
        light: match.light, red: match.red, blue: match.blue, distance: match.distance,
        share: exponential(weight - most) / total)
    }
  }
}
