internal import ColorScience

/// The color of a part of a simulated room: gray with a share of a surface, in a shade.
struct RoomPaint {
  /// The reflectance of the gray.
  static let gray = 0.35

  private let surface: Int
  private let share, shade: Double

  /// Draws a paint from as many surfaces; two of five parts are those of the wall.
  init(_ random: inout SplitMix64, wall: Int, surfaces: Int, colorfulness: Double) {
    surface = random.uniform() < 0.4 ? wall : Int(random.uniform() * Double(surfaces))
    share = colorfulness * random.uniform()
    shade = power(2, -1.5 + 2 * random.uniform())
  }

  /// Returns the response to it, from those to the surfaces and to the gray.
  func color(surfaces: [SIMD3<Double>], gray: SIMD3<Double>) -> SIMD3<Double> {
    shade * ((1 - share) * gray + share * surfaces[surface])
  }
}
