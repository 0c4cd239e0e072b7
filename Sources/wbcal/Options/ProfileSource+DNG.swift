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

  /// Returns the profile of pictures under one light, with a color matrix for converters that
  /// divide by the response of the matrix to D65 instead of adapting colors, such as LibRaw,
  /// RawTherapee and darktable; `nil` if the colors of surfaces under the light are not known.
  ///
  /// The rows of the inverse of the matrix to XYZ under D65 may be multiplied by any numbers, which
  /// that division removes. Those that give the camera's response to the light keep the white of
  /// the file at the light's temperature. The illuminant is not stated: darktable takes no matrix
  /// for another one than D65.
  func dngProfile(ofPicturesUnder light: Light) throws -> DNGProfile? {
    guard case .calibrated = profile.model, light.spectrum != nil,
      let gains = profile.model.gains(for: light),
      let colors = profile.model.connection(light)?.matrix,
      let adaptation = ChromaticAdaptation(
        from: Self.connectionWhite, to: XYZ(RGBColorSpace.sRGB.white)),
      let shown = (adaptation.matrix * colors).inverse
    else { return nil }
    let rows = 1 / (gains.vector * (shown * XYZ(light.chromaticity).vector))
    guard rows.min() > 0, rows.max().isFinite else { return nil }
    var profile = try dngProfile(for: [light])
    profile.calibrations[0].colorMatrix = DNGProfile.colorMatrix(
      Matrix3x3(diagonal: rows) * shown, keeping: light.chromaticity)
    profile.calibrations[0].illuminant = nil
    return profile
  }

  /// The white of profiles, D50.
  fileprivate static let connectionWhite = XYZ(x: 0.9642, y: 1, z: 0.8249)

  /// The standard illuminants that have a number in Exif; others are stored by their chromaticity.
  private static let exif: [String: LightSource] = [
    "A": .standardLightA, "D50": .d50, "D55": .d55, "D65": .d65, "D75": .d75,
  ]

  /// Returns the glare of the only chart, or of the one under one of the lights.
  ///
  /// - Parameter lights: the lights; if there are none, those of a DNG profile.
  func chartGlare(under lights: [Light]) throws -> ChartGlare {
    guard let camera = profile.model.sensitivityEstimate, !camera.charts.isEmpty else {
      throw Failure.badData(
        "\(name) has no shot of a chart that would show glare; add one with 'wbcal calibrate "
          + "--profile \(name) --chart PICTURE@LIGHT'")
    }
    let names = try (lights.isEmpty ? dngLights() : lights).map(\.name)
    let charts =
      camera.charts.count == 1
      ? camera.charts : camera.charts.filter { names.contains($0.light.name) }
    guard charts.count == 1, let glare = camera.glare(of: charts[0]) else {
      throw Failure.badData(
        "\(name) has \(charts.count) charts under \(names.joined(separator: " and ")), but "
          + "--glare requires exactly one; name its light with --light")
    }
    return glare
  }

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
        from: XYZ(shown.chromaticity), to: ProfileSource.connectionWhite)
    else { return nil }
    return (adaptation.matrix * matrix, adaptation.matrix * polynomial)
  }
}
