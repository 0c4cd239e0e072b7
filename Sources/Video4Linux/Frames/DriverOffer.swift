import WhiteBalance

/// A format that a driver offers.
struct DriverOffer: Hashable {
  enum Sizes: Hashable {
    case list([Size])
    case steps(from: Size, to: Size, step: Size)
    /// The driver does not report sizes.
    case any
  }
  struct Size: Hashable {
    var width, height: Int

    func distance(to other: Self) -> Int { abs(width - other.width) + abs(height - other.height) }
  }

  var fourCC: String
  var isCompressed = false
  var sizes = Sizes.any

  /// Indicates Motion JPEG, which can be read if there is a decoder.
  var isMotionJPEG: Bool { DriverFormat.motionJPEG.contains(fourCC) }

  /// Indicates whether its frames can be read.
  func isReadable(decodes: Bool) -> Bool {
    isMotionJPEG ? decodes : !isCompressed && PixelFormat(fourCC: fourCC) != nil
  }

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
      return Size(width: snapped(wanted.width, \.width), height: snapped(wanted.height, \.height))
    }
  }

  /// The order of preference, smallest first: processed pictures; a sensor's raw ones, which
  /// white-balance controls do not change; compressed ones; gray ones, which have no color.
  var rank: Int {
    switch PixelFormat(fourCC: fourCC)?.arrangement {
    case .subsampled, .interleaved: 0
    case .bayer: 1
    case nil: 2
    case .gray: 3
    }
  }
}
