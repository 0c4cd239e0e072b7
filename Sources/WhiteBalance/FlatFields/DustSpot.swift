/// A dark spot in a flat field: dust near the sensor.
public struct DustSpot: Hashable, Sendable, Codable {
  /// The middle of the spot: 0 is the left edge of the picture and 1 the right one.
  public var x: Double
  /// The middle of the spot: 0 is the upper edge of the picture and 1 the lower one.
  public var y: Double
  /// The width of the cells that the spot darkens, relative to the picture's width.
  public var width: Double
  /// The share of light that the darkest cell lacks.
  public var depth: Double

  /// Creates a spot from its parts.
  public init(x: Double, y: Double, width: Double, depth: Double) {
    (self.x, self.y, self.width, self.depth) = (x, y, width, depth)
  }
}
