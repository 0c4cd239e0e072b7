package import CameraProfiles
package import ColorScience
package import WhiteBalance

/// A model of everything between a camera's controls and its pictures, learned from a gray card
/// under one lamp after another.
///
/// If a camera mixes its channels after the gains, the remaining effect of the gains indicates
/// their size; a second lamp determines it better.
package struct CameraLearning: Sendable {
  private var plan: LearnCamera?
  private var lamps = 0
  /// The neutral settings of the card under each lamp.
  private var neutral: [[ControlValue]] = []
  private var persistence: SettingPersistence?
  private var fixedSettings: [ControlValue] = []
  /// The camera with what was learned, for the next lamp.
  package private(set) var camera: Camera
  /// The picture before anything was learned.
  private let picture: FirstPicture?

  /// Creates a model without knowledge of a camera, whose exposure is locked.
  ///
  /// - Parameter picture: The picture under the first lamp before the exposure was changed.
  package init(_ camera: Camera, since picture: FirstPicture? = nil) {
    self.camera = camera
    self.picture = picture
  }

  /// Learns from the card under the current lamp.
  ///
  /// - Parameters:
  ///   - reading: The camera in its current state, in case it was opened again.
  ///   - light: The lamp's light, if it is known.
  ///   - isLast: `true` if no lamp follows; the persistence of settings is determined then.
  ///   - progress: A closure that is called before each step.
  /// - Throws: The errors of `Camera.balanceOnCard(progress:)`; `noLaw` if no model fits.
  package mutating func add(
    _ reading: Camera, under light: Light? = nil, isLast: Bool,
    progress: (LearningStep) -> Void = { _ in }
  ) async throws(CameraError) {
    let known = self
    self = try await reading.restoringOnFailure(decidesBalance: true) {
      camera async throws(CameraError) in
      var learning = known
      learning.camera = camera
      learning.camera.knowledge = known.camera.knowledge
      try await learning.learn(light, isLast, progress)
      var outside = reading
      outside.knowledge = learning.camera.knowledge
      learning.camera = outside
      return learning
    }
  }

  private mutating func learn(
    _ light: Light?, _ isLast: Bool, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) {
    if lamps > 0 { await camera.turns.forgetWatched() }
    var plan =
      if let plan { plan } else {
        LearnCamera(
          try await camera.learnableControls()[0],
          curve: try await camera.knownCurve(claimed: camera.transfer))
      }
    let first = try await firstSetting(of: plan.fit.controls)
    let start = try await startingSetting(of: plan.fit.controls, from: first, progress)
    var observer = try await CardObserver(camera, lamp: lamps, at: start)
    plan.begin(
      lamp: lamps, of: light, at: start.values.byControl, endingAt: first.values.byControl,
      exposures: observer.exposures, brighter: observer.brightExposures,
      areProportional: observer.isProportional, isLast: isLast)
    while let looks = plan.next() {
      progress(
        .learning(
          error: plan.error, goal: LearnCamera.goal, looks: plan.fit.observations.count))
      plan.add(try await observer.observe(looks))
      try plan.fit.requireEffectOfExposure(under: lamps)
    }
    let change = try await observer.change(since: lamps == 0 ? picture : nil, by: plan.fit)
    if let last = try await observer.look(at: first.values) { plan.add([last]) }
    if isLast { plan.believeCurve() }
    camera = observer.camera
    camera.exposureSeries = observer.series(of: plan.fit) ?? camera.exposureSeries
    try await camera.requireSame(observer.shown, as: first)
    // Another lamp may determine what is uncertain under this one.
    try await camera.accept(
      plan.fit, from: start, upTo: isLast ? Self.roughest(of: plan.fit.controls) : .infinity)
    if change > 0 { throw try await camera.cause(of: .sceneChanged(by: change), at: first.values) }
    if try await camera.settings(of: first.values) != first.values { observer.forgetSettings() }
    let observed = try await settleAtNeutral(&plan, &observer, else: start)
    self.plan = plan
    neutral.append(observed.values)
    lamps += 1
    if isLast { try await finish(at: observed, progress) }
  }

  /// Returns the first settings and their picture, which must be the same at the end.
  private func firstSetting(of controls: BalanceControls) async throws(CameraError)
    -> ObservedSetting
  {
    try await camera.turnOffAutomatic()
    guard let last = neutral.last else { return try await visibleSetting(of: controls) }
    if let observed = try await camera.observedSetting(last) { return observed }
    // A light very different from the last lamp may clip the card; warmer or cooler gains make it
    // measurable.
    for factor in [0.6, 1.6, 0.4, 2.5] {
      guard let settings = plan?.fit.settings(of: last.byControl, times: factor) else { continue }
      let values = last.map { ControlValue($0.id, settings[$0.id] ?? $0.value) }
      if let observed = try await camera.observedSetting(values) { return observed }
    }
    return try await visibleSetting(of: controls)
  }

  /// Returns the current settings, or settings at which the picture can be measured.
  private func visibleSetting(of controls: BalanceControls) async throws(CameraError)
    -> ObservedSetting
  {
    var observed = try await camera.startingSetting(try await camera.balancingControls())
    observed.values = try await allValues(of: controls, observed.values)
    return observed
  }

  /// Adds the current settings of the controls that are not among `values`: green stays unchanged.
  private func allValues(
    of controls: BalanceControls, _ values: [ControlValue]
  ) async throws(CameraError) -> [ControlValue] {
    var all: [ControlValue] = []
    for control in controls.descriptions {
      let value =
        if let value = values[control.id] { value } else {
          try await camera.port.value(of: control.id)
        }
      all.append(ControlValue(control.id, value))
    }
    return all
  }

  /// Returns the first settings to observe: the neutral ones under the first lamp, and `first`
  /// under later lamps, whose neutral settings the model predicts.
  private mutating func startingSetting(
    of controls: BalanceControls, from first: ObservedSetting, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) -> ObservedSetting {
    if !neutral.isEmpty { return first }
    let card = try await camera.balanceOnCardOfMany(laws: nil) { progress(.neutralizing($0)) }
    camera.learn(from: card)
    guard let seen = try await camera.settledPicture(after: 0) else {
      throw try await camera.unseen()
    }
    let values = try await allValues(of: controls, card.applied.values)
    return ObservedSetting(values: values, picture: seen)
  }

  /// The largest accepted standard error of the gains' logarithms.
  private static func roughest(of controls: BalanceControls) -> Double {
    // A control that changes red and blue together was observed where the card is neutral, whatever
    // the gains are.
    controls.descriptions.count == 1 ? 0.3 : 0.15
  }

  /// Sets the neutral settings that the model predicts, if they can be measured, and corrects them
  /// by the card's color there; the model learns from each of them.
  private mutating func settleAtNeutral(
    _ plan: inout LearnCamera, _ observer: inout CardObserver, else start: ObservedSetting
  ) async throws(CameraError) -> ObservedSetting {
    func all(_ settings: [ControlID: Int]) -> [ControlValue] {
      start.values.map { ControlValue($0.id, settings[$0.id] ?? $0.value) }
    }
    var correction = NeutralCorrection(under: lamps)
    while let settings = correction.next(by: plan.fit),
      let look = try await observer.look(at: all(settings))
    {
      plan.add([look])
      correction.add(look)
    }
    let best = correction.best.map(all) ?? start.values
    if observer.values != best || observer.shown == nil {
      if let look = try await observer.look(at: best) { plan.add([look]) }
    }
    guard let seen = observer.shown else { throw try await camera.unseen() }
    return ObservedSetting(values: best, picture: seen)
  }

  /// Determines the persistence of settings, and whether the camera's gain changes the laws.
  private mutating func finish(
    at observed: ObservedSetting, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) {
    guard var laws = laws() else { return }
    var reader = camera
    reader.mixing = laws.mixing
    reader.transfer = camera.transfer ?? foundTransfer
    laws = try await reader.completed(laws, at: observed.values)
    fixedSettings = laws.fixedSettings
    if let known = camera.persistence {
      persistence = known
    } else if camera.verificationFrames > 0 {
      let moved = try await camera.moved(laws.controls[0], from: observed)
      persistence = try await camera.examinePersistence(
        of: moved.values, seen: moved.picture, isOtherLight: lamps > 1
      ) { progress(.neutralizing(.watching(frame: $0, of: $1))) }
    }
    if lamps > 1, persistence?.baseline == .relativeToAutomatic {
      throw .relativeToAutomatic(camera: await camera.port.identity.name)
    }
    try await camera.send(observed.values)
  }

  // MARK: Results

  /// Treats exposures as numbers whose light is unknown, also in observations that were made
  /// already.
  package mutating func distrustExposures() {
    plan?.distrustExposures()
    camera.exposureSeries = nil
  }

  /// The transfer function that was found in the pictures; `nil` if none was looked for, because
  /// the pictures are linear or their function was given.
  package var foundTransfer: TransferFunction? { plan?.curve == .sRGB ? nil : transfer }

  /// The transfer function of the pictures' codes: the one that was found, or else sRGB, in which
  /// the codes of linear frames are stated, too.
  package var transfer: TransferFunction {
    plan?.fit.transfer(claimed: .sRGB) ?? .sRGB
  }

  /// Returns the laws that all lamps together determine.
  package func laws() -> ControlLaws? {
    guard var laws = plan?.laws(behind: transfer) else { return nil }
    (laws.latency, laws.settlingRate) = (
      camera.latency, camera.settlingRate == 1 ? nil : camera.settlingRate
    )
    (laws.fixedSettings, laws.persistence) = (fixedSettings, persistence)
    return laws
  }

  /// Returns the camera's response to each lamp's card at the laws' reference, with green 1.
  ///
  /// An error of the laws is in each of them, too, so both together give the settings at which the
  /// card was seen to be neutral.
  package func responses(by laws: ControlLaws) -> [LinearRGB] {
    (0..<lamps).compactMap { plan?.response(lamp: $0, at: laws.reference) }
  }
}

/// A step of learning a camera.
package enum LearningStep: Hashable, Sendable {
  /// The card is neutralized, or the picture is observed for stability.
  case neutralizing(NeutralizingStep)
  /// Settings are observed: the standard error of the gains so far, the error aimed at, and the
  /// number of observations so far.
  case learning(error: Double, goal: Double, looks: Int)
}
