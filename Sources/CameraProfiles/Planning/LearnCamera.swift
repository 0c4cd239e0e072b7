package import ColorScience
package import WhiteBalance

/// A planner that decides which settings to observe until a model of the camera is certain enough.
/// It is independent of cameras and of time.
///
///     var plan = LearnCamera(controls)
///     plan.begin(lamp: 0, at: settings, exposures: [1, 0.5], isLast: true)
///     while let looks = plan.next() { plan.add(observe(looks)) }
///
/// Error: `RandomCameraTests` measures it with cameras whose gains are known.
package struct LearnCamera: Sendable {
  /// The model fitted so far.
  package private(set) var fit: ModelFit
  private var exposures: [Double] = [1]
  /// Larger exposures than at the start.
  private var brighter: [Double] = []
  private var lamp = 0
  /// The first settings under this lamp.
  private var start: [ControlID: Int] = [:]
  /// The last settings under this lamp.
  private var end: [ControlID: Int]?
  private var stage = Stage.first
  private var isLast = true
  private var looksUnderLamp = 0
  private var idleRounds = 0

  /// The prior knowledge of the tone curve.
  package let curve: ModelFit.Curve
  /// The laws that are not smooth, while they are traced under this lamp.
  private var tracing: Tracing?

  /// Laws that are traced value by value.
  private struct Tracing {
    var trace: LawTrace
    /// The observations of the trace.
    var looks: [Observation] = []
    /// The largest code that observations are predicted to have.
    var brightest = LearnCamera.bright
    /// The fit of smooth laws, before laws were traced.
    let smoothFit: ModelFit

    /// The factor of `brightest` after an observation that clipped nevertheless.
    private static let dimmer = 0.75

    /// Adds an observation whose gains were determined by a fit.
    mutating func add(_ look: Observation, _ gains: [Double]?) {
      looks.append(look)
      trace.add(look.settings, gains)
    }

    /// Makes the next observations darker if one of these clipped.
    mutating func noteClipping(in observations: [Observation]) {
      if observations.contains(where: \.isWhite) { brightest *= Self.dimmer }
    }
  }

  private enum Stage { case first, design, test, trace, white, done }

  /// The stated error of the gains' natural logarithms below which a lamp's observations end.
  package static let goal = 0.004
  /// The number of observations in a round: they are chosen together, and may be made in
  /// succession.
  private static let round = 3
  /// The largest number of observations under a lamp, enough to distinguish all model families.
  private static let mostLooks = 24
  /// The largest number of observations of laws that are not smooth, and the number chosen
  /// together.
  private static let (mostOfATrace, roundOfATrace) = (150, 6)
  /// The number of successive rounds that reduce the error little and thereby end a lamp's
  /// observations. If another lamp follows and red and blue have separate controls, one such round
  /// is enough.
  private static let mostIdleRounds = 2
  /// The factor by which the gains of a test differ from neutral, in a direction in which no single
  /// control moves them.
  private static let beside = 1.35
  /// The error above which twice as many such rounds are needed.
  private static let largeError = 0.05

  /// Creates a planner without observations.
  package init(
    _ controls: BalanceControls, wanted: ModelFit.Wanted = .aroundNeutral,
    curve: ModelFit.Curve = .learned
  ) {
    self.curve = curve
    fit = ModelFit(controls, wanted: wanted, curve: curve)
  }

  /// Begins with a lamp at settings at which the card can be seen.
  ///
  /// - Parameters:
  ///   - lamp: The index of the lamp, counted from 0.
  ///   - light: The lamp's light, if it is known.
  ///   - settings: Settings at which the card can be seen.
  ///   - end: Settings that are observed at the end in any case.
  ///   - exposures: The possible exposures, relative to the one at the start.
  ///   - brighter: Larger exposures than at the start, in steps small enough that one of them
  ///     brings the card close to white; empty if there are none.
  ///   - areProportional: `true` if light is stated to be proportional to the exposures.
  ///   - isLast: `true` if no other lamp follows.
  package mutating func begin(
    lamp: Int, of light: Light? = nil, at settings: [ControlID: Int],
    endingAt end: [ControlID: Int]? = nil,
    exposures: [Double], brighter: [Double] = [], areProportional: Bool = true, isLast: Bool
  ) {
    // Another lamp gives more information on the tone curve, so the curve is determined again. Laws
    // are traced under one lamp only.
    if fit.curve != curve { fit = fit.withCurve(curve) }
    tracing = nil
    if let light { fit.addLamp(light) }
    fit.begin(lamp: lamp, exposures: exposures, areProportional: areProportional)
    self.lamp = lamp
    (self.exposures, self.isLast) = (exposures, isLast)
    self.brighter = fit.trustsExposures ? brighter : []
    (start, self.end) = (settings, end)
    (stage, looksUnderLamp, idleRounds) = (.first, 0, 0)
  }

  /// The stated error; infinite before enough observations.
  package var error: Double { fit.family == nil ? .infinity : fit.statedError }

  /// The next observations; `nil` when further ones would contribute too little.
  package mutating func next() -> [LookDesign.Look]? {
    switch stage {
    case .first:
      stage = .design
      return firstLooks
    case .design:
      guard looksUnderLamp < Self.mostLooks else { return test() }
      // A single control needs all the information that a lamp gives.
      let isBrief = !isLast && fit.controls.areSeparate
      let most = isBrief ? 1 : (error < Self.largeError ? 1 : 2) * Self.mostIdleRounds
      // The test adds one observation in any case.
      let missing = missingLooks - 1
      if error < Self.goal, missing <= 0 { return test() }
      let design = fit.nextLooks(
        lamp: lamp, count: error < Self.goal ? min(missing, Self.round) : Self.round,
        exposures: exposures)
      idleRounds = design.isWorthwhile ? 0 : idleRounds + 1
      if design.looks.isEmpty || idleRounds >= most && missing <= 0 { return test() }
      return design.looks
    case .test:
      let choices = missingChoices
      if !choices.isEmpty { return choices }
      stage = .trace
      // A test that contradicts its prediction raises the stated error; more observations lower it.
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
      // This comes last, when the model best predicts the exposure at which the card is white.
      if isLast, looksUnderLamp < Self.mostLooks + Self.round, let look = nearWhite {
        return [look]
      }
      stage = .done
      return nil
    case .done: return nil
    }
  }

  /// The laws of the controls over the values that were observed, each with its stated error.
  ///
  /// `nil` before enough is known.
  ///
  /// - Parameters:
  ///   - transfer: The tone curve, after which the saturation is applied.
  ///   - start: The settings whose gains are 1; by default the controls' default values, or, if
  ///     those were never seen, the first lamp's neutral ones.
  package func laws(
    behind transfer: TransferFunction, from start: [ControlID: Int]? = nil
  ) -> ControlLaws? { fit.laws(behind: transfer, from: start, tracedBy: tracing?.trace) }

  /// The camera's response to a lamp's card at the reference of its laws, with green 1.
  package func response(lamp: Int, at reference: [ControlValue]) -> LinearRGB {
    let response = fit.response(lamp: lamp, at: reference)
    guard let trace = tracing?.trace else { return response }
    let excess = fit.excess(of: trace, lamp: lamp, at: reference.byControl)
    return LinearRGB(
      response.vector
        * SIMD3(exponential(excess.x - excess.y), 1, exponential(excess.z - excess.y)))
  }

  /// Assumes sRGB's codes, if that makes the observations more probable.
  package mutating func believeCurve() { refit(fit.withBelievedCurve()) }

  /// Treats exposures as numbers whose light is unknown, also those of earlier observations.
  package mutating func distrustExposures() {
    refit(fit.withCurve(curve).withoutTrustInExposures().withBelievedCurve())
  }

  /// Assumes that the camera chooses the exposure of each observation itself.
  package mutating func distrustExposureOfEachLook() { refit(fit.withChosenExposures()) }

  private mutating func refit(_ other: ModelFit) {
    fit = other
    for look in tracing?.looks ?? [] {
      if let gains = fit.gains(at: look) { tracing?.trace.replace(look.settings, gains) }
    }
  }

  /// Adds observations.
  package mutating func add(_ observations: [Observation]) {
    looksUnderLamp += observations.count
    // Gains are traced relative to a fit, which must not change meanwhile.
    guard tracing != nil else {
      fit.learn(observations)
      if !fit.trustsExposures { brighter = [] }
      return
    }
    for look in observations { tracing?.add(look, fit.gains(at: look)) }
    tracing?.noteClipping(in: observations)
  }

  /// The next observations of laws that are not smooth; `nil` if all laws are smooth, or enough was
  /// observed.
  private mutating func nextTrace() -> [LookDesign.Look]? {
    if tracing == nil {
      let smoothFit = fit
      guard isLast, fit.controls.menu == nil, fit.followsStairs() else { return nil }
      tracing = Tracing(trace: newTrace, smoothFit: smoothFit)
    }
    let settings = tracing?.trace.next(Self.roundOfATrace, others: start) ?? []
    if settings.isEmpty {
      tieToOtherLamps()
      dropUselessTrace()
      return nil
    }
    return settings.map { LookDesign.Look(settings: $0, exposure: exposure(at: $0)) }
  }

  /// Adds to the fit those observations of the trace whose values were also observed under other
  /// lamps: only these connect gains that deviate from a smooth law with the other lamps.
  private mutating func tieToOtherLamps() {
    let others = fit.observations.filter { $0.lamp != lamp }.map(\.settings)
    let shared = (tracing?.looks ?? []).filter { look in
      others.contains { other in look.settings.contains { other[$0.key] == $0.value } }
    }
    if shared.isEmpty { return }
    var other = fit
    other.add(shared)
    refit(other)
  }

  /// Returns to the smooth laws if the traced gains neither rise nor fall: the pictures were too
  /// dark, or something other than stairs made the smooth laws deviate.
  private mutating func dropUselessTrace() {
    guard let tracing, laws(behind: .sRGB) == nil else { return }
    (fit, self.tracing) = (tracing.smoothFit, nil)
  }

  /// A trace of the wanted values, and of those that were also observed under other lamps, which
  /// connect the trace with these lamps.
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

  /// The number of observations that are missing until the stated error is reliable; none while a
  /// lamp follows.
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

  /// The first observations: the start at half the exposure, each control moved by an eighth of its
  /// range (the last of them at a quarter of the exposure), or all choices of a menu, and the
  /// start. Under a later lamp, only the start.
  ///
  /// The current settings come last, since observations in succession have to change the picture.
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
    return [control.nearestValue(to: Double(now) + inwards * way)].filter { $0 != now }
  }

  /// Settings for testing the model, which were not chosen for their information: under the first
  /// lamp the default, and under the last one a setting next to neutral.
  private var testLooks: [LookDesign.Look] {
    if fit.controls.menu != nil { return missingChoices }
    if fit.wanted == .everySetting { return spreadLooks }
    guard let neutral = fit.neutralSettings(lamp: lamp) else { return [] }
    var looks: [LookDesign.Look] = []
    func add(_ settings: [ControlID: Int]) {
      if settings == end { return }
      if fit.observations.contains(where: { $0.lamp == lamp && $0.settings == settings }) { return }
      let look = LookDesign.Look(settings: settings, exposure: exposure(at: settings))
      if !looks.contains(look) { looks.append(look) }
    }
    if lamp == 0 { add(fit.controls.reference) }
    if !isLast { return looks }
    if let beside = fit.settings(of: neutral, times: Self.beside) { add(beside) }
    return looks
  }

  /// The choices of a menu that were not measured under this lamp, since they are unrelated. Where
  /// the card was clipped, the exposure is reduced.
  private var missingChoices: [LookDesign.Look] {
    guard let menu = fit.controls.menu else { return [] }
    let dimmer = exposures.filter { $0 <= 1 }.sorted(by: >)
    return menu.choices.compactMap { choice in
      let tries = fit.observations.filter {
        $0.lamp == lamp && $0.settings[menu.id] == choice && $0.exposure <= 1
      }
      if tries.count >= dimmer.count || tries.contains(where: { any($0.usable) }) { return nil }
      return LookDesign.Look(settings: [menu.id: choice], exposure: dimmer[tries.count])
    }
  }

  /// Settings spread over the ranges, each control at a different fraction.
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

  /// An observation of the card closer to white than in all others. For a curve other than sRGB's,
  /// only this determines the linear value of white. `nil` if the curve is sRGB's, or no exposure
  /// brings the card closer.
  private var nearWhite: LookDesign.Look? {
    guard !brighter.isEmpty, fit.transfer(claimed: .sRGB) != .sRGB,
      let neutral = fit.neutralSettings(lamp: lamp)
    else { return nil }
    let tried = fit.observations.filter { $0.lamp == lamp && $0.settings == neutral }
    return brighter.sorted(by: >).first { exposure in
      fit.brightestCode(lamp: lamp, settings: neutral, exposure: exposure) < Self.nearlyWhite
    }.flatMap { exposure in
      tried.contains { $0.exposure >= exposure }
        ? nil : LookDesign.Look(settings: neutral, exposure: exposure)
    }
  }

  /// The largest predicted code at which the card is certainly not clipped.
  private static let nearlyWhite = 241.0
  /// The largest code that observations are predicted to have before the model is certain.
  private static let bright = 210.0

  /// The largest exposure at which no channel is predicted to clip.
  private func exposure(at settings: [ControlID: Int]) -> Double {
    exposures.sorted(by: >).first { exposure in
      fit.brightestCode(lamp: lamp, settings: settings, exposure: exposure)
        < tracing?.brightest ?? Self.bright
    } ?? exposures.min() ?? 1
  }
}
