import WhiteBalance

/// The pictures that a camera is asked for.
public struct FormatRequest: Hashable, Sendable {
  /// Pixels in a row; the camera delivers the nearest size that it has.
  public var width: Int
  /// Rows.
  public var height: Int
  /// The V4L2 code of a format, such as `YUYV`; the best that can be read, if left out: Motion JPEG
  /// (`MJPG`) only where nothing else has color.
  public var fourCC: String?
  /// Frames in a second; the camera takes the nearest rate that it has, and its own if left out.
  public var framesPerSecond: Double?

  /// Pictures of a size, 640×480 if left out.
  public init(
    width: Int = 640, height: Int = 480, fourCC: String? = nil, framesPerSecond: Double? = nil
  ) {
    self.width = width
    self.height = height
    self.fourCC = fourCC
    self.framesPerSecond = framesPerSecond
  }

  /// The best of the formats that can be read, by their rank; the nearest size among equals, and
  /// the first among those.
  ///
  /// - Parameter decodes: whether there is a decoder of Motion JPEG.
  func choice(
    of offered: [OfferedFormat], decodes: Bool
  ) -> (fourCC: String, size: OfferedFormat.Size)? {
    // No frame is larger.
    let largest = 1 << 20
    let wanted = OfferedFormat.Size(
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
