public import ColorScience
public import WhiteBalance

/// A raw picture with the camera's color, to be written as a DNG file.
///
/// Source: Adobe, Digital Negative Specification 1.4; for illuminants by their chromaticity and for
/// a third one, 1.6.
///
/// ```swift
/// import ColorScience
/// import WhiteBalance
///
/// let layout = try FrameLayout(
///   width: 4, height: 2, format: .bayer(.rggb, bits: 10), blackLevel: 64)
/// let frame = try Frame(layout: layout, bytes: [UInt8](repeating: 1, count: 16))
/// var camera = DNGProfile(uniqueCameraModel: "Desk camera", calibrations: [])
/// camera.asShotWhite = .neutral(LinearRGB(red: 0.5, green: 1, blue: 0.7))
/// var picture = DNGPicture(frame, camera: camera)
/// picture.exposureTime = 1 / 50.0
/// let bytes = try picture.encoded()  // a .dng file
/// ```
public struct DNGPicture: Hashable, Sendable {
  /// The noise of a channel: its variance is scale · s + offset at a signal s, with black 0 and
  /// white 1.
  public struct Noise: Hashable, Sendable {
    /// The variance per signal, above 0.
    public var scale: Double
    /// The variance of black, at least 0.
    public var offset: Double

    /// Creates the noise of a channel.
    public init(scale: Double, offset: Double) {
      self.scale = scale
      self.offset = offset
    }
  }

  /// The sensor's linear codes, of a color filter array or as red, green and blue.
  public var frame: Frame
  /// The camera, its matrices, and the white that it chose. Without matrices, converters guess the
  /// colors.
  public var camera: DNGProfile
  /// The exposure time in seconds; `nil` if it is not known.
  public var exposureTime: Double?
  /// The ISO speed; `nil` if it is not known.
  public var iso: Int?
  /// The noise of all channels, or of red, green and blue; empty if it is not known.
  public var noise: [Noise] = []
  /// The orientation in which programs display the picture, from 1 to 8 as in TIFF and Exif.
  public var orientation = 1
  /// The local time of the exposure as in Exif, such as `2026:03:21 12:00:00`; `nil` if it is not
  /// known.
  public var date: String?

  /// The codes of red, green and blue that are black, at least 0 and below the white level; `nil`
  /// if all are the frame's black level. They do not change the codes of the file.
  public var blackLevels: LinearRGB?
  /// The gains that undo the shading of the lens, which converters apply (OpcodeList2); `nil` to
  /// leave the codes as they are. They do not change the codes of the file.
  public var shading: GainMesh?

  /// Creates a picture without an exposure.
  public init(_ frame: Frame, camera: DNGProfile) {
    self.frame = frame
    self.camera = camera
  }
}
