public import ColorScience

/// Linear factors that turn a camera's response to a neutral surface into equal channels.
///
/// Only their ratios carry color: gains that differ by a common factor have the same chromaticity.
/// Nothing here clamps.
public struct Gains: Hashable, Sendable, Codable {
  /// The factor of red.
  public var red: Double
  /// The factor of green.
  public var green: Double
  /// The factor of blue.
  public var blue: Double

  /// Gains as given.
  public init(red: Double, green: Double = 1, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The gains that make a response (red, green, blue) neutral, the smallest of them 1; `nil`
  /// unless all three channels are positive and finite.
  public init?(neutralizing response: LinearRGB) {
    let gains = Gains(vector: 1 / response.vector)
    guard gains.areUsable else { return nil }
    self = gains.normalized()
  }

  /// The same chromaticity with the smallest gain 1: idempotent, and exact for that gain.
  ///
  /// Edge cases: gains that are not positive and finite have no smallest factor to divide by, and
  /// are returned as they are.
  public func normalized() -> Gains {
    guard areUsable else { return self }
    return Gains(vector: vector / vector.min())
  }

  /// The same chromaticity with green 1, which is what red and blue balance controls know.
  public var relativeToGreen: (red: Double, blue: Double) { (red / green, blue / green) }

  /// Whether all three are positive and finite, so that applying them loses nothing.
  public var areUsable: Bool {
    LinearRGB(vector).isPositive
  }

  /// The factor of a channel.
  public subscript(channel: ColorChannel) -> Double {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }

  /// Red, green, blue.
  public var vector: SIMD3<Double> { SIMD3(red, green, blue) }

  /// Gains from red, green, blue.
  public init(vector: SIMD3<Double>) {
    self.init(red: vector.x, green: vector.y, blue: vector.z)
  }
}
