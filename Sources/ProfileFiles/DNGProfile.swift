public import ColorScience

/// What a DNG file or a camera profile (DCP) says about a camera's color: the matrices from XYZ to
/// the camera, and for a photograph the white that the camera chose.
///
/// Tables and curves, which give a picture its look and say nothing about neutrals, are not kept.
/// Source: Adobe, Digital Negative Specification 1.7.1.
public struct DNGProfile: Hashable, Sendable {
  /// The matrices for one light.
  public struct CalibratedMatrices: Hashable, Sendable {
    /// The light; `nil` where the file does not say, as it may if it has one light only.
    public var illuminant: CalibrationIlluminant?
    /// From XYZ to the linear red, green, blue of the average camera of its kind.
    public var colorMatrix: Matrix3x3
    /// From the average camera to this unit; `nil` where the file has none, which means no
    /// difference.
    public var cameraCalibration: Matrix3x3?

    /// The matrices for a light.
    public init(
      illuminant: CalibrationIlluminant?, colorMatrix: Matrix3x3,
      cameraCalibration: Matrix3x3? = nil
    ) {
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.cameraCalibration = cameraCalibration
    }
  }

  /// A white, in one of the two ways that DNG has for it.
  public enum White: Hashable, Sendable {
    /// AsShotNeutral: the camera's response to a neutral surface, up to a scale.
    case neutral(LinearRGB)
    /// AsShotWhiteXY: the chromaticity of the light.
    case chromaticity(Chromaticity)
  }

  /// The camera's model, such as `Canon EOS 550D`.
  public var uniqueCameraModel: String?
  /// The profile's name.
  public var name: String?
  /// Who owns the profile.
  public var copyright: String?
  /// One to three lights, in the file's order.
  public var calibrations: [CalibratedMatrices]
  /// The gains of the analog stages before the sensor is read out; `nil` means 1, 1, 1.
  public var analogBalance: LinearRGB?
  /// The white that the camera chose.
  public var asShotWhite: White?
  /// Who made the CameraCalibration matrices.
  public var cameraCalibrationSignature: String?
  /// Whose CameraCalibration matrices belong to this profile: others are not applied.
  public var profileCalibrationSignature: String?

  /// A profile for a camera model.
  public init(
    uniqueCameraModel: String?, name: String? = nil, copyright: String? = nil,
    calibrations: [CalibratedMatrices], analogBalance: LinearRGB? = nil, asShotWhite: White? = nil
  ) {
    self.uniqueCameraModel = uniqueCameraModel
    self.name = name
    self.copyright = copyright
    self.calibrations = calibrations
    self.analogBalance = analogBalance
    self.asShotWhite = asShotWhite
  }
}
