import CameraProfiles
import ColorScience
import WhiteBalance

/// The colors of a profile's camera under a light.
struct ProfileColors {
  let profile: CameraProfile
  let light: Light
  /// The matrix from balanced camera RGB to XYZ under the light, with white at Y = 1.
  let matrix: Matrix3x3
  /// A root polynomial for the same conversion, if the profile includes surfaces; else the matrix.
  let polynomial: RootPolynomial
  /// The gains that balance the light, the smallest 1; `nil` for a camera without gains.
  let gains: Gains?

  init(of source: ProfileSource, light name: String) throws {
    profile = source.profile
    light = try profile.light(argument: name)
    guard let matrix = profile.model.colorMatrix(for: light),
      let polynomial = profile.model.rootPolynomial(for: light)
    else {
      throw Failure.badData(Self.reason(source.name, profile, light))
    }
    if case .curve(_, let details) = profile.model { Self.remark(on: details, light) }
    self.matrix = matrix
    self.polynomial = polynomial
    gains = profile.model.gains(for: light)
  }

  private static func reason(_ source: String, _ profile: CameraProfile, _ light: Light) -> String {
    switch profile.model {
    case .curve(_, let details):
      details.colorMatrices.isEmpty
        ? "\(source) is a curve of grays without color matrices (rpi.ccm, or Ccm): it has no colors"
        : "\(light.name) has no color temperature"
    case .interpolated: "\(light.name) has no color temperature"
    case .calibrated:
      light.spectrum == nil
        ? "a matrix requires the light's spectrum; name a standard illuminant, a temperature like "
          + "2856K or D5600K, or spd:FILE.csv"
        : "\(source) has no shot under a light of known spectrum; add one of a chart with "
          + "'wbcal calibrate --profile \(source) --chart PICTURE@LIGHT'"
    }
  }

  /// Outside the range of its matrices, a tuning has only the colors of its first or last matrix.
  private static func remark(on details: CurveDetails, _ light: Light) {
    guard let first = details.colorMatrices.first, let last = details.colorMatrices.last,
      let kelvin = CorrelatedColorTemperature(light.chromaticity)?.kelvin,
      !(first.kelvin...last.kelvin).contains(kelvin)
    else { return }
    wbcal.remark(
      "The tuning has color matrices from \(shortNumber(first.kelvin)) to "
        + "\(shortNumber(last.kelvin)) K; for \(light.name) the nearest is used, as in "
        + "libcamera.")
  }

  /// Returns the matrix from balanced camera RGB to a linear RGB space with a white of D65, in
  /// which surfaces look as they do under D65.
  func matrix(to space: RGBColorSpace) throws -> Matrix3x3 {
    try converted(profile.model.colorMatrix(for: light, shownUnder: .d65)) {
      try Self.fromD65(to: space) * $0
    }
  }

  /// Returns a root polynomial for the same conversion.
  func polynomial(to space: RGBColorSpace) throws -> RootPolynomial {
    try converted(profile.model.rootPolynomial(for: light, shownUnder: .d65)) {
      try Self.fromD65(to: space) * $0
    }
  }

  private func converted<Colors>(
    _ colors: Colors?, by change: (Colors) throws -> Colors
  ) throws -> Colors {
    guard let colors else {
      throw Failure.badData("\(light.name) is too saturated to be adapted to white")
    }
    return try change(colors)
  }

  /// The space's white is D65 with fewer digits.
  private static func fromD65(to space: RGBColorSpace) throws -> Matrix3x3 {
    let white = XYZ(StandardIlluminant.d65.chromaticity)
    guard let adaptation = ChromaticAdaptation(from: white, to: XYZ(space.white)) else {
      throw Failure.badData("D65 cannot be adapted to the white of the space")
    }
    return space.fromXYZ * adaptation.matrix
  }

  /// Returns the gains that balance the light.
  func requiredGains() throws -> Gains {
    guard let gains else { throw Failure.badData("the camera has no gains for \(light.name)") }
    return gains
  }
}
