import CameraProfiles
import ColorScience
import WhiteBalance

/// The reason that a curve of grays has no gains for a light.
struct NoWhiteLight: Error, CustomStringConvertible {
  /// The largest distance from the Planckian locus, in CIE 1960 u and v, at which lamps are sold as
  /// white.
  ///
  /// Source: ANSI C78.377.
  static let whiteDuv = 0.006

  var tint: Double

  var description: String {
    let limit = TemperatureAndTint(
      CorrelatedColorTemperature(kelvin: 5000, duv: Self.whiteDuv)
    ).tint
    return "the profile is a curve of grays, which has no tint, and the light's tint, "
      + "\(fixed(tint, decimals: 1)), is too large to be ignored: that of white lights is within "
      + "±\(fixed(limit, decimals: 0))"
  }
}

extension CameraProfile.Model {
  /// `true` if it knows grays by their temperature alone.
  var isCurve: Bool { if case .curve = self { true } else { false } }

  /// Returns the tint of a light that a curve of grays ignores in its gains; an error if the tint
  /// is too large to be ignored, as the light is not white; `nil` if there is no tint to ignore.
  func tintLeftOut(of light: Chromaticity) -> Result<Double, NoWhiteLight>? {
    guard isCurve, let temperature = CorrelatedColorTemperature(light) else {
      return nil
    }
    let tint = TemperatureAndTint(temperature).tint
    if abs(temperature.duv) > NoWhiteLight.whiteDuv { return .failure(NoWhiteLight(tint: tint)) }
    // A smaller tint is not shown.
    return abs(tint) < 0.05 ? nil : .success(tint)
  }

  /// Returns the gains for a light; `nil` also if a curve of grays would have to ignore too large a
  /// tint.
  func reliableGains(for light: Light) -> Gains? {
    if case .failure = tintLeftOut(of: light.chromaticity) { return nil }
    return gains(for: light)
  }

  /// Remarks on the tint that the gains for a light ignore.
  ///
  /// - Throws: `Failure` if there are no gains for the light.
  func remarkOnTint(of light: Chromaticity, note: (String) -> Void = remark) throws {
    switch tintLeftOut(of: light) {
    case nil: break
    case .success(let tint):
      note(
        "The profile is a curve of grays, which has no tint: the light's tint, "
          + "\(fixed(tint, decimals: 1)), is ignored.")
    case .failure(let objection): throw Failure.badData(objection.description)
    }
  }
}
