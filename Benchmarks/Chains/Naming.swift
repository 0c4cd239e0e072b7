import SimulatedCamera

/// The parts of messages that count as naming a fault.
extension RandomFault {
  var names: [String] {
    switch self {
    case .none, .readsLate, .readsInSteps, .takesLastOnly, .refusesWhileAutomatic, .roundsTo,
      .dropsUnchanged, .latencyJitter, .lostFrames, .frozenFrames:
      []
    case .returnsAfter, .returnsAtStart:
      ["chooses its white balance again", "starts the camera's stream again"]
    case .isRelative:
      ["start from where its automatic mode stopped", "gains start from where that stops"]
    case .misreports: ["but the camera reports"]
    case .hysteresis: ["depends on the direction"]
    case .drift: ["drifts by", "its light changed color", "still changes"]
    // Such a camera ignores the exposure.
    case .exposureStays: ["keeps choosing its exposure", "the camera ignores the setting"]
    case .lampChange: ["its light changed color", "still changes"]
    case .ignoresSettings: ["does not change with it", "ignores the setting", "does not show it"]
    case .stalls: ["has sent no picture"]
    case .vanishes: ["went away"]
    case .forgets: ["another program may be changing it", "chooses its white balance again"]
    case .intrusion: ["another program may be changing it"]
    case .isHeld: ["is using"]
    }
  }
}

/// The parts of messages about a flicker that is strong enough to justify a refusal.
let flickerNames = ["swings by", "flicker", "still changes"]
/// The parts of messages that state that the controls do not reach neutral.
let reachNames = ["out of reach", "out of the camera's range"]

extension RandomChain {
  /// The parts of messages that name a true defect of this camera.
  var trueReasons: [String] {
    fault.names + (flickersVisibly ? flickerNames : [])
      + (["A", "D65"].allSatisfy(reaches) ? [] : reachNames)
  }

  func reaches(_ light: String) -> Bool { reachesNeutral(under: lamp(light)) }

  /// Returns the kind of a refusal.
  func refusal(_ message: String) -> Outcome {
    if trueReasons.contains(where: message.contains) { return .trulyRefused }
    return fault == .none ? .refusedInVain : .falselyRefused
  }
}
