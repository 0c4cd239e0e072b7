internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Makes the gray card neutral as nearly as the controls can, and leaves them there.
  ///
  /// Nothing needs to be known of the controls, nor of what stands behind the gains: equal codes
  /// are equal light under any tone curve, and a color matrix leaves gray as it is. Each control is
  /// moved a little to see what it does to the card, and steps follow until none brings it nearer.
  /// What fails leaves the camera as it was before.
  ///
  /// - Parameter progress: called with the number of settings looked at, before each.
  /// - Throws: `CameraError.noWhiteBalance` where there is no control, `noLaw` where the picture
  ///   does not change with one, `nothingToSee` where the card is refused, `superseded` by a newer
  ///   operation that decides the white balance.
  public func neutralizeCard(
    progress: (Int) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.searchForNeutral(laws: nil, progress)
    }
  }

  /// Where the controls are, and what the card looks like there.
  private struct Place {
    var values: [ControlValue]
    var seen: Observation
    var distance: Double { CardColor.distance(seen.ratios) }
  }

  func searchForNeutral(
    laws: ControlLaws?, _ progress: (Int) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    var looks = 0
    func look(at values: [ControlValue]) async throws(CameraError) -> Observation? {
      progress(looks)
      looks += 1
      return try await observe(values)
    }
    try await turnOffAutomatic()
    if let laws { try await hold(laws) }
    let controls = try await balancingControls()
    var search = NeutralSearch(controls: controls)
    var best = try await startingPlace(controls)
    var seenFirst = best.seen.firstFrame
    if let first = controls.first, !first.items.isEmpty {
      // Lights of a menu say nothing of each other.
      for value in first.choices {
        let values = [ControlValue(first.id, value)]
        guard let seen = try await look(at: values) else { continue }
        let place = Place(values: values, seen: seen)
        if place.distance < best.distance { best = place }
      }
    } else {
      search.add(best.values)
      search.slopes = laws.flatMap { $0.slopes(at: best.values) } ?? []
      if search.slopes.isEmpty {
        for control in controls {
          progress(looks)
          looks += 1
          search.slopes.append(try await slope(of: control, at: &best, in: &search))
        }
      }
      while let values = search.next(after: best.values, best.seen.ratios) {
        guard let seen = try await look(at: values) else {
          search.shorten()
          continue
        }
        search.learn(from: best.values, best.seen.ratios, to: values, seen.ratios)
        let place = Place(values: values, seen: seen)
        seenFirst = seen.firstFrame ?? seenFirst
        if place.distance < best.distance { best = place }
      }
    }
    // The last steps may be too small to be seen in one frame.
    var first = best.seen.firstFrame ?? seenFirst
    if try await settings(of: best.values) != best.values {
      guard let seen = try await observe(best.values) else { throw try await unseen() }
      first = seen.firstFrame ?? first
    }
    let estimate = try await estimate()
    guard estimate.isAccepted else { throw .nothingToSee(estimate.refusals) }
    return NeutralizedCard(
      values: best.values, estimate: estimate, firstFrame: first,
      gains: laws?.gains(at: best.values), mixing: mixing)
  }

  /// The controls by which a card is made neutral: red and blue, or one that moves both.
  private func balancingControls() async throws(CameraError) -> [ControlDescription] {
    let all = await port.controls
    func usable(_ id: ControlID) async throws(CameraError) -> ControlDescription? {
      guard let control = all.first(where: { $0.id == id }),
        try await port.flags(of: id).isDisjoint(with: [.readOnly, .inactive])
      else { return nil }
      return control
    }
    if let red = try await usable(.redBalance), let blue = try await usable(.blueBalance) {
      return [red, blue]
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] {
      if let control = try await usable(id), control.items.isEmpty || control.choices.count >= 2 {
        return [control]
      }
    }
    throw .noWhiteBalance(camera: await port.identity.name)
  }

  /// Where the controls are; or, if the picture is black or clipped there, where it is not.
  private func startingPlace(
    _ controls: [ControlDescription]
  ) async throws(CameraError) -> Place {
    var values: [ControlValue] = []
    for control in controls {
      let value = try await port.value(of: control.id)
      let choices = control.choices
      let isFit = control.accepts(value) && (choices.isEmpty || choices.contains(value))
      values.append(
        ControlValue(control.id, isFit ? value : choices.first ?? control.defaultValue))
    }
    if let seen = try await observe(values) { return Place(values: values, seen: seen) }
    let (reference, _) = try await findReference(controls)
    guard let seen = try await observe(reference) else { throw try await unseen() }
    return Place(values: reference, seen: seen)
  }

  /// What one step of a control's value does to the card, from the first move that is seen.
  private func slope(
    of control: ControlDescription, at best: inout Place, in search: inout NeutralSearch
  ) async throws(CameraError) -> SIMD2<Double> {
    let start = best
    let value = start.values[control.id] ?? control.defaultValue
    var share = 0.04
    var isSeen = false
    while share <= 1 {
      // Towards the middle of the range first: there is room.
      let inwards = value > control.value(atShare: 0.5) ? -1.0 : 1.0
      for direction in [inwards, -inwards] {
        let width = Double(control.largest - control.minimum)
        let moved = control.snapped(Double(value) + direction * share * width)
        guard moved != value else { continue }
        let values = start.values.replacing(control.id, by: moved)
        guard let seen = try await observe(values) else { continue }
        isSeen = true
        search.add(values)
        let change = seen.ratios - start.seen.ratios
        guard max(abs(change.x), abs(change.y)) > max(0.01, 4 * seen.noise) else { continue }
        let place = Place(values: values, seen: seen)
        if place.distance < best.distance { best = place }
        return change / Double(moved - value)
      }
      share *= 4
    }
    throw .noLaw(
      control.id,
      reason: isSeen
        ? "the picture does not change with it"
        : "the picture is clipped or black wherever it is moved; change the exposure")
  }

  private func settings(of values: [ControlValue]) async throws(CameraError) -> [ControlValue] {
    var now: [ControlValue] = []
    for value in values { now.append(ControlValue(value.id, try await port.value(of: value.id))) }
    return now
  }

  private func unseen() async throws(CameraError) -> CameraError {
    .nothingToSee(try await nextMean().1.refusals)
  }
}

/// How far the color of a card is from neutral.
enum CardColor {
  /// The distance in CIELAB's a*, b*, read as linear sRGB of a gray card, a* stretched as CIEDE2000
  /// does near neutral.
  ///
  /// - Parameter color: the card's, 1 where it is white.
  static func distance(_ color: LinearRGB) -> Double {
    let lab = LabColor(LinearRGB(0.18 * color.vector), in: .sRGB)
    return (2.25 * lab.a * lab.a + lab.b * lab.b).squareRoot()
  }

  /// - Parameter ratios: ln(red/green), ln(blue/green).
  static func distance(_ ratios: SIMD2<Double>) -> Double {
    distance(LinearRGB(red: exponential(ratios.x), green: 1, blue: exponential(ratios.y)))
  }
}

/// The steps of one or two controls towards a neutral card: Newton's, with slopes that every look
/// corrects (C. G. Broyden, Mathematics of Computation 19, 1965).
struct NeutralSearch {
  private let controls: [ControlDescription]
  /// The change of ln(red/green), ln(blue/green) by one step of each control's value.
  var slopes: [SIMD2<Double>] = []
  private var tried: Set<[ControlValue]> = []
  /// The share of Newton's step that is taken.
  private var share = 1.0

  private static let limit = 24

  init(controls: [ControlDescription]) { self.controls = controls }

  mutating func add(_ values: [ControlValue]) { tried.insert(values) }

  /// What to try next; `nil` where no step would bring the card nearer.
  mutating func next(
    after values: [ControlValue], _ ratios: SIMD2<Double>
  ) -> [ControlValue]? {
    guard tried.count < Self.limit else { return nil }
    let now = controls.map { Double(values[$0.id] ?? $0.defaultValue) }
    let wanted = nearest(to: now, ratios)
    func place(_ numbers: [Double]) -> [ControlValue] {
      zip(controls, numbers).map { ControlValue($0.id, $0.snapped($1)) }
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
    // Around the best there may be a nearer step.
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

  /// The numbers at which the slopes promise the nearest to neutral, within the controls' ranges.
  private func nearest(to now: [Double], _ ratios: SIMD2<Double>) -> [Double] {
    func bounded(_ number: Double, _ index: Int) -> Double {
      let control = controls[index]
      // A slope holds for some way only.
      let most = 0.35 * Double(control.largest - control.minimum)
      let near = min(max(number, now[index] - most), now[index] + most)
      return min(max(near, Double(control.minimum)), Double(control.largest))
    }
    /// The best of one control, the other left where it is.
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

  /// Takes shorter steps from where the picture could not be measured.
  mutating func shorten() { share /= 2 }

  /// Learns from what a step has done.
  mutating func learn(
    from values: [ControlValue], _ before: SIMD2<Double>, to others: [ControlValue],
    _ after: SIMD2<Double>
  ) {
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

extension ControlDescription {
  /// What a menu has to choose from: not what leaves the decision to something else.
  var choices: [Int] {
    items.map(\.value).filter { $0 != automatic?.off && $0 != automatic?.on }
  }
}

extension [ControlValue] {
  func replacing(_ id: ControlID, by value: Int) -> [ControlValue] {
    map { $0.id == id ? ControlValue(id, value) : $0 }
  }

  func replacing(with others: [ControlValue]) -> [ControlValue] {
    map { ControlValue($0.id, others[$0.id] ?? $0.value) }
  }
}

extension ControlLaws {
  /// What one step of each control's value does to the card's color; `nil` where the laws do not
  /// tell.
  fileprivate func slopes(at values: [ControlValue]) -> [SIMD2<Double>]? {
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
        control.snapped(Double(value.value - width)), control.snapped(Double(value.value + width))
      )
      guard high > low, let below = ratios(values.replacing(value.id, by: low)),
        let above = ratios(values.replacing(value.id, by: high))
      else { return nil }
      slopes.append((above - below) / Double(high - low))
    }
    return slopes
  }

  private var path: GainPath? { if case .path(let path) = scheme { path } else { nil } }
}
