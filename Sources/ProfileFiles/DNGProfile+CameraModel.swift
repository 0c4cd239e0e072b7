public import ColorScience
public import WhiteBalance

extension InterpolatedCameraModel {
  /// The camera model of a profile.
  ///
  /// CameraCalibration matrices whose signature is not the profile's are left out, as DNG requires.
  /// Where lights have no temperature, or one and the same, only the first matrix counts, as in
  /// Adobe's SDK.
  /// Color matrices are brought to one scale, as Adobe's SDK does: otherwise that of the larger
  /// numbers would count for more between two lights.
  ///
  /// - Throws: `CameraModelError`, which names the field.
  public init(_ profile: DNGProfile) throws(CameraModelError) {
    let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    let isOwn =
      (profile.cameraCalibrationSignature ?? "") == (profile.profileCalibrationSignature ?? "")
    let calibrations = Self.distinct(profile.calibrations)
    // With a single light its temperature makes no difference and need not be known.
    let single: Double? = calibrations.count == 1 ? 5000 : nil
    try self.init(
      calibrations: calibrations.map {
        CalibratedLight(
          kelvin: single ?? $0.illuminant?.kelvin ?? .nan,
          colorMatrix: Self.normalized($0.colorMatrix),
          cameraCalibration: isOwn ? $0.cameraCalibration ?? identity : identity)
      }, analogBalance: profile.analogBalance ?? LinearRGB(red: 1, green: 1, blue: 1))
  }

  /// The calibrations that are interpolated: all where each has a temperature of its own, or else
  /// the first two, or the first.
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

  /// A color matrix whose largest response to D50 is 1, where it was off by more than 1 %, rounded
  /// to four decimals.
  ///
  /// Source: Adobe, DNG SDK 1.7.1, `dng_camera_profile::NormalizeColorMatrix`; D50 there is x
  /// 0.3457, y 0.3585.
  private static func normalized(_ matrix: Matrix3x3) -> Matrix3x3 {
    let largest = (matrix * DNGProfile.daylight).max()
    let scale = largest > 0 && abs(largest - 1) > 0.01 ? 1 / largest : 1
    let rows = matrix.rows.map { row in
      let scaled = 10_000 * scale * row
      // Halves away from zero for either sign, as the SDK's rounding to integers has them.
      return scaled.rounded(.toNearestOrAwayFromZero) / 10_000
    }
    return Matrix3x3(rows[0], rows[1], rows[2])
  }
}

extension DNGProfile {
  /// The D50 by which Adobe's SDK scales color matrices.
  fileprivate static let daylight = XYZ(Chromaticity(x: 0.3457, y: 0.3585)).vector

  /// A color matrix on the scale and with the four decimals to which readers round it, such that
  /// the response to a light is kept: a row's numbers are rounded up or down as brings it nearest.
  ///
  /// Error: gains for the light, read back by its temperature, differ by 1.5e-4 at most
  /// (`ProfileTests.exportsADNGProfile`).
  ///
  /// - Parameters:
  ///   - matrix: from XYZ to the camera, on any scale.
  ///   - light: the light.
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

  /// The profile of a camera model with one matrix. The unit's calibration becomes
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
  /// The chromaticity of the white according to a camera model; `nil` if there is none.
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

  /// The camera's response to the white, the largest channel 1; `nil` if one is not positive.
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
