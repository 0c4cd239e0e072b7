/// Linear red, green and blue: a camera's response, or a color in an RGB color space before
/// encoding.
///
/// It is stored as three numbers and not as a vector: in Swift 6.3 vectors with an alignment of 32
/// bytes that are kept across a suspension of an asynchronous function overrun its frame.
public struct LinearRGB: Hashable, Sendable, CustomStringConvertible {
  /// The long-wave channel.
  public var red: Double
  /// The middle-wave channel.
  public var green: Double
  /// The short-wave channel.
  public var blue: Double

  /// A color from its channels.
  public init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A color from a column vector.
  public init(_ vector: SIMD3<Double>) { self.init(red: vector.x, green: vector.y, blue: vector.z) }

  /// The channels as a column vector.
  public var vector: SIMD3<Double> { SIMD3(red, green, blue) }

  /// `true` if every channel is positive and finite.
  public var isPositive: Bool {
    vector.min() > 0 && red.isFinite && green.isFinite && blue.isFinite
  }

  /// The channels with at least four significant digits.
  public var description: String {
    "red \(shortNumber(red)), green \(shortNumber(green)), blue \(shortNumber(blue))"
  }
}

#if !hasFeature(Embedded)
extension LinearRGB: Codable {
  /// Decodes three numbers: red, green, blue.
  public init(from decoder: any Decoder) throws {
    let numbers = try decoder.numbers(3)
    self.init(red: numbers[0], green: numbers[1], blue: numbers[2])
  }

  /// Encodes three numbers: red, green, blue.
  public func encode(to encoder: any Encoder) throws { try [red, green, blue].encode(to: encoder) }
}
#endif
