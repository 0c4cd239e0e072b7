import CameraProfiles
import ColorScience
import ProfileFiles
import WhiteBalance

extension ProfileSource {
  /// The lights that a DNG profile has matrices for by default, which are far apart.
  func dngLights() throws -> [Light] {
    try ["A", "D65"].map { try profile.light(argument: $0) }
  }

  /// Returns a DNG source's own profile, or one with a calibration's matrices. These were fitted to
  /// the unit itself, so that no unit calibration is needed.
  ///
  /// - Parameter lights: the lights of the matrices; by default illuminants A and D65.
  func dngProfile(for lights: [Light] = [], glare: LinearRGB? = nil) throws -> DNGProfile {
    let isDefault = lights.isEmpty
    if isDefault, let dng { return dng }
    try requireColors(for: "a DNG profile")
    let camera = profile.cameraName
    if isDefault, case .interpolated(let model) = profile.model {
      return DNGProfile(
        uniqueCameraModel: camera, name: title,
        calibrations: model.calibrations.map {
          .init(
            illuminant: .chromaticity(
              Chromaticity(CorrelatedColorTemperature(kelvin: $0.kelvin, duv: 0))),
            colorMatrix: $0.colorMatrix, cameraCalibration: $0.cameraCalibration)
        }, analogBalance: model.analogBalance)
    }
    return DNGProfile(
      uniqueCameraModel: camera, name: title,
      calibrations: try (isDefault ? dngLights() : lights).map { light in
        guard let matrix = profile.model.matrix(for: light) else {
          throw Failure.badData("\(name) has no color matrix for \(light.name)")
        }
        let colors = profile.model.connection(light, glare: glare)
        return .init(
          illuminant: Self.exif[light.name].map { .lightSource($0) }
            ?? .chromaticity(light.chromaticity),
          colorMatrix: DNGProfile.colorMatrix(matrix, keeping: light.chromaticity),
          forwardMatrix: colors?.matrix,
          hueSatMap: colors.flatMap {
            $0.polynomial == RootPolynomial(matrix: $0.matrix)
              ? nil : DNGProfile.HueSatMap(from: $0.matrix, to: $0.polynomial)
          })
      })
  }

  /// The standard illuminants that have a number in Exif; others are stored by their chromaticity.
  private static let exif: [String: LightSource] = [
    "A": .standardLightA, "D50": .d50, "D55": .d55, "D65": .d65, "D75": .d75,
  ]

  func requireColors(for output: String) throws {
    if case .curve(_, let details) = profile.model {
      throw Failure.badData(
        "\(name) is a curve of grays: it has no colors for \(output)"
          + (details.colorMatrices.isEmpty
            ? ""
            : ", which requires measured matrices; those of a tuning lead to sRGB, for 'wbcal "
              + "profile matrix' and 'wbcal balance --to srgb'"))
    }
  }
}

extension CameraProfile.Model {
  /// Returns the matrix and the polynomial from balanced camera RGB to XYZ under the D50 of
  /// profiles; `nil` if the model does not include surfaces.
  func connection(
    _ light: Light, glare: LinearRGB? = nil
  ) -> (matrix: Matrix3x3, polynomial: RootPolynomial)? {
    let shown = StandardIlluminant.d50
    guard let matrix = colorMatrix(for: light, shownUnder: shown, glare: glare),
      let polynomial = rootPolynomial(for: light, shownUnder: shown, glare: glare),
      let adaptation = ChromaticAdaptation(
        from: XYZ(shown.chromaticity), to: XYZ(x: 0.9642, y: 1, z: 0.8249))
    else { return nil }
    return (adaptation.matrix * matrix, adaptation.matrix * polynomial)
  }
}
