public import ColorScience
public import WhiteBalance

extension InterpolatedCameraModel {
  /// Creates the camera model of a profile.
  ///
  /// A CameraCalibration matrix is ignored unless its signature equals the profile's, as DNG
  /// requires. If illuminants have no temperature, or the same one, only the first matrix is used,
  /// as in Adobe's SDK. Color matrices are brought to one scale, as Adobe's SDK does: otherwise the
  /// matrix with the larger numbers would have more weight between two illuminants.
  ///
  /// - Throws: `CameraModelError`, which names the field.
  public init(_ profile: DNGProfile) throws(CameraModelError) {
    let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    let isOwn =
      (profile.cameraCalibrationSignature ?? "") == (profile.profileCalibrationSignature ?? "")
    let calibrations = Self.distinct(profile.calibrations)
    // The temperature of a single illuminant has no effect and need not be known.
    let single: Double? = calibrations.count == 1 ? 5000 : nil
    try self.init(
      calibrations: calibrations.map {
        CalibratedLight(
          kelvin: single ?? $0.illuminant?.kelvin ?? .nan,
          colorMatrix: Self.normalized($0.colorMatrix),
          cameraCalibration: isOwn ? $0.cameraCalibration ?? identity : identity)
      }, analogBalance: profile.analogBalance ?? LinearRGB(red: 1, green: 1, blue: 1))
  }

  /// Returns the calibrations that are interpolated: all if their temperatures are known and
  /// distinct, or else the first two, or the first.
  ///
  /// Source: Adobe, DNG SDK 1.7.1, `dng_color_spec` and `dng_camera_profile::IlluminantModel`.
  private static func distinct(
    _ calibrations: [DNGProfile.CalibratedMatrices]
  ) -> [DNGProfile.CalibratedMatrices] {
    for count in stride(from: calibrations.count, to: 1, by: -1) {
      let used = calibrations.prefix(count)
      let temperatures = used.compactMap(\.illuminant?.kelvin).filter { $0 > 0 }
      if Set(temperatures).count == count { return Array(used) }
    }
    return Array(calibrations.prefix(1))
  }

  /// Returns a color matrix rounded to four decimals, and first scaled to a largest response to D50
  /// of 1 if that differs from 1 by more than 1 %.
  ///
  /// Source: Adobe, DNG SDK 1.7.1, `dng_camera_profile::NormalizeColorMatrix`; D50 there is x
  /// 0.3457, y 0.3585.
  private static func normalized(_ matrix: Matrix3x3) -> Matrix3x3 {
    let largest = (matrix * DNGProfile.daylight).max()
    let scale = largest > 0 && abs(largest - 1) > 0.01 ? 1 / largest : 1
    let rows = matrix.rows.map { row in
      let scaled = 10_000 * scale * row
      // Halves are rounded away from zero for either sign, as the SDK rounds to integers.
      return scaled.rounded(.toNearestOrAwayFromZero) / 10_000
    }
    return Matrix3x3(rows[0], rows[1], rows[2])
  }
}

extension DNGProfile {
  /// The white of D50 for which Adobe's SDK scales color matrices.
  fileprivate static let daylight = XYZ(Chromaticity(x: 0.3457, y: 0.3585)).vector

  /// Returns a color matrix on the scale, and with the four decimals, to which readers round it,
  /// that keeps the response to a light. Each number is rounded up or down such that its row's
  /// response to the light is as near as possible to the exact one.
  ///
  /// Error: gains for the light, read back by its temperature, differ by at most 1.5e-4
  /// (`ProfileTests.exportsADNGProfile`).
  ///
  /// - Parameters:
  ///   - matrix: the matrix from XYZ to the camera, on any scale.
  ///   - light: the chromaticity of the light.
  public static func colorMatrix(_ matrix: Matrix3x3, keeping light: Chromaticity) -> Matrix3x3 {
    let (largest, white) = ((matrix * daylight).max(), XYZ(light).vector)
    guard largest > 0 else { return matrix }
    let rows = matrix.rows.map { row in
      let exact = 10_000 / largest * row
      let nearest = exact.rounded(.toNearestOrEven)
      let steps = [0.0, -1, 1]
      let candidates = steps.flatMap { x in
        steps.flatMap { y in steps.map { z in nearest + SIMD3(x, y, z) } }
      }
      func miss(_ row: SIMD3<Double>) -> Double { abs(((row - exact) * white).sum()) }
      return candidates.min { miss($0) < miss($1) }! / 10_000
    }
    return Matrix3x3(rows[0], rows[1], rows[2])
  }

  /// Creates the profile of a camera model with one matrix. The unit's calibration becomes
  /// CameraCalibration1.
  public init(
    _ model: MatrixCameraModel, illuminant: CalibrationIlluminant? = nil,
    uniqueCameraModel: String?, name: String? = nil, copyright: String? = nil
  ) {
    self.init(
      uniqueCameraModel: uniqueCameraModel, name: name, copyright: copyright,
      calibrations: [
        CalibratedMatrices(
          illuminant: illuminant, colorMatrix: model.matrix,
          cameraCalibration: Matrix3x3(diagonal: model.unitCalibration.vector))
      ])
  }
}

extension DNGProfile.White {
  /// Returns the chromaticity of the light under which a camera with this model has this white;
  /// `nil` if there is no such light.
  ///
  /// - Throws: `AmbiguousGains` if there are several.
  public func chromaticity(by model: some CameraModel) throws(AmbiguousGains) -> Chromaticity? {
    switch self {
    case .chromaticity(let light): light
    case .neutral(let neutral):
      try Gains(neutralizing: neutral).flatMap { (gains) throws(AmbiguousGains) in
        try model.chromaticity(for: gains)
      }
    }
  }

  /// Returns the camera's response to the white, scaled to a largest channel of 1; `nil` if a
  /// channel is not positive.
  public func neutral(by model: some CameraModel) -> LinearRGB? {
    let response: LinearRGB? =
      switch self {
      case .chromaticity(let light): model.response(to: light, lightClass: nil)
      case .neutral(let neutral): neutral
      }
    guard let response, response.isPositive else { return nil }
    return LinearRGB(response.vector / response.vector.max())
  }
}
