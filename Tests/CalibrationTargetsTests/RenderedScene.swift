import ColorScience
import WhiteBalance
import WhiteBalanceTestSupport

/// A picture of a gray card among other objects, generated from a seed, with the position of the
/// card.
struct RenderedScene {
  static let width = 384
  static let height = 256

  let frame: Frame
  /// The card's corners, in order, in pixels.
  let corners: [SIMD2<Double>]

  /// - Parameter hasCard: `true` if the scene has a card.
  init(seed: UInt64, hasCard: Bool = true) {
    var random = SeededRandom(seed: seed)
    let light = Self.light(&random)
    let background = Background(&random)
    let distractors = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Distractor(&random)
    }
    let corners = Self.corners(&random)
    let card = SIMD3<Double>(repeating: [0.18, 0.18, 0.5].randomElement(using: &random)!)
    let dust = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      (
        SIMD2(
          Double.random(in: 0..<Double(Self.width), using: &random),
          .random(in: 0..<Double(Self.height), using: &random)),
        Double.random(in: 0.5...2.5, using: &random)
      )
    }
    let shading = Shading(&random)
    // The card's green lies between a tenth and a half of white.
    let exposure = Double.random(in: 0.1...0.5, using: &random) / card.y
    let noise = Double.random(in: 0.00002...0.0004, using: &random)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * Self.width * Self.height)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let place = SIMD2(Double(x), Double(y))
        var surface = background.reflectance(at: place)
        for distractor in distractors where distractor.contains(place) {
          surface = distractor.reflectance
        }
        if hasCard, Self.contains(place, corners) {
          surface = card
          if dust.contains(where: { speck, radius in
            let offset = speck - place
            return (offset * offset).sum() < radius * radius
          }) {
            surface *= 0.3
          }
        }
        let channel = (x & 1) + (y & 1)  // of RGGB
        var value = surface[channel] * light[channel] * exposure * shading.factor(at: place)
        value += random.roughlyNormal() * (noise * value + 1e-6).squareRoot()
        let code = UInt16(max(0, min(1023, (64 + 959 * value).rounded())))
        bytes.append(UInt8(code & 255))
        bytes.append(UInt8(code >> 8))
      }
    }
    let layout = try! FrameLayout(
      width: Self.width, height: Self.height, format: .bayer(.rggb, bits: 10), blackLevel: 64)
    frame = try! Frame(layout: layout, bytes: bytes)
    self.corners = corners
  }

  /// Returns the fraction of a rectangle that lies in the card, and the fraction of the card that
  /// it covers.
  func overlap(with region: PixelRectangle) -> (inside: Double, covered: Double) {
    var both = 0
    for y in region.y..<region.y + region.height {
      for x in region.x..<region.x + region.width
      where Self.contains(SIMD2(Double(x), Double(y)), corners) {
        both += 1
      }
    }
    let area = Double(region.width * region.height)
    return (Double(both) / area, Double(both) / Self.area(corners))
  }

  /// Returns the average camera's response to an illuminant of 2500…8000 K, with random gains that
  /// vary as those of cameras do.
  private static func light(_ random: inout SeededRandom) -> SIMD3<Double> {
    let mired = Double.random(in: 125...400, using: &random)
    let duv = Double.random(in: -0.01...0.01, using: &random)
    let light = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv))
    let response = CameraPrior.publicCameras.average.response(to: light, lightClass: nil)!
    return SIMD3(
      response.red / response.green * exponential(0.08 * random.roughlyNormal()), 1,
      response.blue / response.green * exponential(0.08 * random.roughlyNormal()))
  }

  /// Returns a rectangle of 10…60 % of the frame, rotated by up to 15° and seen at a slant,
  /// entirely in the frame.
  private static func corners(_ random: inout SeededRandom) -> [SIMD2<Double>] {
    while true {
      let area = Double.random(in: 0.1...0.6, using: &random) * Double(width * height)
      let aspect = Double.random(in: 1...1.6, using: &random)
      let half = SIMD2((area * aspect).squareRoot() / 2, (area / aspect).squareRoot() / 2)
      let angle = Double.random(in: -15...15, using: &random) * .pi / 180
      let slant = SIMD2(
        Double.random(in: -0.15...0.15, using: &random),
        Double.random(in: -0.15...0.15, using: &random))
      let center = SIMD2(
        Double.random(in: 0..<Double(width), using: &random),
        Double.random(in: 0..<Double(height), using: &random))
      let corners = [SIMD2(-1.0, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].map { corner in
        let flat = corner * half / (1 + (corner * slant).sum())
        return center
          + SIMD2(
            flat.x * cosine(angle) - flat.y * sine(angle),
            flat.x * sine(angle) + flat.y * cosine(angle))
      }
      let share = Self.area(corners) / Double(width * height)
      if (0.1...0.6).contains(share), corners.allSatisfy(isInside) { return corners }
    }
  }

  private static func isInside(_ place: SIMD2<Double>) -> Bool {
    place.x >= 2 && place.y >= 2 && place.x < Double(width - 2) && place.y < Double(height - 2)
  }

  private static func contains(_ place: SIMD2<Double>, _ corners: [SIMD2<Double>]) -> Bool {
    corners.indices.allSatisfy { index in
      let start = corners[index]
      let edge = corners[(index + 1) % 4] - start
      let offset = place - start
      return edge.x * offset.y - edge.y * offset.x >= 0
    }
  }

  private static func area(_ corners: [SIMD2<Double>]) -> Double {
    corners.indices.reduce(0) { sum, index in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      return sum + (a.x * b.y - b.x * a.y) / 2
    }
  }
}

/// The background of the card: colored, with a texture that is coarse or fine, strong or weak.
private struct Background {
  let colors: [SIMD3<Double>]
  let waves: [(direction: SIMD2<Double>, phase: Double)]
  let strength: Double
  let patch: Double

  init(_ random: inout SeededRandom) {
    let base = Background.color(&random)
    let isPatchwork = Bool.random(using: &random)
    colors = (0..<16).map { _ in isPatchwork ? Background.color(&random) : base }
    patch = .random(in: 20...120, using: &random)
    strength = .random(in: 0.1...0.5, using: &random)
    waves = (0..<6).map { _ in
      let length = Double.random(in: 0.02...0.8, using: &random)
      let angle = Double.random(in: 0...(2 * .pi), using: &random)
      return (
        length * SIMD2(cosine(angle), sine(angle)), .random(in: 0...(2 * .pi), using: &random)
      )
    }
  }

  func reflectance(at place: SIMD2<Double>) -> SIMD3<Double> {
    let texture = waves.reduce(0) { sum, wave in
      sum + sine((wave.direction * place).sum() + wave.phase)
    }
    let (column, row) = (Int(place.x / patch), Int(place.y / patch))
    let color = colors[(column * 7 + row * 5) % 16]
    return color * exponential(strength * texture / 2)
  }

  /// Returns a reflectance with at least a third of full saturation.
  static func color(_ random: inout SeededRandom) -> SIMD3<Double> {
    let low = Double.random(in: 0.03...0.2, using: &random)
    let high = low * .random(in: 1.6...5, using: &random)
    let middle = Double.random(in: low...high, using: &random)
    return SIMD3([low, middle, high].shuffled(using: &random))
  }
}

/// A surface that is not a card: a colored wall, clipped paper, or a black object.
private struct Distractor {
  let reflectance: SIMD3<Double>
  let low, high: SIMD2<Double>

  init(_ random: inout SeededRandom) {
    reflectance =
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        // Greens, magentas and violets, which a gray card has under no common illuminant.
        SIMD3(
          [SIMD3(0.08, 0.35, 0.08), SIMD3(0.5, 0.1, 0.4), SIMD3(0.1, 0.05, 0.3)]
            .randomElement(using: &random)!)
      case 1: SIMD3(repeating: 12)
      default: SIMD3(repeating: 0.01)
      }
    let size = SIMD2(
      Double.random(in: 40...250, using: &random), .random(in: 40...200, using: &random))
    low = SIMD2(
      Double.random(in: -40...Double(RenderedScene.width - 40), using: &random),
      .random(in: -40...Double(RenderedScene.height - 40), using: &random))
    high = low + size
  }

  func contains(_ place: SIMD2<Double>) -> Bool {
    place.x >= low.x && place.y >= low.y && place.x < high.x && place.y < high.y
  }
}

/// A gradient of the illumination towards one side, and the soft shadow of an object, or none.
private struct Shading {
  let slope: SIMD2<Double>
  let edge: SIMD2<Double>
  let depth, position, softness: Double

  init(_ random: inout SeededRandom) {
    slope = SIMD2(
      Double.random(in: -0.3...0.3, using: &random), .random(in: -0.3...0.3, using: &random))
    let angle = Double.random(in: 0...(2 * .pi), using: &random)
    edge = SIMD2(cosine(angle), sine(angle))
    depth = Int.random(in: 0..<3, using: &random) == 0 ? .random(in: 0.15...0.5, using: &random) : 0
    position = .random(in: -60...60, using: &random)
    softness = .random(in: 2...30, using: &random)
  }

  func factor(at place: SIMD2<Double>) -> Double {
    let size = SIMD2(Double(RenderedScene.width), Double(RenderedScene.height))
    let offset = place - size / 2
    let across = ((offset * edge).sum() - position) / softness
    return (1 + (offset / size * slope).sum()) * (1 - depth * max(0, min(1, across + 0.5)))
  }
}

extension SeededRandom {
  /// Returns the sum of four uniform numbers, approximately normal.
  fileprivate mutating func roughlyNormal() -> Double {
    let bits = next()
    var sum = 0.0
    for part in 0..<4 { sum += Double(bits >> UInt64(16 * part) & 0xFFFF) / 65536 }
    return (sum - 2) * 3.0.squareRoot()
  }
}
