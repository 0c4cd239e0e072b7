internal import CameraProfiles
internal import SimulatedScenes

/// The fault of a random camera: one, or none.
package enum RandomFault: String, CaseIterable, Sendable {
  case none
  case returnsAfter, returnsAtStart, isRelative
  case readsLate, readsInSteps, takesLastOnly, refusesWhileAutomatic, roundsTo, misreports
  case dropsUnchanged, hysteresis, drift, exposureStays, latencyJitter, lampChange
  case ignoresSettings, lostFrames, frozenFrames, stalls, vanishes, forgets, intrusion, isHeld

  /// The relative frequency of each fault.
  static let weights: [(weight: Double, element: RandomFault)] = [
    (10, .returnsAfter), (7, .returnsAtStart), (7, .isRelative), (8, .readsLate),
    (5, .readsInSteps), (8, .takesLastOnly), (8, .refusesWhileAutomatic), (4, .roundsTo),
    (3, .misreports), (5, .dropsUnchanged), (9, .hysteresis), (7, .drift), (7, .exposureStays),
    (5, .latencyJitter), (7, .lampChange), (5, .ignoresSettings), (4, .lostFrames),
    (3, .frozenFrames), (2, .stalls), (2, .vanishes), (3, .forgets), (3, .intrusion), (1, .isHeld),
  ]

  /// Returns `true` if the fault has an effect in a camera of this kind.
  func applies(to configuration: SimulatedCamera.Configuration) -> Bool {
    let controls = configuration.balance.controls
    return switch self {
    case .takesLastOnly, .hysteresis, .roundsTo, .readsInSteps, .misreports:
      controls.contains { ControlID.balances.contains($0.id) }
    case .readsLate, .refusesWhileAutomatic:
      controls.contains { SimulatedBalance.governed.contains($0.id) }
    case .exposureStays: configuration.exposure != nil
    default: true
    }
  }

  /// Adds the fault to a camera, and records it.
  func befall(_ configuration: inout SimulatedCamera.Configuration, _ dice: inout Dice) {
    var faults = configuration.faults
    var detail = ""
    func noted(_ value: Int) -> Int {
      detail = " \(value)"
      return value
    }
    let balance = configuration.balance.controls.first { ControlID.balances.contains($0.id) }
    let range = balance.map { Double($0.maximum - $0.minimum) } ?? 0
    switch self {
    case .none: return
    case .returnsAfter: faults.returnsAfter = noted(Int(dice.scale(5...200)))
    case .returnsAtStart: faults.returnsAtStart = true
    case .isRelative: faults.isRelative = true
    case .readsLate: faults.readsLate = noted(dice.whole(1...9))
    case .readsInSteps: faults.readsInSteps = noted(dice.one(of: [2, 4]))
    case .takesLastOnly: faults.takesLastOnly = true
    case .refusesWhileAutomatic: faults.refusesWhileAutomatic = true
    case .roundsTo: faults.roundsTo = noted(max(2, Int(range * dice.scale(0.002...0.01))))
    case .misreports: faults.misreports = true
    case .dropsUnchanged: faults.dropsUnchanged = true
    case .hysteresis: faults.hysteresis = noted(max(1, Int(range * dice.scale(0.002...0.02))))
    case .drift:
      faults.drift = dice.scale(2e-5...3e-4)
      detail = " \(rounded(100 * faults.drift)) % a frame"
    case .exposureStays: faults.exposureStays = true
    case .latencyJitter: faults.latencyJitter = noted(dice.whole(4...8))
    case .lampChange:
      let name = dice.one(of: ["D50", "FL11", "LED-B3", "2500K", "3500K"])
      let frame = noted(dice.whole(20...250))
      faults.lampChange = MeasuredLamp(named: name).map { (frame, $0) }
      detail += " to \(name)"
    case .ignoresSettings: faults.ignoresSettings = true
    case .lostFrames: faults.lostFrames = Set((0..<40).map { _ in dice.whole(0...400) })
    case .frozenFrames:
      let first = dice.whole(20...200)
      faults.frozenFrames = first..<first + dice.whole(3...20)
      detail = " \(faults.frozenFrames)"
    case .stalls: faults.stallsAtFrame = noted(dice.whole(20...250))
    case .vanishes: faults.vanishesAtFrame = noted(dice.whole(20...250))
    case .forgets: faults.forgetsAtFrame = noted(dice.whole(20...250))
    case .intrusion: intrude(&faults, configuration, &dice)
    case .isHeld: faults.heldBy = "obs"
    }
    configuration.faults = faults
    dice.note("fault: \(rawValue)\(detail)")
  }

  /// Adds a setting of a white-balance control by another program.
  private func intrude(
    _ faults: inout SimulatedCamera.Faults, _ configuration: SimulatedCamera.Configuration,
    _ dice: inout Dice
  ) {
    let settings = configuration.balance.controls.filter {
      ControlID.balanceSettings.contains($0.id)
    }
    guard !settings.isEmpty else { return }
    let control = dice.one(of: settings)
    let steps = (control.maximum - control.minimum) / control.step
    let value = control.minimum + control.step * dice.whole(steps / 4...3 * steps / 4)
    faults.intrusions = [dice.whole(20...250): ControlValue(control.id, value)]
  }
}
