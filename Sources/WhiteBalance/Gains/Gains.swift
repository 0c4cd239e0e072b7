public import ColorScience

/// Linear factors that make a camera's response to a neutral surface equal in all channels.
///
/// Only their ratios determine a color: gains that differ by a common factor have the same
/// chromaticity. No function clamps values.
///
/// ```swift
/// import ColorScience
///
/// let card = LinearRGB(red: 0.25, green: 0.5, blue: 0.125)
/// guard let gains = Gains(neutralizing: card) else { fatalError("a channel sees nothing") }
/// print(gains)  // red 2.000, green 1.000, blue 4.000
/// try gains.validated(in: 1...4)
/// ```
public struct Gains: Hashable, Sendable, CustomStringConvertible {
  /// The factor of red.
  public var red: Double
  /// The factor of green.
  public var green: Double
  /// The factor of blue.
  public var blue: Double

  /// Creates gains from their factors.
  public init(red: Double, green: Double = 1, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates the gains that make a response (red, green, blue) neutral, with the smallest gain 1;
  /// `nil` unless all three channels are positive and finite.
  public init?(neutralizing response: LinearRGB) {
    let gains = Gains(1 / response.vector)
    guard gains.arePositiveAndFinite else { return nil }
    self = gains.normalized(to: .smallest)
  }

  /// The gain that is 1 after `normalized(to:)`.
  public enum Unit: Hashable, Sendable {
    /// The smallest, so that no channel is attenuated.
    case smallest
    /// The largest, so that no sample is clipped that was not clipped before.
    case largest
  }

  /// Returns these gains divided by the smallest or largest of them, which becomes exactly 1;
  /// idempotent. Gains that are not positive and finite are returned unchanged.
  public func normalized(to unit: Unit) -> Gains {
    guard arePositiveAndFinite else { return self }
    return Gains(vector / (unit == .smallest ? vector.min() : vector.max()))
  }

  /// The red and blue factors for green 1 and the same chromaticity, as set with red and blue
  /// balance controls.
  public var relativeToGreen: (red: Double, blue: Double) { (red / green, blue / green) }

  /// `true` if every factor is positive and finite, so that applying the gains loses nothing.
  public var arePositiveAndFinite: Bool { LinearRGB(vector).isPositive }

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

  /// Creates gains from red, green, blue.
  public init(_ vector: SIMD3<Double>) { self.init(red: vector.x, green: vector.y, blue: vector.z) }

  /// The three factors, with at least four significant digits.
  public var description: String { LinearRGB(vector).description }
}

extension Gains: Codable {
  /// Decodes gains; green is 1 if it is missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      red: values.decode(Double.self, forKey: .red),
      green: values.decodeIfPresent(Double.self, forKey: .green) ?? 1,
      blue: values.decode(Double.self, forKey: .blue))
  }
}
