public import WhiteBalance
internal import ColorScience

/// How well the gains of a gray card go with a lamp.
public struct LampMatch: Hashable, Sendable {
  /// The lamp.
  public let light: Light
  /// By how much the card's gain of red is larger than the lamp's when green is equal, as a natural
  /// logarithm: 0.01 is 1 %.
  public let red: Double
  /// The same of blue.
  public let blue: Double
  /// The square of the difference in standard errors: of the right lamp 2 in the mean.
  public let distance: Double
  /// The probability of this lamp among those that were compared, each being as likely before.
  public let share: Double

  /// Whether the lamp is not too far off: 99 of 100 right ones are not.
  public var isPlausible: Bool { distance < 9.21 }
}

extension CameraProfile.Model {
  /// How far the gains of lamps of one kind differ from those of its data sheet, as a share.
  static let lampTolerance = 0.01

  /// Lamps by how well the gains of a gray card go with each, the likeliest first; those are left
  /// out for which the camera has no gains with known errors.
  ///
  /// The errors are those of the camera's calibration, of the card, and 1 % for lamps that differ
  /// from their data sheets. Of the right lamp the distance is above 9.21 once in 100
  /// (`LampMatchTests`). Complexity: O(lamps).
  ///
  /// - Parameters:
  ///   - lights: the lamps, whose spectrum is known or which the camera was shot under.
  ///   - gains: what makes the card neutral, on any scale.
  ///   - error: the standard errors of the card's gains, as shares.
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
