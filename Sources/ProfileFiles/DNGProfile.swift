public import ColorScience

/// A camera's color as a DNG file or a camera profile (DCP) describes it: the matrices from XYZ to
/// the camera, and in a photograph the white that the camera chose.
///
/// Tables and curves are not read, because they give a picture its look and do not change neutrals;
/// of the tables only a `HueSatMap` is written.
///
/// Source: Adobe, Digital Negative Specification 1.7.1.
///
/// ```swift
/// import ColorScience
/// import WhiteBalance
///
/// let matrix = Matrix3x3(
///   SIMD3(0.69, -0.13, -0.09), SIMD3(-0.46, 1.24, 0.24), SIMD3(-0.06, 0.2, 0.55))
/// let profile = DNGProfile(
///   uniqueCameraModel: "Desk camera",
///   calibrations: [.init(illuminant: .lightSource(.d65), colorMatrix: matrix)])
/// let bytes = try profile.encoded()  // a .dcp file
/// let camera = try InterpolatedCameraModel(DNGProfile(bytes))
/// print(camera.gains(for: TemperatureAndTint(temperature: 5000, tint: 0))!)
/// ```
public struct DNGProfile: Hashable, Sendable {
  /// The matrices for one illuminant.
  public struct CalibratedMatrices: Hashable, Sendable {
    /// The illuminant; `nil` if the file names none, which a file with a single illuminant need
    /// not.
    public var illuminant: CalibrationIlluminant?
    /// The matrix from XYZ to linear red, green and blue of the average camera of this model.
    public var colorMatrix: Matrix3x3
    /// The matrix from balanced camera RGB, in which white is (1, 1, 1), to XYZ adapted to D50, for
    /// the colors of surfaces; `nil` if the file has none, in which case ColorMatrix is used for
    /// these too.
    public var forwardMatrix: Matrix3x3?
    /// The matrix from the average camera to this unit; `nil` if the file has none, which means no
    /// difference.
    public var cameraCalibration: Matrix3x3?
    /// The table that is applied to the colors that ForwardMatrix gives; `nil` for none. It is not
    /// read from files.
    public var hueSatMap: HueSatMap?

    /// Creates the matrices for one illuminant.
    public init(
      illuminant: CalibrationIlluminant?, colorMatrix: Matrix3x3,
      forwardMatrix: Matrix3x3? = nil, cameraCalibration: Matrix3x3? = nil,
      hueSatMap: HueSatMap? = nil
    ) {
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
      self.cameraCalibration = cameraCalibration
      self.hueSatMap = hueSatMap
    }
  }

  /// A white, in one of DNG's two notations.
  public enum White: Hashable, Sendable {
    /// AsShotNeutral: the camera's response to a neutral surface, up to a scale.
    case neutral(LinearRGB)
    /// AsShotWhiteXY: the chromaticity of the light.
    case chromaticity(Chromaticity)
  }

  /// The camera's model, such as `Canon EOS 550D`.
  public var uniqueCameraModel: String?
  /// The maker of the camera that took a photograph; written in a `DNGPicture` alone.
  public var make: String?
  /// The model of the camera that took a photograph, by its maker's name; written in a `DNGPicture`
  /// alone.
  public var model: String?
  /// The serial number of the camera that took a photograph; written in a `DNGPicture` alone.
  public var serialNumber: String?
  /// The profile's name.
  public var name: String?
  /// The copyright notice of the profile.
  public var copyright: String?
  /// The matrices for one to three illuminants, in the file's order.
  public var calibrations: [CalibratedMatrices]
  /// The gains of the analog stages before the sensor is digitized; `nil` means 1, 1, 1.
  public var analogBalance: LinearRGB?
  /// The white that the camera chose.
  public var asShotWhite: White?
  /// The signature that identifies the maker of the CameraCalibration matrices.
  public var cameraCalibrationSignature: String?
  /// The signature that CameraCalibration matrices must have to be applied with this profile.
  public var profileCalibrationSignature: String?

  /// Creates a profile for a camera model.
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
