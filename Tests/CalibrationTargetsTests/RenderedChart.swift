import ColorScience
import SimulatedScenes
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

/// A picture of a ColorChecker Classic among other objects, or of other objects alone, generated
/// from a seed, with the positions of the patches.
struct RenderedChart {
  let frame: Frame
  /// The corners of the true patches, in pixels; empty without a chart.
  let patches: [[SIMD2<Double>]]
  /// The mean linear light of each patch, without shading, noise and clipping.
  let light: [SIMD3<Double>]
  /// The width of the chart, as a fraction of the frame's width.
  let share: Double

  /// - Parameter width: the width of the frame; by default the smallest at which the chart is 54
  ///   pixels wide.
  init(seed: UInt64, hasChart: Bool = true, share fixedShare: Double? = nil, width: Int? = nil) {
    var random = SeededRandom(seed: seed)
    let share = fixedShare ?? exponential(random.between(logarithm(0.03), 0))
    let width = width ?? max(480, min(1800, Int(54 / share)) / 4 * 4)
    let height = width * 3 / 4
    let camera = MeasuredSensor.all.randomElement(using: &random)!
    let lamp = Self.lamps.randomElement(using: &random)!
    let kind = Kind.allCases.randomElement(using: &random)!
    // Two pixels of a color filter array are one sample.
    let isBayer = kind == .bayer && share * Double(width) > 110
    let surfaces = Surfaces(camera: camera, lamp: lamp.spectrum, isBalanced: kind == .balanced)

    var objects = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      Object.clutter(width: width, height: height, &random)
    }
    var chart: Object?
    if hasChart {
      let found = Object.chart(share: share, width: width, height: height, &random)
      if found.hasSecondPage { objects += found.secondPage }
      objects.append(found.chart)
      chart = found.chart
    }
    let background = Texture(&random)
    let shading = ChartShading(width: width, height: height, around: chart?.center, &random)
    let pitch = chart?.pitch ?? random.between(8, 60)
    let blur = random.between(0.4, min(2.5, max(0.5, 0.1 * pitch)))
    let exposure = random.between(0.25, 0.95)

    var image = [SIMD3<Float>](repeating: .zero, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        var sum = SIMD3<Double>.zero
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25)] {
          let place = SIMD2(Double(x) + dx, Double(y) + dy)
          var color = background.surface(at: place)
          for object in objects { if let found = object.surface(at: place) { color = found } }
          sum += surfaces.light(of: color)
        }
        let place = SIMD2(Double(x), Double(y))
        let light = sum / 4 * exposure * shading.factor(at: place)
        image[y * width + x] = SIMD3<Float>(light)
      }
    }
    Self.blur(&image, width: width, deviation: blur)
    let layout =
      isBayer
      ? try! FrameLayout(
        width: width, height: height, format: .bayer(.grbg, bits: 12), blackLevel: 64)
      : kind == .balanced
        ? try! FrameLayout(width: width, height: height, format: .rgb8, transfer: .sRGB)
        : try! FrameLayout(width: width, height: height, format: .rgb16)
    let noise = power(10, random.between(-5.5, -3.3))
    var rendered = RenderedFrame(layout, seed: seed)
    rendered.render { x, y, random in
      let light = SIMD3<Double>(image[y * width + x])
      let scatter = SIMD3(random.normal(), random.normal(), random.normal())
      let deviation = (noise * light + SIMD3(repeating: 1e-6)).squareRoot()
      return (light + scatter * deviation).clamped(lowerBound: .zero, upperBound: .one)
    }
    frame = try! rendered.frame
    self.share = share
    patches = chart.map { chart in (0..<24).map { chart.patchCorners($0) } } ?? []
    light = (0..<24).map { surfaces.light(of: .patch($0)) * exposure }
  }

  private enum Kind: CaseIterable { case balanced, bayer, linear }

  /// Common lamps: no sodium, none of three narrow bands, and none that exposes prints.
  private static let lamps = MeasuredLamp.all.filter {
    switch $0.technology {
    case .discharge, .mixedLED, nil: false
    default: !$0.name.hasSuffix("Printer")
    }
  }

  /// A Gaussian blur of few taps, which is clearer than three box filters.
  private static func blur(_ image: inout [SIMD3<Float>], width: Int, deviation: Double) {
    let reach = max(1, Int(2.5 * deviation))
    let weights = (-reach...reach).map {
      Float(exponential(-Double($0 * $0) / (2 * deviation * deviation)))
    }
    let height = image.count / width
    let total = weights.reduce(0, +)
    for (columns, step, lines) in [(width, 1, height), (height, width, width)] {
      var line = [SIMD3<Float>](repeating: .zero, count: columns)
      for index in 0..<lines {
        let start = step == 1 ? index * width : index
        for place in 0..<columns {
          var sum = SIMD3<Float>.zero
          for offset in -reach...reach {
            let other = max(0, min(columns - 1, place + offset))
            sum += image[start + other * step] * weights[offset + reach]
          }
          line[place] = sum / total
        }
        for place in 0..<columns { image[start + place * step] = line[place] }
      }
    }
  }
}

/// The surface at a point.
private enum Surface {
  /// A patch of the chart.
  case patch(Int)
  /// A mixture of two patches' reflectances, brighter or darker.
  case mixture(Int, Int, share: Double, scale: Double)
}

extension Surface {
  static func gray(_ reflectance: Double) -> Surface {
    .mixture(20, 20, share: 0, scale: reflectance / 0.36)
  }

  static func random(_ random: inout SeededRandom) -> Surface {
    .mixture(
      .random(in: 0..<24, using: &random), .random(in: 0..<24, using: &random),
      share: random.uniform(), scale: exponential(random.between(-1.5, 0.5)))
  }
}

/// A camera's colors of surfaces under a lamp: neutral white is 1 in the brightest channel.
private struct Surfaces {
  private let patches: [SIMD3<Double>]

  init(camera: MeasuredSensor, lamp: SpectralDistribution, isBalanced: Bool) {
    let colors = ColorChart.classicFrom2014.patches.map { patch in
      camera.response(to: lamp) { patch.reflectance[$0] }.vector
    }
    let white = camera.response(to: lamp).vector
    patches = colors.map { isBalanced ? $0 / white : $0 / white.max() }
  }

  func light(of surface: Surface) -> SIMD3<Double> {
    switch surface {
    case .patch(let patch): patches[patch]
    case .mixture(let a, let b, let share, let scale):
      (patches[a] * (1 - share) + patches[b] * share) * scale
    }
  }
}

/// A flat object seen in perspective.
private struct Object {
  /// The map from the object's plane, one unit a cell, to pixels.
  let toPixels: Homography
  let fromPixels: Homography
  /// The size of the object, in cells.
  let size: SIMD2<Double>
  /// Cells across and down, each with its surface, or `nil` for the body of the object.
  let columns, rows: Int
  let cells: [Surface?]
  let body: Surface
  /// The margin around the cells, and the part of a cell on each side that shows the body.
  let margin, gap: Double

  var center: SIMD2<Double> { toPixels.apply(size / 2) }
  var pitch: Double {
    let a = toPixels.apply(size / 2 - SIMD2(0.5, 0))
    let b = toPixels.apply(size / 2 + SIMD2(0.5, 0))
    return ((a - b) * (a - b)).sum().squareRoot()
  }

  func surface(at place: SIMD2<Double>) -> Surface? {
    let point = fromPixels.apply(place)
    guard point.x >= 0, point.y >= 0, point.x < size.x, point.y < size.y else { return nil }
    let cell = point - SIMD2(repeating: margin)
    guard cell.x >= 0, cell.y >= 0, cell.x < Double(columns), cell.y < Double(rows) else {
      return body
    }
    let inside = cell - cell.rounded(.down)
    guard inside.min() > gap, inside.max() < 1 - gap else { return body }
    return cells[Int(cell.y) * columns + Int(cell.x)] ?? body
  }

  func patchCorners(_ patch: Int) -> [SIMD2<Double>] {
    let corner = SIMD2(Double(patch % 6), Double(patch / 6)) + SIMD2(repeating: margin)
    return [SIMD2(gap, gap), SIMD2(1 - gap, gap), SIMD2(1 - gap, 1 - gap), SIMD2(gap, 1 - gap)]
      .map { toPixels.apply(corner + $0) }
  }

  /// - Parameter scale: the number of pixels a cell.
  init(
    columns: Int, rows: Int, cells: [Surface?], body: Surface, margin: Double, gap: Double,
    center: SIMD2<Double>, scale: Double, angle: Double, slant: SIMD2<Double>
  ) {
    size = SIMD2(Double(columns), Double(rows)) + SIMD2(repeating: 2 * margin)
    let half = size / 2
    let (c, s) = (cosine(angle), sine(angle))
    // Perspective: the far side is smaller.
    let flat = Matrix3x3(SIMD3(1, 0, -half.x), SIMD3(0, 1, -half.y), SIMD3(0, 0, 1))
    let seen = Matrix3x3(
      SIMD3(c * scale, -s * scale, 0), SIMD3(s * scale, c * scale, 0),
      SIMD3(slant.x / half.x, slant.y / half.y, 1))
    let place = Matrix3x3(SIMD3(1, 0, center.x), SIMD3(0, 1, center.y), SIMD3(0, 0, 1))
    toPixels = Homography(place * seen * flat)
    fromPixels = toPixels.inverse!
    (self.columns, self.rows, self.cells, self.body) = (columns, rows, cells, body)
    (self.margin, self.gap) = (margin, gap)
  }

  /// Returns a chart whose patches all lie in the frame, and the page above it on a Passport.
  static func chart(
    share: Double, width: Int, height: Int, _ random: inout SeededRandom
  ) -> (chart: Object, hasSecondPage: Bool, secondPage: [Object]) {
    let isPassport = Bool.random(using: &random)
    let (margin, gap) = isPassport ? (0.6, 0.065) : (0.35, random.between(0.04, 0.09))
    let body = Surface.gray(random.between(0.03, 0.055))
    let scale = share * Double(width) / (6 + 2 * margin)
    var attempt = 0.0
    while true {
      attempt += 1
      // A chart as wide as the frame fits in upright only.
      let freedom = exponential(-attempt / 300)
      let turn = [0, Double.pi].randomElement(using: &random)!
      let angle = turn + random.between(-.pi, .pi) * freedom
      let slant = SIMD2(random.between(-0.25, 0.25), random.between(-0.25, 0.25)) * freedom
      let center = SIMD2(
        Double(width) * (0.5 + random.between(-0.5, 0.5) * freedom),
        Double(height) * (0.5 + random.between(-0.5, 0.5) * freedom))
      func object(_ columns: Int, _ rows: Int, _ cells: [Surface?], gap: Double) -> Object {
        Object(
          columns: columns, rows: rows, cells: cells, body: body, margin: margin, gap: gap,
          center: center, scale: scale, angle: angle, slant: slant)
      }
      let chart = object(6, 4, (0..<24).map { .patch($0) }, gap: gap)
      let isInside = [0, 5, 18, 23].allSatisfy { patch in
        chart.patchCorners(patch).allSatisfy {
          $0.x > 2 && $0.y > 2 && $0.x < Double(width - 2) && $0.y < Double(height - 2)
        }
      }
      guard isInside || attempt > 5000 else { continue }
      // The other page lies in the same plane, five rows higher.
      let above =
        chart.toPixels.matrix * Matrix3x3(SIMD3(1, 0, 0), SIMD3(0, 1, -5.4), SIMD3(0, 0, 1))
      let page = (0..<32).map { cell -> Surface? in
        if cell < 8 { return .random(&random) }
        return .gray(cell < 24 ? 0.7 : 0.9 * power(0.6, Double(cell - 24)))
      }
      let second = Object(
        copying: object(8, 4, page, gap: 0.1),
        toPixels: Homography(above * Matrix3x3(diagonal: SIMD3(7.2 / 9.2, 1, 1))))
      return (chart, isPassport && Bool.random(using: &random), [second])
    }
  }

  private init(copying other: Object, toPixels: Homography) {
    (size, columns, rows, cells) = (other.size, other.columns, other.rows, other.cells)
    (body, margin, gap) = (other.body, other.margin, other.gap)
    self.toPixels = toPixels
    fromPixels = toPixels.inverse!
  }

  /// Returns an object that is not a chart: a sheet, a keyboard, a window, a checkerboard, book
  /// spines, color samples, or a chart with its patches in another order.
  static func clutter(width: Int, height: Int, _ random: inout SeededRandom) -> Object {
    let center = SIMD2(random.between(0, Double(width)), random.between(0, Double(height)))
    let extent = Double(width) * exponential(random.between(logarithm(0.05), 0))
    let angle = random.between(-.pi, .pi)
    let slant = SIMD2(random.between(-0.25, 0.25), random.between(-0.25, 0.25))
    func object(
      _ columns: Int, _ rows: Int, _ body: Surface, margin: Double, gap: Double,
      _ cell: (Int, Int) -> Surface?
    ) -> Object {
      let cells = (0..<columns * rows).map { cell($0 % columns, $0 / columns) }
      return Object(
        columns: columns, rows: rows, cells: cells, body: body, margin: margin, gap: gap,
        center: center, scale: extent / Double(columns), angle: angle, slant: slant)
    }
    let dark = Surface.gray(random.between(0.02, 0.06))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return object(1, 1, .random(&random), margin: 0, gap: 0) { _, _ in nil }
    case 1:
      let (key, base) = (Surface.gray(0.05), Surface.gray(0.4))
      let isDark = Bool.random(using: &random)
      return object(14, 5, isDark ? base : key, margin: 0.4, gap: 0.08) { _, _ in
        isDark ? key : base
      }
    case 2: return object(3, 4, dark, margin: 0.1, gap: 0.04) { _, _ in .gray(1.5) }
    case 3:
      return object(9, 6, .gray(0.9), margin: 0.5, gap: 0) {
        ($0 + $1) % 2 == 0 ? .gray(0.03) : nil
      }
    case 4:
      let spines = (0..<12).map { _ in Surface.random(&random) }
      return object(12, 1, dark, margin: 0, gap: 0.03) { column, _ in spines[column] }
    case 5:
      let (columns, rows) = (
        Int.random(in: 4...10, using: &random), Int.random(in: 3...8, using: &random)
      )
      let colors = (0..<columns * rows).map { _ in Surface.random(&random) }
      return object(columns, rows, dark, margin: 0.4, gap: 0.06) { colors[$1 * columns + $0] }
    case 6:
      let patches = (0..<24).map { Surface.patch($0) }.shuffled(using: &random)
      return object(6, 4, dark, margin: 0.4, gap: 0.07) { patches[$1 * 6 + $0] }
    default:
      return object(8, 6, .gray(0.2), margin: 0.2, gap: 0.1) { column, row in
        .gray(0.03 + 0.9 * Double((column * 5 + row * 3) % 12) / 12)
      }
    }
  }
}

/// The background: uniform, in patches, or rough.
private struct Texture {
  private let colors: [Surface]
  private let size, strength: Double
  private let waves: [(direction: SIMD2<Double>, phase: Double)]

  init(_ random: inout SeededRandom) {
    let count = [1, 1, 16].randomElement(using: &random)!
    colors = (0..<count).map { _ in .random(&random) }
    size = random.between(10, 200)
    strength = [0, random.between(0.02, 0.3)].randomElement(using: &random)!
    waves = (0..<4).map { _ in
      let (length, angle) = (exponential(random.between(-4, 0)), random.between(0, 2 * .pi))
      return (length * SIMD2(cosine(angle), sine(angle)), random.between(0, 2 * .pi))
    }
  }

  func surface(at place: SIMD2<Double>) -> Surface {
    let index = (Int(place.x / size) * 7 + Int(place.y / size) * 5) % colors.count
    guard strength > 0, case .mixture(let a, let b, let share, var scale) = colors[index] else {
      return colors[index]
    }
    let sum = waves.reduce(0) { $0 + sine(($1.direction * place).sum() + $1.phase) }
    scale *= exponential(strength * sum)
    return .mixture(a, b, share: share, scale: scale)
  }
}

/// A gradient of the illumination, and a shadow that is slightly bluer than the light.
private struct ChartShading {
  private let slope, edge, size: SIMD2<Double>
  private let falloff, depth, position, softness: Double

  init(width: Int, height: Int, around center: SIMD2<Double>?, _ random: inout SeededRandom) {
    size = SIMD2(Double(width), Double(height))
    slope = SIMD2(random.between(-0.4, 0.4), random.between(-0.4, 0.4))
    falloff = random.between(0, 0.6)
    let angle = random.between(0, 2 * .pi)
    edge = SIMD2(cosine(angle), sine(angle))
    depth = Int.random(in: 0..<3, using: &random) == 0 ? random.between(0.3, 0.75) : 0
    let place = (center ?? size / 2) / size
    position = (edge * (place - 0.5)).sum() + random.between(-0.15, 0.15)
    softness = exponential(random.between(logarithm(0.003), logarithm(0.3)))
  }

  func factor(at place: SIMD2<Double>) -> SIMD3<Double> {
    let offset = place / size - 0.5
    let across = ((offset * edge).sum() - position) / softness
    let shadow = depth * max(0, min(1, across + 0.5))
    let light = (1 + (offset * slope).sum()) * (1 - falloff * (offset * offset).sum())
    return light * SIMD3(1 - shadow, 1 - shadow, 1 - 0.85 * shadow)
  }
}

extension SeededRandom {
  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }
}
