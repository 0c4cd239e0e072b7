public import CameraControl
public import WhiteBalance

/// The pictures that are requested from a camera.
public struct FormatRequest: Hashable, Sendable {
  /// The number of pixels in a row; the camera delivers its nearest size.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The V4L2 code of a format, such as `YUYV`; `nil` for the best one that can be read, which is
  /// Motion JPEG (`MJPG`) only if nothing else has color.
  public var fourCC: String?
  /// The number of frames per second; the camera uses its nearest rate, and its own rate if this is
  /// `nil`.
  public var framesPerSecond: Double?
  /// The properties that the camera must deliver exactly: if it cannot, the request for the first
  /// frame throws `CameraError.noFormat`, which names what is offered. By default the nearest size
  /// and rate are used.
  public var required: Set<OfferedFormat.Property> = []

  /// Creates a request for pictures of a size, by default 640×480.
  public init(
    width: Int = 640, height: Int = 480, fourCC: String? = nil, framesPerSecond: Double? = nil
  ) {
    self.width = width
    self.height = height
    self.fourCC = fourCC
    self.framesPerSecond = framesPerSecond
  }

  /// Returns the best of the formats that can be read, by their rank; among equals the nearest
  /// size, and then the first.
  ///
  /// - Parameter decodes: `true` if there is a decoder of Motion JPEG.
  func choice(
    of offered: [DriverOffer], decodes: Bool
  ) -> (fourCC: String, size: DriverOffer.Size)? {
    // No frame is larger than this.
    let largest = 1 << 20
    let wanted = DriverOffer.Size(
      width: min(max(width, 1), largest), height: min(max(height, 1), largest))
    let readable = offered.filter {
      $0.isReadable(decodes: decodes) && (fourCC == nil || fourCC == $0.fourCC)
    }
    let best = readable.min {
      ($0.rank, $0.size(near: wanted).distance(to: wanted))
        < ($1.rank, $1.size(near: wanted).distance(to: wanted))
    }
    return best.map { ($0.fourCC, $0.size(near: wanted)) }
  }
}
