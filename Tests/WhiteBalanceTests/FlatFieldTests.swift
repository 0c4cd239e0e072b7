import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Flat fields of simulated lenses, whose shading is known.
struct FlatFieldTests {
  private static let corners = [SIMD2(-1.0, -1.0), SIMD2(1, -1), SIMD2(-1, 1), SIMD2(1, 1)]

  private static func raw(_ width: Int = 256, _ height: Int = 192) throws -> FrameLayout {
    try FrameLayout(width: width, height: height, format: .bayer(.rggb, bits: 12), blackLevel: 64)
  }

  /// Returns the largest relative error of the gains in the corners.
  private static func cornerError(_ field: FlatField, _ flat: SimulatedFlat) -> Double {
    corners.map { corner in
      let gains = field.gains.gains(x: (corner.x + 1) / 2, y: (corner.y + 1) / 2).vector
      let errors = gains / flat.gains(corner.x, corner.y) - 1
      return max(errors.max(), -errors.min())
    }.max() ?? 0
  }

  /// The difference of a gray surface's corners from its middle, of which the worst counts, as it
  /// appears with the gains of its middle.
  private static func cornerDifference(_ flat: SimulatedFlat, _ gains: GainMesh?) -> Double {
    func color(_ light: SIMD3<Double>) -> LabColor { LabColor(LinearRGB(0.4 * light), in: .sRGB) }
    let middle = color(SIMD3(1, 1, 1))
    return corners.map { corner in
      let own = gains?.gains(x: (corner.x + 1) / 2, y: (corner.y + 1) / 2).vector
      let light = (own ?? SIMD3(1, 1, 1)) / flat.gains(corner.x, corner.y)
      return color(light).ciede2000(to: middle)
    }.max() ?? 0
  }

  /// Lenses that lose 5…40 % of the light and 2…15 % of a color in their corners, with noise and
  /// dust.
  @Test(arguments: 300..<316 as Range<UInt64>) func corners(seed: UInt64) throws {
    var flat = SimulatedFlat.random(seed: seed)
    var random = SeededRandom(seed: seed + 9000)
    flat.dust = (0..<4).map { _ in
      (
        800 * (0.1 + 0.8 * random.uniform()), 600 * (0.1 + 0.8 * random.uniform()),
        4 + 6 * random.uniform(), 0.05 + 0.2 * random.uniform()
      )
    }
    let layout = try Self.raw(800, 600)
    let field = try FlatField(fitting: [try flat.shot(layout), try flat.shot(layout, number: 1)])
    #expect(Self.cornerError(field, flat) <= 0.005)
    #expect(Self.cornerDifference(flat, field.gains) <= 0.4)
    #expect(Self.cornerDifference(flat, nil) > 1)
    #expect(field.gains.gains(x: 0.5, y: 0.5) == Gains(red: 1, blue: 1))
  }

  /// The truth is within the stated errors as often as stated, over the whole picture and in its
  /// corners. Cells of the second size differ by one sample.
  @Test(arguments: [(256, 192), (300, 220)]) func coverage(width: Int, height: Int) throws {
    var (inside, total) = (0, 0)
    var (cornersInside, corners) = (0, 0)
    for seed in 500..<600 as Range<UInt64> {
      let flat = SimulatedFlat.random(seed: seed)
      let field = try FlatField(fitting: [try flat.shot(try Self.raw(width, height))])
      for row in stride(from: 0, through: 24, by: 4) {
        for column in stride(from: 0, through: 32, by: 4) where (row, column) != (12, 16) {
          let (x, y) = (Double(column) / 32, Double(row) / 24)
          let errors =
            field.gains.gains(x: x, y: y).vector / flat.gains(2 * x - 1, 2 * y - 1) - 1
          let stated = field.standardErrors.gains(x: x, y: y).vector
          let isCorner = [0, 24].contains(row) && [0, 32].contains(column)
          for channel in 0..<3 {
            let isInside = abs(errors[channel]) <= 1.96 * stated[channel]
            total += 1
            inside += isInside ? 1 : 0
            corners += isCorner ? 1 : 0
            cornersInside += isCorner && isInside ? 1 : 0
          }
        }
      }
    }
    let (all, outer) = (Double(inside) / Double(total), Double(cornersInside) / Double(corners))
    #expect((0.92...0.97).contains(all), "\(all), in corners \(outer)")
    #expect((0.90...0.98).contains(outer))
  }

  /// Dust is found where it is, and does not bend the gains.
  @Test func dust() throws {
    var flat = SimulatedFlat.random(seed: 41)
    let layout = try Self.raw(512, 384)
    let clean = try FlatField(fitting: [try flat.shot(layout)])
    #expect(clean.dust.isEmpty)
    let places = [(100.0, 90.0), (300.0, 310.0), (430.0, 60.0)]
    flat.dust = places.map { ($0.0, $0.1, 10, 0.15) }
    let field = try FlatField(fitting: [try flat.shot(layout)])
    #expect(field.dust.count == 3)
    for (x, y) in places {
      let spot = try #require(
        field.dust.min {
          abs($0.x - x / 512) + abs($0.y - y / 384) < abs($1.x - x / 512) + abs($1.y - y / 384)
        })
      #expect(abs(512 * spot.x - x) < 8 && abs(384 * spot.y - y) < 8)
      #expect((0.07...0.17).contains(spot.depth))
      let bent =
        field.gains.gains(x: x / 512, y: y / 384).vector
        / clean.gains.gains(x: x / 512, y: y / 384).vector - 1
      #expect(max(bent.max(), -bent.min()) < 0.002)
    }
  }

  /// The unevenness of a surface that is turned with its light is not mistaken for shading.
  @Test(arguments: [[0, 2], [0, 1], [0, 1, 2, 3]], 702..<705 as Range<UInt64>)
  func turnedSurface(turns: [Int], seed: UInt64) throws {
    var flat = SimulatedFlat.random(seed: seed)
    var random = SeededRandom(seed: seed)
    flat.slope = SIMD2(0.05 * random.normal(), 0.05 * random.normal())
    let layout = try Self.raw(640, 480)
    func field(_ turns: [Int]) throws -> FlatField {
      try FlatField(
        fitting: turns.enumerated().map { number, turn in
          flat.turns = turn
          return try flat.shot(layout, number: UInt64(number), quarterTurns: turn)
        })
    }
    let turned = try field(turns)
    #expect(turned.light.evidence == .turned)
    #expect(Self.cornerError(turned, flat) < 0.006)
    let unevenness = try #require(turned.light.unevenness)
    let truth = exponential(2 * abs(flat.slope.x) + 1.5 * abs(flat.slope.y)) - 1
    #expect(abs(unevenness - truth) < 0.1 * truth + 0.01)
    let single = try field([0])
    #expect(single.light == FlatField.Light(evidence: .onePicture))
    if truth > 0.05 { #expect(Self.cornerError(single, flat) > 0.01) }
  }

  /// Where the surface was moved in an unknown way, the scatter of the pictures is in the stated
  /// errors.
  @Test func movedSurface() throws {
    var (inside, total) = (0, 0)
    for seed in 800..<860 as Range<UInt64> {
      var flat = SimulatedFlat.random(seed: seed)
      var random = SeededRandom(seed: seed)
      let shots = try (0..<4 as Range<UInt64>).map { number in
        flat.slope = SIMD2(0.03 * random.normal(), 0.03 * random.normal())
        flat.bend = SIMD2(0.01 * random.normal(), 0.01 * random.normal())
        return try flat.shot(try Self.raw(), number: number)
      }
      let field = try FlatField(fitting: shots)
      #expect(field.light.evidence == .moved)
      for corner in Self.corners {
        let (x, y) = ((corner.x + 1) / 2, (corner.y + 1) / 2)
        let error = field.gains.gains(x: x, y: y).green / flat.gains(corner.x, corner.y).y - 1
        total += 1
        if abs(error) <= 1.96 * field.standardErrors.gains(x: x, y: y).green { inside += 1 }
      }
    }
    #expect((0.90...0.99).contains(Double(inside) / Double(total)))
  }

  @Test func refusals() throws {
    let layout = try Self.raw()
    func error(_ change: (inout SimulatedFlat) -> Void) throws -> FlatFieldError? {
      var flat = SimulatedFlat.random(seed: 3)
      change(&flat)
      do {
        _ = try FlatField(fitting: [try flat.shot(layout)])
        return nil
      } catch { return error as? FlatFieldError }
    }
    #expect(try error { _ in } == nil)
    // An object, the edge of the surface, also in the middle of a row of cells, and a faint object.
    for (place, light) in [
      (PixelRectangle(x: 60, y: 50, width: 60, height: 40), 0.7),
      (PixelRectangle(x: 0, y: 0, width: 256, height: 30), 0.5),
      (PixelRectangle(x: 0, y: 0, width: 256, height: 30), 0.8),
      (PixelRectangle(x: 150, y: 60, width: 80, height: 80), 1.08),
    ] {
      guard case .structure(_, let found) = try error({ $0.object = (place, light) }) else {
        Issue.record("an object of \(light) at \(place) was accepted")
        continue
      }
      #expect(found.x < place.x + place.width && place.x < found.x + found.width)
      #expect(found.y < place.y + place.height && place.y < found.y + found.height)
    }
    let over = try error { $0.light = SIMD3(0.5, 1.05, 0.6) }
    guard case .clipped(.green, _, let bright) = over else {
      Issue.record("a clipped field was accepted")
      return
    }
    #expect(bright.x < 128 && bright.x + bright.width > 128)
    guard case .dark = try error({ $0.light = SIMD3(0.004, 0.007, 0.003) }) else {
      Issue.record("a dark field was accepted")
      return
    }
    let lit = try error {
      $0.middle = .zero
      $0.slope = SIMD2(0.2, 0)
    }
    guard case .gradient(let change, .right, false) = lit else {
      Issue.record("a field lit from one side was accepted: \(String(describing: lit))")
      return
    }
    #expect((0.4...0.6).contains(change))
  }

  /// Pictures that do not belong together.
  @Test func contradictions() throws {
    var flat = SimulatedFlat.random(seed: 5)
    let layout = try Self.raw()
    let first = try flat.shot(layout, quarterTurns: 0)
    #expect(
      throws: FlatFieldError.sizes(width: 256, height: 192, otherWidth: 320, otherHeight: 240)
    ) {
      _ = try FlatField(fitting: [first, try flat.shot(try Self.raw(320, 240), quarterTurns: 2)])
    }
    #expect(throws: FlatFieldError.turnsMissing) {
      _ = try FlatField(fitting: [first, try flat.shot(layout)])
    }
    // The light became another one instead of turning.
    flat.bend = SIMD2(0.08, 0)
    #expect {
      _ = try FlatField(fitting: [first, try flat.shot(layout, quarterTurns: 2)])
    } throws: {
      if case FlatFieldError.notTurned = $0 { true } else { false }
    }
    #expect(throws: FlatFieldError.frame(.colorless)) {
      let gray = try FrameLayout(width: 200, height: 200, format: .gray(bits: 8))
      _ = try flat.shot(gray)
    }
    #expect(throws: FlatFieldError.tooSmall(width: 64, height: 64)) {
      _ = try flat.shot(try Self.raw(64, 64))
    }
  }

  /// Fields of pictures with a tone curve.
  @Test func encodedPicture() throws {
    let flat = SimulatedFlat.random(seed: 11)
    let layout = try FrameLayout(width: 320, height: 240, format: .bgra8, transfer: .sRGB)
    let field = try FlatField(fitting: [try flat.shot(layout)])
    #expect(Self.cornerError(field, flat) <= 0.005)
  }
}
