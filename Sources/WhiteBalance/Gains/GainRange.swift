/// The range of gains that a device accepts, for each channel.
///
/// ```swift
/// let range = GainRange(red: 1...4, green: 1...1, blue: 1...4)
/// do {
///   try Gains(red: 2.5, green: 1.25, blue: 1.25).validated(in: range)
/// } catch {
///   print(error)  // green gain 1.250 is 25.00 % above the largest, 1.000; …
///   print(error.nearest!)  // red 2.000, green 1.000, blue 1.000
/// }
/// ```
public struct GainRange: Hashable, Sendable, Codable {
  /// The accepted factors of red.
  public var red: ClosedRange<Double>
  /// The accepted factors of green; 1…1 if a device has no control for it.
  public var green: ClosedRange<Double>
  /// The accepted factors of blue.
  public var blue: ClosedRange<Double>

  /// Creates a range from the ranges of the channels.
  public init(red: ClosedRange<Double>, green: ClosedRange<Double>, blue: ClosedRange<Double>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a range that is the same for all channels.
  public init(_ all: ClosedRange<Double>) { self.init(red: all, green: all, blue: all) }

  /// The range of a channel.
  public subscript(channel: ColorChannel) -> ClosedRange<Double> {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }
}
