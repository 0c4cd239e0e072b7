/// What may be wrong with a series of looks, as more parameters of the model.
enum LookCause: Hashable {
  /// Red and blue of the lamps grow by a factor from look to look.
  case drift
  /// What acts stays behind what is set, from whichever side it comes.
  case hysteresis
  /// From one look on the light, or what gains start from, is another.
  case change(at: Int)
  /// From one look on the automatic makes the card nearly neutral, whatever is set.
  case returned(at: Int)

  /// The deviations of its parameters, around 0.
  var deviations: [Double] {
    switch self {
    case .drift: [0.003, 0.003]
    case .hysteresis: [0.02]
    case .change, .returned: [0.1, 0.1]
    }
  }

  /// Where the fit begins; 0 would be a summit between two valleys.
  var starts: [Double] { self == .hysteresis ? [0.004] : [0, 0] }
}
