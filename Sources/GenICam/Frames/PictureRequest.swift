#if GenICam
public import CameraControl
public import WhiteBalance

/// The size, format and rate of the pictures that are requested from a camera. A property that is
/// `nil` keeps the camera's setting.
public struct PictureRequest: Hashable, Sendable {
  /// The number of pixels in a row.
  public var width: Int?
  /// The number of rows.
  public var height: Int?
  /// The name of a pixel format in the Pixel Format Naming Convention, such as `BayerRG12`; `nil`
  /// for the camera's present one if it has color and can be read, or else the best one.
  public var pixelFormat: String?
  /// The number of frames per second.
  public var framesPerSecond: Double?
  /// The properties that the camera must deliver exactly: if it cannot, the request for the first
  /// frame throws `CameraError.noFormat`, which names what is offered. By default the nearest size
  /// and rate are used.
  public var required: Set<OfferedFormat.Property> = []

  /// Creates a request, by default for the pictures that the camera is set to.
  public init(
    width: Int? = nil, height: Int? = nil, pixelFormat: String? = nil,
    framesPerSecond: Double? = nil
  ) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.framesPerSecond = framesPerSecond
  }
}
#endif
