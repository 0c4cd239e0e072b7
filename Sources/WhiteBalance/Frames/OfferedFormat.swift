internal import ColorScience

/// A pixel format that a camera offers, with its sizes and rates.
public struct OfferedFormat: Hashable, Sendable {
  /// The format's name by which a camera is opened: a code of V4L2, or a name of the Pixel Format
  /// Naming Convention.
  public var name: String
  /// Indicates whether this package reads its frames.
  public var isReadable: Bool
  /// The sizes; empty if the camera does not report them.
  public var sizes: [Sizes]

  /// Creates the description of a format.
  public init(name: String, isReadable: Bool, sizes: [Sizes]) {
    self.name = name
    self.isReadable = isReadable
    self.sizes = sizes
  }

  /// A property of a request that a camera must fulfill exactly.
  public enum Property: Hashable, Sendable {
    /// The width and the height.
    case size
    /// The number of frames per second, to 1 %.
    case rate
  }

  /// The numbers from `low` to `high` in steps, for a side in pixels.
  public struct Side: Hashable, Sendable {
    /// The smallest number, and the largest one.
    public var low, high: Int
    /// The distance between neighbors, at least 1.
    public var step: Int

    /// Creates a range of sides, or a single one.
    public init(_ low: Int, through high: Int? = nil, by step: Int = 1) {
      (self.low, self.high, self.step) = (low, high ?? low, max(step, 1))
    }
  }

  /// A size or a range of sizes.
  public struct Sizes: Hashable, Sendable {
    /// The number of pixels in a row.
    public var width: Side
    /// The number of rows.
    public var height: Side
    /// The rates at the largest of these sizes.
    public var rates: Rates

    /// Creates a range of sizes.
    public init(width: Side, height: Side, rates: Rates) {
      self.width = width
      self.height = height
      self.rates = rates
    }
  }

  /// Numbers of frames per second.
  public enum Rates: Hashable, Sendable {
    /// Single rates; none if the camera does not report them.
    case list([FrameRate])
    /// All rates from a slow one to a fast one.
    case range(FrameRate, through: FrameRate)
  }
}

extension OfferedFormat.Sizes: CustomStringConvertible {
  /// The sizes as text, such as `640x480` or `16x16…2048x2048 in steps of 4x2`.
  public var description: String {
    let first = "\(width.low)x\(height.low)"
    guard width.low != width.high || height.low != height.high else { return first }
    return first + "…\(width.high)x\(height.high)"
      + (width.step == 1 && height.step == 1 ? "" : " in steps of \(width.step)x\(height.step)")
  }
}

extension OfferedFormat.Rates: CustomStringConvertible {
  /// The rates as text, such as `30, 15 fps` or `1…60 fps`; empty if they are unknown.
  public var description: String {
    func text(_ rate: FrameRate) -> String { Self.text(Double(rate.frames) / Double(rate.seconds)) }
    return switch self {
    case .list(let rates): rates.isEmpty ? "" : rates.map(text).joined(separator: ", ") + " fps"
    case .range(let slow, let fast): text(slow) + "…" + text(fast) + " fps"
    }
  }

  /// Returns a number of frames per second with up to three decimals.
  package static func text(_ rate: Double) -> String {
    var text = fixed(rate, decimals: 3)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
