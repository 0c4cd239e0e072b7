/// Relative CIE tristimulus values; Y of a white is 1 unless stated otherwise.
public struct XYZ: Hashable, Sendable, Codable, CustomStringConvertible {
  /// X.
  public var x: Double
  /// Y, the luminance.
  public var y: Double
  /// Z.
  public var z: Double

  /// Tristimulus values as given.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The tristimulus values of a chromaticity at a luminance; not finite for y = 0.
  public init(_ chromaticity: Chromaticity, luminance: Double = 1) {
    let scale = luminance / chromaticity.y
    self.init(
      x: chromaticity.x * scale, y: luminance, z: (1 - chromaticity.x - chromaticity.y) * scale)
  }

  /// The values as a column vector.
  public var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// Tristimulus values from a column vector.
  public init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

  /// Text such as `X 0.9505, Y 1.0000, Z 1.0891`.
  public var description: String {
    "X \(fixed(x, decimals: 4)), Y \(fixed(y, decimals: 4)), Z \(fixed(z, decimals: 4))"
  }
}
