internal import ColorScience

/// The gains of controls without a smooth law (those with stairs, or with corners), measured value
/// by value.
///
/// Gaps between values are halved until two values in a row inside a gap lie on the line between
/// its ends, or the gap is a narrow stair. Where there are several stairs, values may lie on a line
/// by chance, so lines are not believed. All controls are moved at once.
struct LawTrace: Sendable {
  private var axes: [Axis]
  private let laws: Int
  private let most: Int
  /// The lamp under which the law is traced.
  let lamp: Int
  private var looks = 0
  /// Settings of one control, to observe again what could not be used with others moved as well.
  private var alone: [[ControlID: Int]] = []

  /// A value of a control, and the logarithms of the gains of each channel that it moves.
  struct Point: Sendable {
    var value: Int
    var gains: [Double]
  }

  /// Two neighboring points between which the gains may deviate from a line.
  struct Gap: Sendable {
    var low: Point
    var high: Point
    /// The number of times in a row that a point in between was on the line.
    var confirmed = 0
    /// The number of times in a row that a point in between had the gains of an end.
    var unsplit = 0

    var jump: Double { distance(low.gains, high.gains) }
    /// Halved for each point that left the jump as it was.
    var urgency: Double { jump / Double(1 << unsplit) }
    /// Indicates whether the picture of a point in between could not be used.
    var isBlind = false
  }

  private static func distance(_ gains: [Double], _ others: [Double]) -> Double {
    zip(gains, others).map { abs($0 - $1) }.max() ?? 0
  }

  struct Axis: Sendable {
    let control: ControlDescription
    /// The indices of the control's laws.
    let laws: [Int]
    /// The values to observe before gaps are halved.
    var seeds: [Int]
    var points: [Point] = []
    var gaps: [Gap]?
    /// The values whose gains were where a line between their neighbors has them.
    var confirmed: Set<Int> = []
    /// A gap across which gains change by less needs no look.
    var smallest = LawTrace.straight
    /// The number of observed values.
    var looks = 0
    /// The number of observed values whose picture could be used.
    var used = 0
  }

  /// The largest distance of a gain's natural logarithm from a line that describes it.
  static let straight = 0.004
  private static let seeds = 12

  /// - Parameters:
  ///   - controls: The controls; gains are in the order of their laws.
  ///   - ranges: The range of values over which each control is traced.
  ///   - marks: Values that are observed in any case.
  ///   - lamp: The lamp under which the law is traced.
  ///   - most: The largest number of observations.
  init(
    _ controls: BalanceControls,
    _ ranges: [(control: ControlDescription, range: ClosedRange<Int>)], marks: [ControlID: [Int]],
    under lamp: Int, most: Int
  ) {
    (self.most, self.lamp, laws) = (most, lamp, controls.laws.count)
    axes = ranges.map { control, range in
      let width = Double(range.upperBound - range.lowerBound)
      let even = (0...Self.seeds).map {
        control.nearestValue(to: Double(range.lowerBound) + width * Double($0) / Double(Self.seeds))
      }
      return Axis(
        control: control,
        laws: controls.laws.indices.filter { controls.laws[$0].control.id == control.id },
        seeds: Set(even + (marks[control.id] ?? [])).sorted())
    }
  }

  /// The points of a control, with rising values and monotone gains: neighbors that noise puts in
  /// the wrong order are averaged. None if the pictures of most values could not be used.
  func points(of control: ControlID) -> [Point] {
    guard let axis = axes.first(where: { $0.control.id == control }),
      let first = axis.points.first, 2 * axis.used > axis.looks
    else { return [] }
    let points = axis.points
    var result = points
    for channel in first.gains.indices {
      for (index, gain) in points.map({ $0.gains[channel] }).pooled().enumerated() {
        result[index].gains[channel] = gain
      }
    }
    return result
  }

  /// The gaps of a control in which gains are unknown, and how far each may be from a line.
  func gaps(of control: ControlID) -> [(gap: Gap, error: Double)] {
    guard let axis = axes.first(where: { $0.control.id == control }) else { return [] }
    let open = axis.openGaps
    // A gap may contain several stairs, each of the usual height.
    let stairs = open.filter { $0.unsplit > 0 }.map(\.jump).sorted()
    let height = stairs.isEmpty ? .infinity : stairs[stairs.count / 2]
    return open.map { ($0, min($0.jump, height) / 2) }
  }

  /// The traced settings that are nearest to others.
  func settings(nearest others: [ControlID: Int]) -> [ControlID: Int] {
    var result = others
    for axis in axes {
      guard let wanted = others[axis.control.id] else { continue }
      let nearest = points(of: axis.control.id).map(\.value)
        .min { abs($0 - wanted) < abs($1 - wanted) }
      result[axis.control.id] = nearest ?? wanted
    }
    return result
  }

  /// The logarithm of a law's gain at settings; `nil` if the value was not traced.
  func gain(ofLaw law: Int, at settings: [ControlID: Int]) -> Double? {
    guard let axis = axes.first(where: { $0.laws.contains(law) }),
      let index = axis.laws.firstIndex(of: law)
    else { return nil }
    return points(of: axis.control.id).first { $0.value == settings[axis.control.id] }?.gains[index]
  }

  /// A copy with gains that were measured under other lamps, beyond the traced values.
  ///
  /// - Parameter gains: The logarithm of each law's gain at settings.
  func extended(by gains: [(settings: [ControlID: Int], gains: [Double])]) -> LawTrace {
    var result = self
    for index in axes.indices {
      guard let first = axes[index].points.first, let last = axes[index].points.last else {
        continue
      }
      let axis = axes[index]
      let others = gains.compactMap { look in
        look.settings[axis.control.id].map { ($0, axis.laws.map { look.gains[$0] }) }
      }.filter { !(first.value...last.value ~= $0.0) }
      let values = Dictionary(grouping: others, by: \.0).sorted { $0.key < $1.key }
      let points = values.map { value, looks in
        Point(
          value: value,
          gains: axis.laws.indices.map { law in
            looks.reduce(0.0) { $0 + $1.1[law] } / Double(looks.count)
          })
      }
      let below = points.filter { $0.value < first.value } + [first]
      let above = [last] + points.filter { $0.value > last.value }
      result.axes[index].points = below.dropLast() + axis.points + above.dropFirst()
      for side in [below, above] {
        result.axes[index].gaps? += zip(side, side.dropFirst()).map { Gap(low: $0, high: $1) }
      }
    }
    return result
  }

  /// The next settings, the most informative first; none when everything is known.
  ///
  /// - Parameter others: The settings of controls that need not be moved.
  mutating func next(_ count: Int, others: [ControlID: Int]) -> [[ControlID: Int]] {
    let count = max(min(count, most - looks), 0)
    if !alone.isEmpty {
      return alone.prefix(count).map { others.merging($0) { $1 } }
    }
    let values = axes.indices.map { axes[$0].next(count) }
    return (0..<(values.map(\.count).max() ?? 0)).map { index in
      var settings = others
      for (axis, values) in zip(axes, values) where index < values.count {
        // The dark end of one control is combined with the bright end of another, so that the
        // exposure stays similar.
        let isReversed = axis.control.id != axes[0].control.id
        settings[axis.control.id] = values[isReversed ? values.count - 1 - index : index]
      }
      return settings
    }
  }

  /// Adds the measured gains of each law at settings; `nil` if none could be measured.
  mutating func add(_ settings: [ControlID: Int], _ gains: [Double]?) {
    looks += 1
    let isAgain = alone.contains { $0.allSatisfy { settings[$0.key] == $0.value } }
    alone.removeAll { $0.allSatisfy { settings[$0.key] == $0.value } }
    for index in axes.indices {
      let id = axes[index].control.id
      guard let value = settings[id] else { continue }
      if gains == nil, axes.count > 1, !isAgain, axes[index].isNew(value) {
        alone.append([id: value])
      } else {
        axes[index].add(value, gains.map { gains in axes[index].laws.map { gains[$0] } })
      }
    }
  }

  /// Replaces the gains at settings that were added before.
  mutating func replace(_ settings: [ControlID: Int], _ gains: [Double]) {
    for index in axes.indices {
      guard let value = settings[axes[index].control.id] else { continue }
      axes[index].replace(
        LawTrace.Point(value: value, gains: axes[index].laws.map { gains[$0] }))
    }
  }
}

extension LawTrace.Axis {
  /// The next values.
  mutating func next(_ count: Int) -> [Int] {
    guard seeds.isEmpty else { return Array(seeds.prefix(count)) }
    gaps = gaps ?? zip(points, points.dropFirst()).map { LawTrace.Gap(low: $0, high: $1) }
    return openGaps.filter(isWanted).sorted { $0.urgency > $1.urgency }
      .compactMap { value(in: $0) }.prefix(count).map(\.self)
  }

  /// The gaps in which gains are unknown.
  var openGaps: [LawTrace.Gap] {
    let gaps = gaps ?? []
    let hasStairs = gaps.count { $0.unsplit >= 2 && $0.jump > smallest } >= 3
    return gaps.filter {
      $0.jump > smallest && ($0.confirmed < 2 || hasStairs) && value(in: $0) != nil
    }
  }

  private func isWanted(_ gap: LawTrace.Gap) -> Bool {
    guard let first = points.first, let last = points.last, !gap.isBlind else { return false }
    let isNarrow = (gap.high.value - gap.low.value) * 500 < last.value - first.value
    return !isNarrow || gap.unsplit < 3
  }

  /// Indicates whether a value was not observed yet.
  func isNew(_ value: Int) -> Bool { !points.contains { $0.value == value } }

  /// A value inside a gap, away from its middle, where evenly spaced stairs would stay hidden;
  /// `nil` if there is none.
  private func value(in gap: LawTrace.Gap) -> Int? {
    let (low, high) = (Double(gap.low.value), Double(gap.high.value))
    return [0.4, 0.5].map { control.nearestValue(to: low + $0 * (high - low)) }
      .first { gap.low.value < $0 && $0 < gap.high.value }
  }

  mutating func add(_ value: Int, _ gains: [Double]?) {
    looks += 1
    used += gains == nil ? 0 : 1
    seeds.removeAll { $0 == value }
    let gap = gaps?.firstIndex { $0.low.value < value && value < $0.high.value }
    guard let gains, isNew(value) else {
      if let gap { gaps?[gap].isBlind = true }
      return
    }
    let point = LawTrace.Point(value: value, gains: gains)
    points.insert(point, at: points.firstIndex { $0.value > value } ?? points.count)
    if let gap, let old = gaps?.remove(at: gap) { split(old, at: point) }
  }

  private mutating func split(_ gap: LawTrace.Gap, at point: LawTrace.Point) {
    var (lower, upper) = (gap, gap)
    (lower.high, upper.low) = (point, point)
    let share = Double(point.value - gap.low.value) / Double(gap.high.value - gap.low.value)
    // Next to an end, a point does not show whether there is a line or a stair.
    let isAtEnd = min(lower.jump, upper.jump) < max(LawTrace.straight, gap.jump / 8)
    let isOnLine =
      !isAtEnd
      && point.gains.indices.allSatisfy { channel in
        let expected = gap.low.gains[channel] * (1 - share) + gap.high.gains[channel] * share
        return abs(point.gains[channel] - expected) < LawTrace.straight
      }
    if isOnLine { confirmed.insert(point.value) }
    let (times, unsplit) = (isOnLine ? gap.confirmed + 1 : 0, isAtEnd ? gap.unsplit + 1 : 0)
    (lower.confirmed, upper.confirmed) = (times, times)
    (lower.unsplit, upper.unsplit) = (unsplit, unsplit)
    gaps? += [lower, upper]
  }

  mutating func replace(_ point: LawTrace.Point) {
    for index in points.indices where points[index].value == point.value { points[index] = point }
    for index in (gaps ?? []).indices {
      if gaps?[index].low.value == point.value { gaps?[index].low = point }
      if gaps?[index].high.value == point.value { gaps?[index].high = point }
    }
  }
}

extension ModelFit {
  /// The excess of a lamp's light after traced gains at settings over that of the fit, in
  /// logarithms of red, green and blue.
  ///
  /// Observations under the lamp at traced values determine it, those of a nearly neutral card with
  /// most weight; under the lamp of the trace itself it is known.
  func excess(of trace: LawTrace, lamp: Int, at settings: [ControlID: Int]) -> SIMD3<Double> {
    guard let best = candidates.first else { return .zero }
    var excess = excess(of: trace, lamp: lamp)
    let places = controls.places(of: settings)
    for (index, law) in controls.laws.enumerated() {
      guard let traced = trace.gain(ofLaw: index, at: settings) else { continue }
      excess[law.channel] +=
        traced - best.lawGains(best.parameters, law: index, places: [places[index]])[0]
    }
    return excess
  }

  private func excess(of trace: LawTrace, lamp: Int) -> SIMD3<Double> {
    var (sum, total) = (SIMD3<Double>(), SIMD3<Double>(repeating: 1e-9))
    for look in observations where look.lamp == lamp && lamp != trace.lamp {
      guard let seen = gains(at: look) else { continue }
      let (red, blue) = (look.codes.x / look.codes.y - 1, look.codes.z / look.codes.y - 1)
      let weight = 1 / (0.01 + red * red + blue * blue)
      for (index, law) in controls.laws.enumerated() {
        guard let traced = trace.gain(ofLaw: index, at: look.settings) else { continue }
        sum[law.channel] += weight * (seen[index] - traced)
        total[law.channel] += weight
      }
    }
    return sum / total
  }

  /// A copy of a trace, with the gains that were seen under other lamps beyond its values.
  func extended(_ trace: LawTrace) -> LawTrace {
    var gains: [(settings: [ControlID: Int], gains: [Double])] = []
    for lamp in Set(looks.lamps).sorted() where lamp != trace.lamp {
      let excess = excess(of: trace, lamp: lamp)
      for look in observations where look.lamp == lamp {
        guard let seen = self.gains(at: look) else { continue }
        gains.append(
          (look.settings, zip(controls.laws, seen).map { $1 - excess[$0.channel] }))
      }
    }
    return trace.extended(by: gains)
  }

  /// The logarithm of each law's gain in an observation, from the picture and the best family;
  /// `nil` if the picture cannot be used.
  func gains(at look: Observation) -> [Double]? {
    guard let best = candidates.first, let change = excess(in: look)?.light else { return nil }
    // A common change of light is no gain if green has no control.
    let common = controls.laws.contains { $0.channel == 1 } ? 0 : change.y
    let places = controls.places(of: look.settings)
    return controls.laws.indices.map { index in
      best.lawGains(best.parameters, law: index, places: [places[index]])[0]
        + change[controls.laws[index].channel] - common
    }
  }

  /// The excess of a lamp's light in an observation over that of the best family, in logarithms of
  /// red, green and blue, and the derivatives of the light by the codes; `nil` if the picture
  /// cannot be used.
  func excess(in look: Observation) -> (light: SIMD3<Double>, byCodes: Matrix3x3)? {
    guard let best = candidates.first, look.lamp < best.model.lamps else { return nil }
    let usable = look.usable
    guard usable[0], usable[1], usable[2] else { return nil }
    var table = LookTable(controls)
    table.adoptValues(of: looks)
    table.append(look)
    var prediction = ModelPrediction(best.model, table)
    let lights = (0..<3).map { best.model.layout.light(look.lamp, $0) }
    let rows = lights.compactMap { best.model.free.firstIndex(of: $0) }
    guard rows.count == 3 else { return nil }
    var parameters = best.parameters
    var byCodes = Matrix3x3(diagonal: SIMD3(repeating: 1))
    // Newton's steps to the light that gives the codes.
    for _ in 0..<12 {
      prediction.differentiate(parameters)
      let columns = rows.map { row in
        SIMD3(
          prediction.jacobian[3 * row], prediction.jacobian[3 * row + 1],
          prediction.jacobian[3 * row + 2])
      }
      let slopes = Matrix3x3(columns: columns[0], columns[1], columns[2])
      let codes = SIMD3(prediction.codes[0], prediction.codes[1], prediction.codes[2])
      guard let inverse = slopes.inverse else { return nil }
      byCodes = inverse
      let step = inverse * (look.codes - codes)
      for channel in 0..<3 { parameters[lights[channel]] += min(max(step[channel], -1), 1) }
    }
    func light(_ parameters: [Double]) -> SIMD3<Double> {
      SIMD3(parameters[lights[0]], parameters[lights[1]], parameters[lights[2]])
    }
    let excess = light(parameters) - light(best.parameters)
    return excess.x.isFinite && excess.y.isFinite && excess.z.isFinite ? (excess, byCodes) : nil
  }
}
