import WhiteBalance

/// The pictures that a camera is asked for.
public struct FormatRequest: Hashable, Sendable {
  /// Pixels in a row; the camera's nearest size is taken.
  public var width: Int
  /// Rows.
  public var height: Int
  /// The V4L2 code of a format, such as `YUYV`; the best that can be read, if left out.
  public var fourCC: String?
  /// Frames in a second; the camera's nearest rate is taken, and its own if left out.
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
}

/// A format that a driver offers.
struct OfferedFormat: Hashable {
  /// The sizes of its pictures.
  enum Sizes: Hashable {
    case list([Size])
    case steps(from: Size, to: Size, step: Size)
    /// The driver does not say.
    case any
  }
  struct Size: Hashable {
    var width, height: Int
  }

  var fourCC: String
  var isCompressed = false
  var sizes = Sizes.any

  /// The size next to another one.
  func size(near wanted: Size) -> Size {
    switch sizes {
    case .any: return wanted
    case .list(let sizes):
      return sizes.min { $0.distance(to: wanted) < $1.distance(to: wanted) } ?? wanted
    case .steps(let low, let high, let step):
      func snapped(_ value: Int, _ side: KeyPath<Size, Int>) -> Int {
        let (low, high, step) = (
          low[keyPath: side], high[keyPath: side], max(step[keyPath: side], 1)
        )
        let steps = (min(max(value, low), high) - low + step / 2) / step
        return min(low + steps * step, low + (high - low) / step * step)
      }
      return Size(
        width: snapped(wanted.width, \.width), height: snapped(wanted.height, \.height))
    }
  }
}

extension OfferedFormat.Size {
  fileprivate func distance(to other: Self) -> Int {
    abs(width - other.width) + abs(height - other.height)
  }
}

extension FormatRequest {
  /// The best of the formats that can be read: finished pictures before a sensor's raw ones, which
  /// no balance reaches, before gray, which has none; the nearest size among equals.
  func choice(of offered: [OfferedFormat]) -> (fourCC: String, size: OfferedFormat.Size)? {
    // No frame is larger.
    let sides = 1...1 << 20
    let wanted = OfferedFormat.Size(
      width: min(max(width, sides.lowerBound), sides.upperBound),
      height: min(max(height, sides.lowerBound), sides.upperBound))
    let readable = offered.filter {
      !$0.isCompressed && (fourCC == nil || fourCC == $0.fourCC)
        && PixelFormat(fourCC: $0.fourCC) != nil
    }
    // The first of equals is kept: `min` returns the first minimum.
    let best = readable.min {
      ($0.rank, $0.size(near: wanted).distance(to: wanted))
        < ($1.rank, $1.size(near: wanted).distance(to: wanted))
    }
    return best.map { ($0.fourCC, $0.size(near: wanted)) }
  }
}

extension OfferedFormat {
  fileprivate var rank: Int {
    switch PixelFormat(fourCC: fourCC)?.arrangement {
    case .subsampled, .interleaved: 0
    case .bayer: 1
    case .gray, nil: 2
    }
  }
}
