import ColorScience
public import WhiteBalance

/// A surface that fills the picture of a lens with known shading.
public struct SimulatedFlat {
  /// The share of light that the lens loses in the corners.
  public var shading = 0.3
  /// The share of red that the lens loses in addition.
  public var red = 0.05
  /// The share of blue that the lens loses in addition.
  public var blue = -0.05
  /// The middle of the shading, relative to half of the picture's sides.
  public var middle = SIMD2(0.0, 0.0)
  /// The exponent of the falloff: 2 is gradual, 4 begins far from the middle.
  public var order = 2
  /// The change of the logarithm of the light on the surface per half of the picture's width.
  public var slope = SIMD2(0.0, 0.0)
  /// The change per square of this length, and per product of its two directions.
  public var bend = SIMD2(0.0, 0.0)
  /// The quarter turns of the surface with its light.
  public var turns = 0
  /// Spots of dust: their middles and radii in pixels, and the share of light that they take.
  public var dust: [(x: Double, y: Double, radius: Double, depth: Double)] = []
  /// A rectangle with another brightness.
  public var object: (place: PixelRectangle, light: Double)?
  /// The linear value of the middle.
  public var light = SIMD3(0.35, 0.5, 0.3)
  /// The number of electrons of white.
  public var electrons = 20_000.0
  /// The seed of the noise.
  public var seed: UInt64 = 1

  /// Creates the lens of the default values.
  public init() {}

  /// Creates a lens that a seed determines, within the limits that tests state.
  public static func random(seed: UInt64) -> SimulatedFlat {
    var random = SeededRandom(seed: seed)
    var flat = SimulatedFlat()
    flat.seed = seed
    flat.shading = 0.05 + 0.35 * random.uniform()
    let color = 0.02 + 0.13 * random.uniform()
    flat.red = color * (2 * random.uniform() - 1)
    flat.blue = (random.uniform() < 0.5 ? 1 : -1) * color
    flat.middle = SIMD2(0.06 * random.normal(), 0.06 * random.normal())
    flat.order = random.uniform() < 0.5 ? 2 : 4
    return flat
  }

  /// The share of light that reaches a position, −1…1 from edge to edge.
  public func transmission(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let (u, v) = (x - middle.x, (y - middle.y) * 0.75)
    let square = (u * u + v * v) / 1.5625
    let loss = order == 2 ? square : 0.4 * square + 0.6 * square * square
    let all = 1 - shading * loss
    // The filters' color changes with the angle, and across the sensor.
    let change = square + 0.3 * x
    return all * SIMD3(1 - red * change, 1, 1 - blue * change)
  }

  /// The gains that are right at a position.
  public func gains(_ x: Double, _ y: Double) -> SIMD3<Double> {
    transmission(0, 0) / transmission(x, y)
  }

  private func surface(_ x: Double, _ y: Double) -> Double {
    var (u, v) = (x, y * 0.75)
    for _ in 0..<turns { (u, v) = (v, -u) }
    return exponential(slope.x * u + slope.y * v + bend.x * u * u + bend.y * u * v)
  }

  /// Renders the picture.
  public func frame(_ layout: FrameLayout, shot: UInt64 = 0) throws -> Frame {
    var rendered = RenderedFrame(layout, seed: seed &* 1000 &+ shot)
    let (width, height) = (Double(layout.width), Double(layout.height))
    rendered.render { column, row, random in
      let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
      let (u, v) = (2 * x / width - 1, 2 * y / height - 1)
      var value = light * transmission(u, v) * surface(u, v)
      for spot in dust {
        let distance = ((x - spot.x) * (x - spot.x) + (y - spot.y) * (y - spot.y)).squareRoot()
        let share = min(max(1.25 - distance / spot.radius, 0) * 2, 1)
        value *= 1 - spot.depth * share
      }
      if let (place, light) = object, place.x..<place.x + place.width ~= column,
        place.y..<place.y + place.height ~= row
      {
        value *= light
      }
      let noise = SIMD3(random.normal(), random.normal(), random.normal())
      return value + noise * (value / electrons).squareRoot()
    }
    return try rendered.frame
  }

  /// Renders and measures the picture.
  public func shot(
    _ layout: FrameLayout, number: UInt64 = 0, quarterTurns: Int? = nil
  ) throws -> FlatShot {
    let frame = try frame(layout, shot: number)
    return try FlatShot(frame.bytes.span, layout: frame.layout, quarterTurns: quarterTurns)
  }
}
