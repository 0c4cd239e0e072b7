package import CameraProfiles
package import ColorScience
internal import WhiteBalance

/// What is learned of a camera from a gray card, under one lamp after another: a model of all that
/// stands between its controls and its pictures.
///
/// A camera that mixes its channels behind the gains tells how strong its gains are by how much the
/// mixing leaves of them; a second lamp tells it better.
package struct CameraLearning: Sendable {
  private var plan: LearnCamera?
  private var lamps = 0
  /// Of each lamp, where the card is neutral, and what it looks like there.
  private var neutral: [[ControlValue]] = []
  private var endurance: Endurance?
  private var held: [ControlValue] = []
  /// The camera with what was learned of it, for the next lamp.
  package private(set) var camera: Camera

  /// Nothing is known of a camera yet, whose exposure is locked.
  package init(_ camera: Camera) { self.camera = camera }

  /// Learns from the card under the lamp that is on it.
  ///
  /// - Parameters:
  ///   - reading: the camera as it is now, if it was opened again.
  ///   - isLast: whether what becomes of settings is to be found out, too.
  ///   - progress: called with what is done.
  /// - Throws: as `Camera.neutralizeCard(progress:)`; `noLaw` where no model describes what the
  ///   picture shows.
  package mutating func add(
    _ reading: Camera, isLast: Bool, progress: (LearningStep) -> Void = { _ in }
  ) async throws(CameraError) {
    let known = self
    self = try await reading.restoringOnFailure(decidesBalance: true) {
      camera async throws(CameraError) in
      var learning = known
      learning.camera = camera
      learning.camera.knowledge = known.camera.knowledge
      try await learning.learn(isLast, progress)
      var outside = reading
      outside.knowledge = learning.camera.knowledge
      learning.camera = outside
      return learning
    }
  }

  private mutating func learn(
    _ isLast: Bool, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) {
    if lamps > 0 { await camera.turns.forgetWatched() }
    var plan =
      if let plan { plan } else {
        LearnCamera(
          try await camera.learnableControls()[0],
          curve: try await camera.knownCurve(claimed: camera.transfer))
      }
    let first = try await firstPlace(of: plan.fit.controls)
    let start = try await startingPlace(of: plan.fit.controls, from: first, progress)
    var observer = try await CardObserver(camera, lamp: lamps, at: start)
    plan.begin(
      lamp: lamps, at: start.values.byControl, endingAt: first.values.byControl,
      exposures: observer.exposures, brighter: observer.brightExposures,
      areProportional: observer.isProportional, isLast: isLast)
    while let looks = plan.next() {
      progress(
        .learning(
          error: plan.error, goal: LearnCamera.goal, looks: plan.fit.observations.count))
      plan.add(try await observer.observe(looks))
      try plan.fit.requireEffectOfExposure(under: lamps)
    }
    if let last = try await observer.look(at: first.values) { plan.add([last]) }
    if isLast { plan.believeCurve() }
    camera = observer.camera
    camera.exposureSeries = observer.series(of: plan.fit) ?? camera.exposureSeries
    try await camera.requireSame(observer.shown, as: first)
    // Another lamp may tell what this one leaves open.
    try await camera.accept(
      plan.fit, from: start, upTo: isLast ? Self.roughest(of: plan.fit.controls) : .infinity)
    if try await camera.settings(of: first.values) != first.values { observer.forgetSettings() }
    let place = try await settleAtNeutral(&plan, &observer, else: start)
    self.plan = plan
    neutral.append(place.values)
    lamps += 1
    if isLast { try await finish(at: place, progress) }
  }

  /// What is seen before anything is moved, which has to be seen again at the end.
  private func firstPlace(of controls: BalanceControls) async throws(CameraError) -> Place {
    try await camera.turnOffAutomatic()
    guard let last = neutral.last else { return try await visiblePlace(of: controls) }
    if let seen = try await camera.observe(last) { return Place(values: last, seen: seen) }
    // A light far from the last lamp's may hide the card; one step warmer or cooler shows it.
    for factor in [0.6, 1.6, 0.4, 2.5] {
      guard let settings = plan?.fit.settings(of: last.byControl, times: factor) else { continue }
      let values = last.map { ControlValue($0.id, settings[$0.id] ?? $0.value) }
      if let seen = try await camera.observe(values) { return Place(values: values, seen: seen) }
    }
    return try await visiblePlace(of: controls)
  }

  /// Where the controls are, or where the picture can be seen.
  private func visiblePlace(of controls: BalanceControls) async throws(CameraError) -> Place {
    var place = try await camera.startingPlace(try await camera.balancingControls())
    place.values = try await allValues(of: controls, place.values)
    return place
  }

  /// Settings with those of controls that are not among them, as they are: green stays.
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

  /// Where the looks begin: under the first lamp where the card is neutral, later where the model
  /// knows the way.
  private mutating func startingPlace(
    of controls: BalanceControls, from first: Place, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) -> Place {
    if !neutral.isEmpty { return first }
    let card = try await camera.neutralizeCardOfMany(laws: nil) { progress(.neutralizing($0)) }
    camera.learn(from: card)
    guard let seen = try await camera.rest(after: 0) else { throw try await camera.unseen() }
    let values = try await allValues(of: controls, card.applied.values)
    return Place(values: values, seen: seen)
  }

  /// The largest stated error of gains' logarithms that is still of use.
  private static func roughest(of controls: BalanceControls) -> Double {
    // Of a control that moves red and blue together it was seen where a lamp's card is neutral,
    // whatever the gains are.
    controls.descriptions.count == 1 ? 0.3 : 0.15
  }

  /// Where the model says that the card is neutral, if that can be seen; it learns from that, too.
  private mutating func settleAtNeutral(
    _ plan: inout LearnCamera, _ observer: inout CardObserver, else start: Place
  ) async throws(CameraError) -> Place {
    guard let settings = plan.fit.neutralSettings(lamp: lamps) else { return start }
    for values in [start.values.map { ControlValue($0.id, settings[$0.id] ?? $0.value) }]
      + [start.values]
    {
      if let look = try await observer.look(at: values) { plan.add([look]) }
      if let seen = observer.shown { return Place(values: values, seen: seen) }
    }
    throw try await camera.unseen()
  }

  /// Finds out what becomes of settings, and whether the gain changes what they do.
  private mutating func finish(
    at place: Place, _ progress: (LearningStep) -> Void
  ) async throws(CameraError) {
    guard var laws = laws() else { return }
    var reader = camera
    reader.mixing = laws.mixing
    if camera.transfer == nil { reader.transfer = transfer }
    laws = try await reader.completed(laws, at: place.values)
    held = laws.held
    if let known = camera.endurance {
      endurance = known
    } else if camera.watchedFrames > 0 {
      let moved = try await camera.moved(laws.controls[0], from: place)
      endurance = try await camera.examineEndurance(
        of: moved.values, seen: moved.seen, isOtherLight: lamps > 1
      ) { progress(.neutralizing(.watching(frame: $0, of: $1))) }
    }
    if lamps > 1, endurance?.isRelative == true {
      throw .relativeToAutomatic(camera: await camera.port.identity.name)
    }
    try await camera.send(place.values)
  }

  // MARK: What is known

  /// Takes exposures for numbers whose light is not known: what was learned follows from the same
  /// looks without them.
  package mutating func distrustExposures() {
    plan?.distrustExposures()
    camera.exposureSeries = nil
  }

  /// The transfer function of the pictures: what they claim, or what was found.
  package var transfer: TransferFunction {
    plan?.fit.transfer(claimed: .sRGB) ?? .sRGB
  }

  /// The laws, as well as all lamps together tell them.
  package func laws() -> ControlLaws? {
    guard var laws = plan?.laws(behind: transfer) else { return nil }
    (laws.latency, laws.pace) = (camera.latency, camera.pace == 1 ? nil : camera.pace)
    (laws.held, laws.endurance) = (held, endurance)
    return laws
  }

  /// Calibration shots: the camera's response to each lamp's card at the laws' reference, green 1,
  /// and the larger standard error of its ratios.
  package func responses(by laws: ControlLaws) -> [(response: LinearRGB, error: Double)] {
    (0..<lamps).compactMap { lamp in
      plan.map { plan in
        let (response, errors) = plan.response(lamp: lamp, at: laws.reference)
        return (response, max(errors.red, errors.blue))
      }
    }
  }
}

/// What happens while a camera is learned.
package enum LearningStep: Hashable, Sendable {
  /// The card is made neutral, or watched.
  case neutralizing(NeutralizingStep)
  /// Settings are looked at: the stated error of gains so far, the one that is certain enough, and
  /// how many looks there were.
  case learning(error: Double, goal: Double, looks: Int)
}
