internal import ColorScience
internal import WhiteBalance

/// A search for the settings of one or two controls that make a card neutral: Newton's steps, with
/// slopes that each measurement corrects (C. G. Broyden, Mathematics of Computation 19, 1965).
package struct NeutralSearch {
  /// Settings, and the card's ln(red/green), ln(blue/green) at them.
  package typealias Look = (values: [ControlValue], ratios: SIMD2<Double>)

  private let controls: [ControlDescription]
  /// The change of ln(red/green), ln(blue/green) by one unit of each control's value.
  package var slopes: [SIMD2<Double>] = []
  /// The change of red/green and blue/green themselves.
  private var changes: [SIMD2<Double>] = []
  private var tried: Set<[ControlValue]> = []
  /// The measurements of the card.
  private var looks: [Look] = []
  /// The best ratios at the previous step.
  private var previous: SIMD2<Double>?
  /// The fraction of Newton's step that is taken.
  private var share = 1.0

  private static let limit = 24

  package init(controls: [ControlDescription]) { self.controls = controls }

  package mutating func add(_ values: [ControlValue], _ ratios: SIMD2<Double>) {
    tried.insert(values)
    looks.append((values, ratios))
  }

  /// Determines the effect of one unit of a control's value from a first move.
  ///
  /// - Parameter areSlopesKnown: `true` if the slopes are already known.
  package mutating func learn(
    moveOf control: ControlID, from start: Look, to end: Look, areSlopesKnown: Bool = false
  ) {
    looks += [start, end]
    tried.formUnion([start.values, end.values])
    let steps = Double((end.values[control] ?? 0) - (start.values[control] ?? 0))
    changes.append((Self.plain(end.ratios) - Self.plain(start.ratios)) / steps)
    if !areSlopesKnown { slopes.append((end.ratios - start.ratios) / steps) }
  }

  private static func plain(_ ratios: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(exponential(ratios.x), exponential(ratios.y))
  }

  /// The first settings to try: those at which red/green and blue/green become 1 if they change
  /// linearly, as they do if gains are proportional to values. `nil` if one control moves both.
  ///
  /// - Parameter ratios: ln(red/green), ln(blue/green).
  package mutating func first(after values: [ControlValue], _ ratios: SIMD2<Double>)
    -> [ControlValue]?
  {
    guard controls.count == 2, changes.count == 2 else { return nil }
    let excess = Self.plain(ratios) - 1
    let (a, b) = (changes[0], changes[1])
    let determinant = a.x * b.y - a.y * b.x
    let steps = [
      (excess.y * b.x - excess.x * b.y) / determinant,
      (excess.x * a.y - excess.y * a.x) / determinant,
    ]
    var goal: [ControlValue] = []
    for (control, step) in zip(controls, steps) {
      guard step.isFinite else { return nil }
      let most = Self.farthest(control)
      let number = Double(values[control.id] ?? control.defaultValue) + min(max(step, -most), most)
      goal.append(ControlValue(control.id, control.nearestValue(to: number)))
    }
    return tried.insert(goal).inserted ? goal : nil
  }

  /// The largest step for which a slope is valid.
  private static func farthest(_ control: ControlDescription) -> Double {
    0.35 * Double(control.largest - control.minimum)
  }

  /// The next settings to try; `nil` if no step would bring the card nearer to neutral.
  package mutating func next(
    after values: [ControlValue], _ ratios: SIMD2<Double>
  ) -> [ControlValue]? {
    guard tried.count < Self.limit else { return nil }
    defer { previous = ratios }
    if let between = between(values, ratios) {
      tried.insert(between)
      return between
    }
    let now = controls.map { Double(values[$0.id] ?? $0.defaultValue) }
    let wanted = nearest(to: now, ratios)
    func place(_ numbers: [Double]) -> [ControlValue] {
      zip(controls, numbers).map { ControlValue($0.id, $0.nearestValue(to: $1)) }
    }
    func predicted(_ place: [ControlValue]) -> Double {
      var expected = ratios
      for (index, control) in controls.enumerated() {
        expected += slopes[index] * (Double(place[control.id] ?? 0) - now[index])
      }
      return CardColor.distance(expected)
    }
    let goal = place(zip(now, wanted).map { $0 + share * ($1 - $0) })
    if !tried.contains(goal) {
      tried.insert(goal)
      return goal
    }
    // A neighboring step may be nearer than the best.
    let step = controls.map { Double($0.step) }
    var around: [[ControlValue]] = []
    for first in [-1.0, 0, 1] {
      for second in controls.count > 1 ? [-1.0, 0, 1] : [0] {
        around.append(place(zip([first, second], zip(now, step)).map { $1.0 + $0 * $1.1 }))
      }
    }
    let here = CardColor.distance(ratios)
    let candidate = around.filter { !tried.contains($0) }
      .map { (place: $0, distance: predicted($0)) }.min { $0.distance < $1.distance }
    guard let candidate, candidate.distance < 0.9 * here else { return nil }
    tried.insert(candidate.place)
    return candidate.place
  }

  /// The values that the slopes predict to be nearest to neutral, within the controls' ranges.
  private func nearest(to now: [Double], _ ratios: SIMD2<Double>) -> [Double] {
    func bounded(_ number: Double, _ index: Int) -> Double {
      let control = controls[index]
      let most = Self.farthest(control)
      let near = min(max(number, now[index] - most), now[index] + most)
      return min(max(near, Double(control.minimum)), Double(control.largest))
    }
    /// The best value of one control, with the other one unchanged.
    func alone(_ index: Int, _ ratios: SIMD2<Double>) -> Double {
      var best = (number: now[index], distance: CardColor.distance(ratios))
      let ends = (bounded(-.infinity, index), bounded(.infinity, index))
      for part in 0...1024 {
        let number = ends.0 + (ends.1 - ends.0) * Double(part) / 1024
        let distance = CardColor.distance(ratios + slopes[index] * (number - now[index]))
        if distance < best.distance { best = (number, distance) }
      }
      return best.number
    }
    guard controls.count > 1 else { return [alone(0, ratios)] }
    let (a, b) = (slopes[0], slopes[1])
    let determinant = a.x * b.y - a.y * b.x
    let red = now[0] - (ratios.x * b.y - ratios.y * b.x) / determinant
    let blue = now[1] - (a.x * ratios.y - a.y * ratios.x) / determinant
    guard red.isFinite, blue.isFinite else { return now }
    let bounds = [bounded(red, 0), bounded(blue, 1)]
    if bounds[0] != red, bounds[1] == blue {
      return [bounds[0], alone(1, ratios + a * (bounds[0] - now[0]))]
    }
    if bounds[1] != blue, bounds[0] == red {
      return [alone(0, ratios + b * (bounds[1] - now[1])), bounds[1]]
    }
    return bounds
  }

  /// The middle between two values of a control at which a color was too strong and too weak, with
  /// the other control unchanged. This is for a color that the last step hardly changed: on a law
  /// with flat ends, slopes lead nowhere.
  private func between(
    _ best: [ControlValue], _ ratios: SIMD2<Double>
  ) -> [ControlValue]? {
    guard controls.count > 1, let previous else { return nil }
    for (axis, control) in [(0, controls[0]), (1, controls[1])]
    where abs(ratios[axis]) > 0.6 * abs(previous[axis]) {
      let seen = looks.compactMap { look in
        look.values[control.id].map { (value: $0, ratio: look.ratios[axis]) }
      }
      guard let here = seen.last(where: { $0.value == best[control.id] }), abs(here.ratio) > 0.02,
        let other = seen.filter({ $0.ratio * here.ratio < 0 })
          .min(by: { abs($0.value - here.value) < abs($1.value - here.value) })
      else { continue }
      // Starts from the nearest value at which the color still deviated to the same side as at the
      // best.
      let end =
        seen.filter { $0.ratio * here.ratio > 0 }
        .min { abs($0.value - other.value) < abs($1.value - other.value) } ?? here
      let middle = best.replacing(
        control.id, by: control.nearestValue(to: Double(end.value + other.value) / 2))
      if !tried.contains(middle) { return middle }
    }
    return nil
  }

  /// Learns from the first step, to the settings of `first(after:_:)`: if it led nearer to neutral,
  /// the slopes are updated as for gains that are proportional to their values.
  package mutating func learnProportion(
    from values: [ControlValue], _ before: SIMD2<Double>, to others: [ControlValue],
    _ after: SIMD2<Double>
  ) {
    guard CardColor.distance(after) < 0.5 * CardColor.distance(before) else {
      return learn(from: values, before, to: others, after)
    }
    add(others, after)
    for (index, control) in controls.enumerated() {
      let steps = Double((others[control.id] ?? 0) - (values[control.id] ?? 0))
      // Red is in the first of the ratios, blue in the second.
      slopes[index] /= max(1 + slopes[index][index] * steps, 0.1)
    }
  }

  /// Takes shorter steps, after a step to a picture that could not be measured.
  package mutating func shorten() { share /= 2 }

  /// Corrects the slopes by the effect of a step.
  package mutating func learn(
    from values: [ControlValue], _ before: SIMD2<Double>, to others: [ControlValue],
    _ after: SIMD2<Double>
  ) {
    add(others, after)
    let steps = controls.map { Double((others[$0.id] ?? 0) - (values[$0.id] ?? 0)) }
    var missed = after - before
    var size = 0.0
    for (index, control) in controls.enumerated() {
      missed -= slopes[index] * steps[index]
      let part = steps[index] / Double(control.largest - control.minimum)
      size += part * part
    }
    for (index, control) in controls.enumerated() {
      let width = Double(control.largest - control.minimum)
      slopes[index] += missed * (steps[index] / (width * width * size))
    }
    let (here, there) = (CardColor.distance(before), CardColor.distance(after))
    share = there < here ? min(1, 2 * share) : share / 2
  }
}

extension ControlLaws {
  /// The settings that make a card neutral, as far as the laws state; `nil` if the controls' range
  /// does not include them.
  ///
  /// - Parameters:
  ///   - ratios: The card's ln(red/green), ln(blue/green).
  ///   - values: The settings at which the card was measured; a control that is not among them
  ///     stays unchanged.
  package func values(neutralizing ratios: SIMD2<Double>, at values: [ControlValue])
    -> [ControlValue]?
  {
    let now = gains(at: values)
    let wanted = Gains(
      red: now.red * exponential(-ratios.x), green: now.green,
      blue: now.blue * exponential(-ratios.y))
    guard wanted.arePositiveAndFinite else { return nil }
    let found: [ControlValue]
    switch layout {
    case .channels(let red, _, let blue):
      guard red.reaches(wanted.red), blue.reaches(wanted.blue) else { return nil }
      found = channelValues(for: wanted)
    case .path(let path): found = [ControlValue(path.control.id, path.nearestValue(for: wanted))]
    }
    return found.contains { values[$0.id] != nil } ? values.replacing(with: found) : nil
  }

  /// The change of ln(red/green), ln(blue/green) from some settings to others; `nil` outside the
  /// range of the laws.
  package func change(from here: [ControlValue], to there: [ControlValue]) -> SIMD2<Double>? {
    let (now, then) = (gains(at: here), gains(at: there))
    guard now.arePositiveAndFinite, then.arePositiveAndFinite else { return nil }
    return LinearRGB(then.vector / now.vector).logRatios
  }

  /// The change of the card's ln(red/green), ln(blue/green) by one unit of each control's value;
  /// `nil` outside the range of the laws.
  package func slopes(at values: [ControlValue]) -> [SIMD2<Double>]? {
    func ratios(_ values: [ControlValue]) -> SIMD2<Double>? {
      let gains = gains(at: values)
      return gains.arePositiveAndFinite ? LinearRGB(gains.vector).logRatios : nil
    }
    var slopes: [SIMD2<Double>] = []
    for value in values {
      guard
        let control = [channelLaws.map(\.control), path.map { [$0.control] } ?? []].joined()
          .first(where: { $0.id == value.id })
      else { return nil }
      let width = max(control.step, (control.largest - control.minimum) / 50)
      let (low, high) = (
        control.nearestValue(to: Double(value.value - width)),
        control.nearestValue(to: Double(value.value + width))
      )
      guard high > low, let below = ratios(values.replacing(value.id, by: low)),
        let above = ratios(values.replacing(value.id, by: high))
      else { return nil }
      slopes.append((above - below) / Double(high - low))
    }
    return slopes
  }

  private var path: GainCurve? { if case .path(let path) = layout { path } else { nil } }
}
