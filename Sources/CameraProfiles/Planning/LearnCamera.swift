package import ColorScience

/// Decides which settings are to be looked at until a model of the camera is certain enough: a
/// planner, which knows neither ports nor time.
///
///     var plan = LearnCamera(controls)
///     plan.begin(lamp: 0, at: settings, exposures: [1, 0.5], isLast: true)
///     while let looks = plan.next() { plan.add(observe(looks)) }
///
/// Error: `RandomCameraTests` lets it look at cameras whose gains are known.
package struct LearnCamera: Sendable {
  /// What is known.
  package private(set) var fit: ModelFit
  private var exposures: [Double] = [1]
  /// More light than at the start, the most first.
  private var brighter: [Double] = []
  private var lamp = 0
  /// Where the looks under this lamp began.
  private var start: [ControlID: Int] = [:]
  /// Where they will end.
  private var end: [ControlID: Int]?
  private var stage = Stage.first
  private var isLast = true
  private var looksUnderLamp = 0
  private var idleRounds = 0

  /// The knowledge of the tone curve before any look.
  private let curve: ModelFit.Curve
  /// Laws that are not smooth, as far as they were looked at value by value under this lamp.
  private var trace: LawTrace?
  private var tracedLooks: [Observation] = []

  private enum Stage { case first, design, test, trace, white, done }

  /// The stated error that is certain enough, of gains' logarithms.
  package static let goal = 0.004
  /// Looks in a round: they are chosen together, and may be set in succession.
  private static let round = 3
  /// The most looks under a lamp: so many decide every family.
  private static let mostLooks = 24
  /// The most looks at laws that are not smooth, and how many are chosen together.
  private static let (mostOfATrace, roundOfATrace) = (150, 6)
  /// Rounds in a row that would teach little, after which a lamp has told what it can; one, where
  /// another lamp follows and red and blue have controls of their own.
  private static let mostIdleRounds = 2
  /// By how much the last look is beside neutral, along a diagonal that no control alone goes.
  private static let beside = 1.35
  /// Above this error even little is worth more of them.
  private static let largeError = 0.05

  /// Nothing is known yet.
  package init(
    _ controls: BalanceControls, wanted: ModelFit.Wanted = .aroundNeutral,
    curve: ModelFit.Curve = .learned
  ) {
    self.curve = curve
    fit = ModelFit(controls, wanted: wanted, curve: curve)
  }

  /// Begins with a lamp, counted from 0, at settings at which the card can be seen.
  ///
  /// - Parameters:
  ///   - lamp: its number.
  ///   - settings: where the card can be seen.
  ///   - end: settings that are looked at in the end anyway.
  ///   - exposures: what the exposure can be, beside the one at the start.
  ///   - brighter: more light than at the start in steps so small that one brings the card close to
  ///     white; none where it cannot be had.
  ///   - areProportional: whether light is promised to be in proportion to them.
  ///   - isLast: whether no lamp follows that may tell what this one leaves open.
  package mutating func begin(
    lamp: Int, at settings: [ControlID: Int], endingAt end: [ControlID: Int]? = nil,
    exposures: [Double], brighter: [Double] = [], areProportional: Bool = true, isLast: Bool
  ) {
    // Another lamp tells more of the tone curve, and laws are traced under one.
    if fit.curve != curve { fit = fit.withCurve(curve) }
    (trace, tracedLooks) = (nil, [])
    if !areProportional { fit.addUnknownExposures(exposures, under: lamp) }
    self.lamp = lamp
    (self.exposures, self.isLast) = (exposures, isLast)
    self.brighter = areProportional ? brighter : []
    (start, self.end) = (settings, end)
    (stage, looksUnderLamp, idleRounds) = (.first, 0, 0)
  }

  /// The stated error; infinite before enough looks.
  package var error: Double { fit.family == nil ? .infinity : fit.statedError }

  /// The next looks; `nil` when no more are worth their frames.
  package mutating func next() -> [LookDesign.Look]? {
    switch stage {
    case .first:
      stage = .design
      return firstLooks
    case .design:
      guard looksUnderLamp < Self.mostLooks else { return test() }
      // What one control does takes all that a lamp tells.
      let isBrief = !isLast && fit.controls.areSeparate
      let most = isBrief ? 1 : (error < Self.largeError ? 1 : 2) * Self.mostIdleRounds
      // One look follows anyway.
      let missing = missingLooks - 1
      if error < Self.goal, missing <= 0 { return test() }
      let design = fit.nextLooks(
        lamp: lamp, count: error < Self.goal ? min(missing, Self.round) : Self.round,
        exposures: exposures)
      idleRounds = design.isWorthwhile ? 0 : idleRounds + 1
      if design.looks.isEmpty || idleRounds >= most && missing <= 0 { return test() }
      return design.looks
    case .test:
      stage = .trace
      // What was foretold and is not so widens the stated error, and more looks narrow it.
      let missing = missingLooks
      if isLast, error > 2 * Self.goal || missing > 0, looksUnderLamp < Self.mostLooks {
        let design = fit.nextLooks(
          lamp: lamp, count: missing > 0 ? min(missing, Self.round) : Self.round,
          exposures: exposures)
        if design.isWorthwhile || missing > 0 && !design.looks.isEmpty { return design.looks }
      }
      return next()
    case .trace:
      if let looks = nextTrace() { return looks }
      stage = .white
      return next()
    case .white:
      // After all other looks the model knows best how much more light it takes.
      if isLast, looksUnderLamp < Self.mostLooks + Self.round, let look = nearWhite {
        return [look]
      }
      stage = .done
      return nil
    case .done: return nil
    }
  }

  /// The laws of the controls over the values that were looked at, each with its stated error.
  ///
  /// `nil` before enough is known.
  ///
  /// - Parameters:
  ///   - transfer: the curve behind which codes are saturated.
  ///   - start: where gains are 1; by default the controls' default values, or where those were
  ///     never seen the first lamp's neutral ones.
  package func laws(
    behind transfer: TransferFunction, from start: [ControlID: Int]? = nil
  ) -> ControlLaws? { fit.laws(behind: transfer, from: start, tracedBy: trace) }

  /// The camera's response to a lamp's card at the reference of its laws, green 1, and the standard
  /// errors of its logarithms of red and of blue.
  package func response(
    lamp: Int, at reference: [ControlValue]
  ) -> (response: LinearRGB, errors: (red: Double, blue: Double)) {
    let (response, errors) = fit.response(lamp: lamp, at: reference)
    guard let trace else { return (response, errors) }
    let excess = fit.excess(of: trace, lamp: lamp, at: reference.byControl)
    return (
      LinearRGB(
        response.vector
          * SIMD3(exponential(excess.x - excess.y), 1, exponential(excess.z - excess.y))), errors
    )
  }

  /// Takes codes for those that sRGB makes, if that makes the looks more probable.
  package mutating func believeCurve() { refit(fit.withBelievedCurve()) }

  /// Takes exposures for numbers whose light is not known, of the looks that were taken too.
  package mutating func distrustExposures() {
    refit(fit.withCurve(curve).withoutTrustInExposures().withBelievedCurve())
  }

  /// Takes the camera for one that chooses the exposure of each look by itself.
  package mutating func distrustExposureOfEachLook() { refit(fit.withChosenExposures()) }

  private mutating func refit(_ other: ModelFit) {
    fit = other
    guard trace != nil else { return }
    trace = newTrace
    for look in tracedLooks { addToTrace(look) }
  }

  /// Takes what was seen of looks.
  package mutating func add(_ observations: [Observation]) {
    looksUnderLamp += observations.count
    // Gains are traced beside a fit, which has to stay.
    guard trace != nil else { return fit.add(observations) }
    tracedLooks += observations
    for look in observations { addToTrace(look) }
  }

  private mutating func addToTrace(_ look: Observation) {
    trace?.add(look.settings, fit.gains(at: look))
  }

  /// The next looks at laws that are not smooth; `nil` where all are, or enough was seen of them.
  private mutating func nextTrace() -> [LookDesign.Look]? {
    if trace == nil {
      guard isLast, fit.controls.menu == nil, fit.followsStairs() else { return nil }
      trace = newTrace
    }
    let settings = trace?.next(Self.roundOfATrace, others: start) ?? []
    if settings.isEmpty {
      tieToOtherLamps()
      return nil
    }
    return settings.map { LookDesign.Look(settings: $0, exposure: exposure(at: $0)) }
  }

  /// Fits the looks of the trace, too, at values that were looked at under other lamps: only these
  /// tell how strong gains are that are no law's.
  private mutating func tieToOtherLamps() {
    let others = fit.observations.filter { $0.lamp != lamp }.map(\.settings)
    let shared = tracedLooks.filter { look in
      others.contains { other in look.settings.contains { other[$0.key] == $0.value } }
    }
    if shared.isEmpty { return }
    var other = fit
    other.add(shared)
    refit(other)
  }

  /// A trace of what is wanted, and of what was looked at under other lamps, which ties it to them.
  private var newTrace: LawTrace {
    let ranges = fit.tracedRanges
    var marks: [ControlID: [Int]] = [:]
    for (control, range) in ranges {
      let seen = fit.observations.compactMap { $0.settings[control.id] }.filter(range.contains)
      marks[control.id] =
        seen + [start[control.id], fit.controls.reference[control.id]].compactMap(\.self)
    }
    return LawTrace(
      fit.controls, ranges, marks: marks, under: lamp, most: Self.mostOfATrace)
  }

  /// How many more looks it takes until what is stated counts; none while a lamp follows.
  private var missingLooks: Int {
    for doubt in fit.doubts where isLast {
      if case .fewLooks(let least) = doubt { return max(least - fit.observations.count, 0) }
    }
    return 0
  }

  private mutating func test() -> [LookDesign.Look]? {
    stage = .test
    return testLooks
  }

  /// The start, in half the light too, and each control moved by an eighth of its range, the last
  /// in a quarter of the light; of a menu all choices.
  ///
  /// What is there already comes last, since looks in succession have to change the picture.
  private var firstLooks: [LookDesign.Look] {
    let full = LookDesign.Look(settings: start, exposure: 1)
    if lamp > 0 { return [full] }
    var looks: [LookDesign.Look] = []
    for control in fit.controls.descriptions {
      for value in moves(of: control) {
        looks.append(
          LookDesign.Look(settings: start.merging([control.id: value]) { $1 }, exposure: 1))
      }
    }
    if let last = looks.indices.last, fit.controls.menu == nil {
      looks[last].exposure = exposure(nearest: 0.25)
    }
    let half = exposure(nearest: 0.5)
    if half != 1 { looks.insert(LookDesign.Look(settings: start, exposure: half), at: 0) }
    return looks + [full]
  }

  private func exposure(nearest share: Double) -> Double {
    exposures.min { abs(logarithm($0 / share)) < abs(logarithm($1 / share)) } ?? 1
  }

  private func moves(of control: ControlDescription) -> [Int] {
    let now = start[control.id] ?? control.defaultValue
    if !control.items.isEmpty { return control.choices.filter { $0 != now } }
    let way = Double(control.largest - control.minimum) / 8
    let inwards = now > control.value(atShare: 0.5) ? -1.0 : 1.0
    return [control.snapped(Double(now) + inwards * way)].filter { $0 != now }
  }

  /// Settings that nothing was chosen for: the default, and with the last lamp one beside neutral;
  /// of a menu all choices that were not looked at, since none says anything of another.
  private var testLooks: [LookDesign.Look] {
    if fit.wanted == .everySetting, fit.controls.menu == nil { return spreadLooks }
    guard let neutral = fit.neutralSettings(lamp: lamp) else { return [] }
    var looks: [LookDesign.Look] = []
    func add(_ settings: [ControlID: Int]) {
      if settings == end { return }
      if fit.observations.contains(where: { $0.lamp == lamp && $0.settings == settings }) { return }
      let look = LookDesign.Look(settings: settings, exposure: exposure(at: settings))
      if !looks.contains(look) { looks.append(look) }
    }
    if let menu = fit.controls.menu {
      for choice in menu.choices { add([menu.id: choice]) }
      return looks
    }
    if lamp == 0 { add(fit.controls.reference) }
    if !isLast { return looks }
    if let beside = fit.settings(of: neutral, times: Self.beside) { add(beside) }
    return looks
  }

  /// Settings all over the ranges, each control at another share of its own.
  private var spreadLooks: [LookDesign.Look] {
    let shares = [0.12, 0.3, 0.5, 0.72, 0.92]
    return shares.indices.map { index in
      var settings = start
      for (place, control) in fit.controls.descriptions.enumerated() {
        settings[control.id] = control.value(atShare: shares[(index + 2 * place) % shares.count])
      }
      return LookDesign.Look(settings: settings, exposure: exposure(at: settings))
    }
  }

  /// The card closer to white than it was seen: only that tells how much light white is, of a curve
  /// of the camera's own; `nil` where the curve is the usual one, or no exposure brings it closer.
  private var nearWhite: LookDesign.Look? {
    guard !brighter.isEmpty, fit.transfer(claimed: .sRGB) != .sRGB,
      let neutral = fit.neutralSettings(lamp: lamp)
    else { return nil }
    let tried = fit.observations.filter { $0.lamp == lamp && $0.settings == neutral }
    return brighter.sorted(by: >).first { exposure in
      fit.brightestCode(lamp: lamp, settings: neutral, exposure: exposure) < Self.brightest
    }.flatMap { exposure in
      tried.contains { $0.exposure >= exposure }
        ? nil : LookDesign.Look(settings: neutral, exposure: exposure)
    }
  }

  /// The brightest expected code that is surely not clipped.
  private static let brightest = 241.0

  /// The brightest exposure at which nothing is expected to clip.
  private func exposure(at settings: [ControlID: Int]) -> Double {
    exposures.sorted(by: >).first { exposure in
      fit.brightestCode(lamp: lamp, settings: settings, exposure: exposure) < 210
    } ?? exposures.min() ?? 1
  }
}
