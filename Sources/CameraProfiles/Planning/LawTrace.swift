internal import ColorScience

/// The gains of controls without a smooth law (those with stairs, or with corners), measured value
/// by value.
///
/// Gaps between values are halved until two values in a row inside a gap lie on the line between
/// its ends, or no value is left inside. All controls are moved at once.
struct LawTrace: Sendable {
  private var axes: [Axis]
  private let laws: Int
  private let most: Int
  /// The lamp under which the law is traced.
  let lamp: Int
  private var looks = 0

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

    var jump: Double { zip(low.gains, high.gains).map { abs($0 - $1) }.max() ?? 0 }
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
    var smallest = 0.0
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

  /// The logarithm of each law's gain at settings; `nil` if one of them was not traced.
  func gains(at settings: [ControlID: Int]) -> [Double]? {
    var gains = [Double](repeating: 0, count: laws)
    for axis in axes {
      let id = axis.control.id
      guard let point = points(of: id).first(where: { $0.value == settings[id] }) else {
        return nil
      }
      for (law, gain) in zip(axis.laws, point.gains) { gains[law] = gain }
    }
    return gains
  }

  /// The next settings, the most informative first; none when everything is known.
  ///
  /// - Parameter others: The settings of controls that need not be moved.
  mutating func next(_ count: Int, others: [ControlID: Int]) -> [[ControlID: Int]] {
    let values = axes.indices.map { axes[$0].next(max(min(count, most - looks), 0)) }
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
    for index in axes.indices {
      guard let value = settings[axes[index].control.id] else { continue }
      axes[index].add(value, gains.map { gains in axes[index].laws.map { gains[$0] } })
    }
  }
}

extension LawTrace.Axis {
  /// The next values.
  mutating func next(_ count: Int) -> [Int] {
    guard seeds.isEmpty else { return Array(seeds.prefix(count)) }
    let open = gaps ?? zip(points, points.dropFirst()).map { LawTrace.Gap(low: $0, high: $1) }
    gaps = open.filter { $0.jump > smallest && value(in: $0) != nil }
    return (gaps ?? []).sorted { $0.jump > $1.jump }.compactMap { value(in: $0) }.prefix(count).map(
      \.self)
  }

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
    guard let gains, !points.contains(where: { $0.value == value }) else {
      if let gap { gaps?.remove(at: gap) }
      return
    }
    let point = LawTrace.Point(value: value, gains: gains)
    points.insert(point, at: points.firstIndex { $0.value > value } ?? points.count)
    guard let gap, let old = gaps?.remove(at: gap) else { return }
    let share = Double(value - old.low.value) / Double(old.high.value - old.low.value)
    let isOnLine = gains.indices.allSatisfy { channel in
      let expected = old.low.gains[channel] * (1 - share) + old.high.gains[channel] * share
      return abs(gains[channel] - expected) < LawTrace.straight
    }
    if isOnLine { confirmed.insert(value) }
    let times = isOnLine ? old.confirmed + 1 : 0
    if times >= 2 { return }
    gaps?.append(LawTrace.Gap(low: old.low, high: point, confirmed: times))
    gaps?.append(LawTrace.Gap(low: point, high: old.high, confirmed: times))
  }
}

extension ModelFit {
  /// The excess of a lamp's light after traced gains at settings over that of the fit, in
  /// logarithms of red, green and blue.
  ///
  /// Observations under the lamp at traced values determine it, those of a nearly neutral card with
  /// most weight; under the lamp of the trace itself it is known.
  func excess(of trace: LawTrace, lamp: Int, at settings: [ControlID: Int]) -> SIMD3<Double> {
    var (sum, total) = (SIMD3<Double>(), 0.0)
    for look in observations where look.lamp == lamp && lamp != trace.lamp {
      guard let seen = gains(at: look), let traced = trace.gains(at: look.settings) else {
        continue
      }
      let (red, blue) = (look.codes.x / look.codes.y - 1, look.codes.z / look.codes.y - 1)
      let weight = 1 / (0.01 + red * red + blue * blue)
      for (index, law) in controls.laws.enumerated() {
        sum[law.channel] += weight * (seen[index] - traced[index])
      }
      total += weight
    }
    guard let best = candidates.first, let traced = trace.gains(at: settings) else {
      return .zero
    }
    var excess = total > 0 ? sum / total : .zero
    let places = controls.places(of: settings)
    for (index, law) in controls.laws.enumerated() {
      excess[law.channel] +=
        traced[index] - best.lawGains(best.parameters, law: index, places: [places[index]])[0]
    }
    return excess
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
