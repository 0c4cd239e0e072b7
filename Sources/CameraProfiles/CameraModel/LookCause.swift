/// A fault in a series of observations, as additional parameters of the model.
enum LookCause: Hashable {
  /// The lamps' red and blue grow by a factor from observation to observation.
  case drift
  /// The effective value lags behind the setting, from whichever side it is approached.
  case hysteresis
  /// From one observation on, the light, or the state that gains are relative to, is different.
  case change(at: Int)
  /// From one observation on, the automatic mode makes the card nearly neutral, whatever is
  /// written.
  case returned(at: Int)

  /// The prior standard deviations of its parameters, around 0.
  var deviations: [Double] {
    switch self {
    case .drift: [0.003, 0.003]
    case .hysteresis: [0.02]
    case .change, .returned: [0.1, 0.1]
    }
  }

  /// The values from which the fit starts; 0 would be a maximum between two valleys.
  var starts: [Double] { self == .hysteresis ? [0.004] : [0, 0] }
}
