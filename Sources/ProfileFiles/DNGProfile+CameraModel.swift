public import ColorScience
public import WhiteBalance

extension InterpolatedCameraModel {
  /// The camera model of a profile.
  ///
  /// CameraCalibration matrices whose signature is not the profile's are left out, as DNG requires.
  ///
  /// - Throws: `CameraModelError`, which names the field.
  public init(_ profile: DNGProfile) throws(CameraModelError) {
    let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    let isOwn =
      (profile.cameraCalibrationSignature ?? "") == (profile.profileCalibrationSignature ?? "")
    // With a single light its temperature makes no difference and need not be known.
    let single: Double? = profile.calibrations.count == 1 ? 5000 : nil
    try self.init(
      calibrations: profile.calibrations.map {
        CalibratedLight(
          kelvin: single ?? $0.illuminant?.kelvin ?? .nan, colorMatrix: $0.colorMatrix,
          cameraCalibration: isOwn ? $0.cameraCalibration ?? identity : identity)
      }, analogBalance: profile.analogBalance ?? LinearRGB(red: 1, green: 1, blue: 1))
  }
}

extension DNGProfile {
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
