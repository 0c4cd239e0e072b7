public import ColorScience

/// Linear factors that turn a camera's response to a neutral surface into equal channels.
///
/// Only their ratios carry color: gains that differ by a common factor have the same chromaticity.
/// Nothing here clamps.
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

  /// Gains from their factors.
  public init(red: Double, green: Double = 1, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The gains that make a response (red, green, blue) neutral, the smallest of them 1; `nil`
  /// unless all three channels are positive and finite.
  public init?(neutralizing response: LinearRGB) {
    let gains = Gains(1 / response.vector)
    guard gains.arePositiveAndFinite else { return nil }
    self = gains.normalized()
  }

  /// The same chromaticity with the smallest gain 1: idempotent, and exact for that gain. Gains
  /// that are not positive and finite are returned as they are.
  public func normalized() -> Gains { arePositiveAndFinite ? Gains(vector / vector.min()) : self }

  /// The same chromaticity with the largest gain 1, under which no sample clips that was not
  /// clipped: idempotent, and exact for that gain. Gains that are not positive and finite are
  /// returned as they are.
  public func attenuated() -> Gains { arePositiveAndFinite ? Gains(vector / vector.max()) : self }

  /// The red and blue factors of the same chromaticity with green 1, as red and blue balance
  /// controls take them.
  public var relativeToGreen: (red: Double, blue: Double) { (red / green, blue / green) }

  /// Whether every factor is positive and finite, so that applying the gains loses nothing.
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

  /// Gains from red, green, blue.
  public init(_ vector: SIMD3<Double>) { self.init(red: vector.x, green: vector.y, blue: vector.z) }

  /// The three factors, with at least four significant digits.
  public var description: String { LinearRGB(vector).description }
}

extension Gains: Codable {
  /// Decodes gains; green is 1 where it is left out.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      red: values.decode(Double.self, forKey: .red),
      green: values.decodeIfPresent(Double.self, forKey: .green) ?? 1,
      blue: values.decode(Double.self, forKey: .blue))
  }
}
