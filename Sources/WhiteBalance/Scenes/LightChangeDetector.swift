package import ColorScience

/// A detector that determines from successive frames whether the color of the light on the scene
/// has changed, without a gray card.
///
/// A change of the light shifts the log-ratios ln(red/green) and ln(blue/green) of nearly all parts
/// of a scene alike. Where something moves, a minority of the parts changes, each in its own way; a
/// change of brightness shifts no ratio. So the detector remembers the ratios of each cell of a
/// grid, and estimates the shift that most of the cells have in common. <doc:LightChanges>
/// describes the method.
///
/// ```swift
/// /// The first change of the light in a sequence, if there is one.
/// func change(in frames: [Frame]) throws -> SceneLightChange? {
///   var detector = LightChangeDetector()
///   for frame in frames {
///     let zones = try FrameStatistics.zones(
///       frame.bytes.span, layout: frame.layout, columns: LightChangeDetector.columns,
///       rows: LightChangeDetector.rows)
///     if let change = detector.add(zones) { return change }
///   }
///   return nil
/// }
/// ```
///
/// Domain: a camera that stands still, with a fixed white balance: start again when it is set. A
/// cell with more than a tenth of clipped pixels, or with a dark mean, does not count; with fewer
/// than 12 cells nothing is detected.
///
/// Error: see <doc:LightChanges>. Complexity: O(1) in the size of the frame.
public struct LightChangeDetector: Sendable {
  /// The number of columns of the grid of cells.
  public static let columns = 12
  /// The number of rows of the grid of cells.
  public static let rows = 8

  /// The primaries of the colors in frames.
  public enum Colors: String, Hashable, Sendable, Codable {
    /// A sensor's own colors.
    case sensor
    /// Those of sRGB or a similar space, after a camera's color matrix.
    case sRGB
  }

  /// The primaries of the colors in frames.
  public let colors: Colors

  /// The least `ciede2000` of a change within a few seconds. It is below 5, because some changes
  /// shift a sensor's colors by half as much as most do.
  public static let limit = 2.4

  private var cells: [Cell] = []
  /// The common shift since the first frame.
  private var shift = SIMD2<Double>.zero
  /// The mean of the first shifts.
  private var origin = SIMD2<Double>.zero
  /// The mean shifts of the last 60 and of the last 300 frames.
  private var lately = SIMD2<Double>.zero, drift = SIMD2<Double>.zero
  /// The number of frames in these means.
  private var frames = 0
  /// The mean square of the differences from `lately` in CIEDE2000, by which flicker is known; it
  /// outlasts changes of the light.
  private var swing = 0.0
  private var swingFrames = 0
  /// The squares of the last frames, which a change would have enlarged, do not count yet.
  private var pending: [Double] = []
  /// The shifts of the last frames, the latest last.
  private var recent: [SIMD2<Double>] = []
  /// `true` from a change until the light has settled.
  private var isSettling = false
  private var settlingFrames = 0

  /// A part of the scene, and what is remembered of it.
  private struct Cell {
    /// The log-ratios without the common shift, of what is there usually.
    var home = SIMD2<Double>.zero
    /// The number of frames in `home`; 0 if there is none.
    var homeFrames = 0
    /// The log-ratios, without the common shift, of what is there now instead.
    var guest = SIMD2<Double>.zero
    /// The number of frames in `guest`.
    var guestFrames = 0
    var isHome = true
    /// The variance of a log-ratio due to noise.
    var variance = 1e-6
    /// The log-ratios in the last frame, without the common shift; NaN if there are none.
    var last = SIMD2<Double>(repeating: .nan)

    /// Adjusts the variance so that half of the steps between frames are longer than the median of
    /// two normal differences: steps of what moves through the cell, which are few, do not count
    /// for more than others.
    mutating func learnNoise(_ step: SIMD2<Double>) {
      // The median of the square, −2 ln ½ times twice the variance.
      let isLonger = (step * step).sum() > 2.77 * variance
      variance = max(variance * (isLonger ? 1.05 : 0.95), 1e-8)
    }

    var reference: SIMD2<Double> { isHome ? home : guest }
    var weight: Double { isHome ? 1 : guestFrames >= 10 ? 0.5 : 0.02 }
  }

  /// Creates a detector without frames.
  public init(colors: Colors = .sRGB) { self.colors = colors }

  /// Adds the next frame's statistics: those of `FrameStatistics.zones` with `columns` and `rows`.
  ///
  /// - Precondition: there are as many zones as in the grid.
  /// - Returns: The change, once for each, in the frame that makes it certain. The light after it
  ///   is the new reference.
  @discardableResult
  public mutating func add(_ zones: [FrameStatistics]) -> SceneLightChange? {
    precondition(zones.count == Self.columns * Self.rows, "there must be 12 × 8 zones")
    return add(zones.map(Self.color))
  }

  /// Returns the mean color of a cell; zero if too much of it is clipped.
  static func color(of zone: FrameStatistics) -> LinearRGB {
    Double(zone.pixels.used) > 0.9 * Double(zone.pixels.total) ? zone.mean : LinearRGB(.zero)
  }

  /// Returns the log-ratios of a cell's color; NaN if a channel is dark or not finite.
  static func ratios(of color: LinearRGB) -> SIMD2<Double> {
    color.vector.min() > darkLevel ? color.logRatios : SIMD2(repeating: .nan)
  }

  /// Adds the mean colors of the cells of the next frame; one with a channel that is dark, or not
  /// finite, does not count.
  package mutating func add(_ colors: [LinearRGB]) -> SceneLightChange? {
    let seen = colors.map(Self.ratios)
    guard !cells.isEmpty else {
      cells = seen.map { ratios in
        var cell = Cell()
        if ratios.x.isFinite, ratios.y.isFinite { (cell.home, cell.homeFrames) = (ratios, 1) }
        return cell
      }
      return nil
    }
    let found = commonShift(of: seen)
    if let found { shift = found.shift }
    if let found, found.tolerance > Self.scatter { move(seen, found.tolerance) }
    remember(seen)
    guard let found else {
      recent = []
      return nil
    }
    recent.append(shift)
    if recent.count > Self.agreeingFrames { recent.removeFirst() }
    return judge(found)
  }

  // MARK: The common shift

  private struct Common {
    var shift, variance: SIMD2<Double>
    var agreement: Double
    /// The scatter of shifts that was allowed.
    var tolerance: Double
  }

  private static let darkLevel = 0.004
  /// The scatter of shifts between surfaces that does not depend on noise, as a logarithm.
  private static let scatter = 0.008
  /// The scatter of shifts between surfaces relative to a change of the light.
  private static let surfaceScatter = 0.2
  /// The variance that is allowed in a cell relative to that of its noise: what lies in it may move
  /// a little, and lamps flicker.
  private static let noiseAllowance = 14.0

  private func commonShift(of seen: [SIMD2<Double>]) -> Common? {
    var items: [Item] = []
    var away = 0.0
    for (cell, ratios) in zip(cells, seen) where cell.homeFrames > 0 && ratios.x.isFinite {
      items.append(Item(ratios - cell.reference, cell.variance, weight: cell.weight))
      if !cell.isHome { away += 1 }
    }
    guard items.count >= Self.leastCells else { return nil }
    let isKnown = items.reduce(0) { $0 + $1.weight } > 0.3 * Double(items.count)
    let near = Self.settle(items, from: shift, tolerance: Self.scatter)
    if isKnown, near.agreement >= 0.7 { return near }
    if isKnown {
      for conditions in [Jump.usual, .sudden] {
        if let other = Self.jump(items, from: shift, conditions) { return other }
      }
    }
    if away > 0.3 * Double(items.count) {
      // Cells that a change has moved away from home are compared with it: they shifted alike.
      let homes = zip(cells, seen).compactMap { cell, ratios in
        cell.homeFrames > 0 && ratios.x.isFinite
          ? Item(ratios - cell.home, cell.variance, weight: 1) : nil
      }
      if let other = Self.jump(homes, from: shift, .usual) { return other }
    }
    return isKnown && near.agreement >= 0.5 ? near : nil
  }

  static let leastCells = 12

  /// A cell's shift.
  private struct Item {
    var shift: SIMD2<Double>
    var variance, weight: Double

    init(_ shift: SIMD2<Double>, _ variance: Double, weight: Double) {
      (self.shift, self.variance, self.weight) = (shift, variance, weight)
    }
  }

  /// Returns the shift near a start on which most cells agree.
  private static func settle(
    _ items: [Item], from start: SIMD2<Double>, tolerance: Double
  ) -> Common {
    // Beyond a jump of the shift, what moves at the same time is nearer than three deviations.
    let reach = tolerance > scatter ? 4.5 : 9
    var center = start
    var (total, agreeing, sum) = (0.0, 0.0, 0.0)
    var squares = SIMD2<Double>.zero
    for step in 0..<4 {
      var mean = SIMD2<Double>.zero
      (total, agreeing, sum, squares) = (0, 0, 0, .zero)
      for item in items {
        let distance = item.shift - center
        let scale = tolerance * tolerance + noiseAllowance * item.variance
        let ratio = (distance * distance).sum() / scale
        let share = 1 / (1 + ratio)
        let weight = item.weight * share * share / scale
        mean += weight * distance
        squares += weight * weight * distance * distance
        sum += weight
        total += item.weight
        if ratio < reach { agreeing += item.weight }
      }
      if step < 3 { center += mean / sum }
    }
    return Common(
      shift: center, variance: squares / (sum * sum), agreement: agreeing / max(total, 1e-9),
      tolerance: tolerance)
  }

  /// The conditions under which a shift far from the last one is the common shift.
  private struct Jump {
    /// The scatter of shifts between surfaces relative to the jump.
    var surfaces: Double
    /// The least share of cells that agree, and the largest share of those that have stayed.
    var agreement, stayed: Double

    static let usual = Jump(surfaces: surfaceScatter, agreement: 0.6, stayed: 0.35)
    /// All cells have left their colors within a frame. What moves comes into the picture cell by
    /// cell, but surfaces scatter widely between lamps with lines, or behind a color matrix.
    static let sudden = Jump(surfaces: 0.5, agreement: 0.45, stayed: 0.1)
  }

  /// Returns another shift on which most cells agree, if few have stayed.
  private static func jump(
    _ items: [Item], from old: SIMD2<Double>, _ conditions: Jump
  ) -> Common? {
    let start = SIMD2(
      median(items.map { ($0.shift.x, $0.weight) }), median(items.map { ($0.shift.y, $0.weight) }))
    let way = start - old
    let distance = (way * way).sum().squareRoot()
    let found = settle(
      items, from: start, tolerance: scatter + conditions.surfaces * distance)
    let moved = found.shift - old
    let size = (moved * moved).sum().squareRoot()
    guard found.agreement >= conditions.agreement, size > 2 * scatter else { return nil }
    var (total, stayed) = (0.0, 0.0)
    for item in items {
      let rest = item.shift - old
      total += item.weight
      if (rest * rest).sum().squareRoot() < 0.4 * size { stayed += item.weight }
    }
    return stayed <= conditions.stayed * total ? found : nil
  }

  /// Returns the shift on which most cells of a motif agree; `nil` if there is none.
  static func commonShift(of shifts: [SIMD2<Double>]) -> SIMD2<Double>? {
    let start = SIMD2(WhiteBalance.median(shifts.map(\.x)), WhiteBalance.median(shifts.map(\.y)))
    let size = (start * start).sum().squareRoot()
    let found = settle(
      shifts.map { Item($0, 1e-6, weight: 1) }, from: start,
      tolerance: scatter + surfaceScatter * size)
    return found.agreement >= 0.7 ? found.shift : nil
  }

  private static func median(_ values: [(value: Double, weight: Double)]) -> Double {
    let sorted = values.sorted { $0.value < $1.value }
    let half = sorted.reduce(0) { $0 + $1.weight } / 2
    var sum = 0.0
    for item in sorted {
      sum += item.weight
      if sum >= half { return item.value }
    }
    return sorted.last?.value ?? 0
  }

  // MARK: Memory

  /// The largest number of frames that a reference averages.
  private static let memory = 1000
  /// The number of frames after which what is there instead of the usual is the usual.
  private static let stay = 900

  /// Corrects the references of the cells that a change of the light has shifted alike, but not
  /// equally.
  private mutating func move(_ seen: [SIMD2<Double>], _ tolerance: Double) {
    for (index, ratios) in seen.enumerated() where ratios.x.isFinite {
      let own = ratios - shift
      let (fromHome, fromGuest) = (own - cells[index].home, own - cells[index].guest)
      let scale = 9 * (tolerance * tolerance + Self.noiseAllowance * cells[index].variance)
      if cells[index].homeFrames > 0, (fromHome * fromHome).sum() < scale {
        (cells[index].home, cells[index].isHome) = (own, true)
        cells[index].homeFrames = min(cells[index].homeFrames, 10)
      } else if !cells[index].isHome, (fromGuest * fromGuest).sum() < scale {
        cells[index].guest = own
      }
    }
  }

  private mutating func remember(_ seen: [SIMD2<Double>]) {
    for index in cells.indices {
      let ratios = seen[index]
      guard ratios.x.isFinite, ratios.y.isFinite else { continue }
      var cell = cells[index]
      let own = ratios - shift
      if cell.homeFrames == 0 { (cell.home, cell.homeFrames) = (own, 1) }
      if cell.last.x.isFinite { cell.learnNoise(own - cell.last) }
      cell.last = own
      let scale = 9 * (Self.scatter * Self.scatter + Self.noiseAllowance * cell.variance)
      let fromHome = own - cell.home
      if (fromHome * fromHome).sum() < scale {
        cell.isHome = true
        cell.homeFrames = min(cell.homeFrames + 1, Self.memory)
        cell.home += fromHome / Double(cell.homeFrames)
      } else {
        let fromGuest = own - cell.guest
        if cell.isHome || (fromGuest * fromGuest).sum() > scale {
          (cell.guest, cell.guestFrames, cell.isHome) = (own, 1, false)
        } else {
          cell.guestFrames += 1
          cell.guest += fromGuest / Double(min(cell.guestFrames, 30))
        }
        if cell.guestFrames > Self.stay {
          (cell.home, cell.homeFrames, cell.isHome) = (cell.guest, 30, true)
        }
      }
      cells[index] = cell
    }
  }

  // MARK: The verdict

  /// The number of successive frames that must show a change.
  private static let agreeingFrames = 8
  private static let quickLength = 60
  private static let driftLength = 300
  /// The number of frames over which swings are averaged.
  private static let swingLength = 150

  /// The limit of a drift from the first frames, in CIEDE2000.
  private static let driftLimit = 4.2

  private func size(_ shift: SIMD2<Double>) -> Double {
    SceneLightChange.ciede2000(of: shift, in: colors)
  }

  private mutating func judge(_ found: Common) -> SceneLightChange? {
    if isSettling {
      settlingFrames += 1
      let moved = recent[recent.count - 1] - recent[0]
      let isOver = recent.count == Self.agreeingFrames && size(moved) < 0.5
      if isOver || settlingFrames > 300 {
        let known = (swing, swingFrames)
        self = LightChangeDetector(colors: colors)
        (swing, swingFrames) = known
      }
      return nil
    }
    let quick = size(shift - lately)
    pending.append(quick * quick)
    if pending.count > 2 * Self.agreeingFrames { learnSwing(pending.removeFirst()) }
    if quick < Self.limit {
      frames += 1
      if frames <= Self.driftLength { origin += (shift - origin) / Double(frames) }
      lately += (shift - lately) / Double(min(frames, Self.quickLength))
      drift += (shift - drift) / Double(min(frames, Self.driftLength))
    }
    guard recent.count == Self.agreeingFrames else { return nil }
    let quickLimit = max(Self.limit, 3 * swing.squareRoot())
    let base: SIMD2<Double>
    if recent.allSatisfy({ size($0 - lately) > quickLimit }) {
      base = lately
    } else if size(drift - origin) > Self.driftLimit {
      base = origin
    } else {
      return nil
    }
    let mean = recent.reduce(.zero, +) / Double(recent.count)
    let spread = recent.reduce(SIMD2<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(recent.count)
    let error = (spread / (count * (count - 1)) + found.variance).squareRoot()
    isSettling = true
    // Flicker looks like a change until its swing is known.
    for square in pending { learnSwing(min(square, Self.limit * Self.limit)) }
    return SceneLightChange(mean - base, error: error, agreement: found.agreement, of: colors)
  }

  private mutating func learnSwing(_ square: Double) {
    swingFrames = min(swingFrames + 1, Self.swingLength)
    swing += (square - swing) / Double(swingFrames)
  }
}
