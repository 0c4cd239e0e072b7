import WhiteBalance

/// The neutrality of the card after the last change, which made it neutral.
struct StudioNeutral: JSONRecord, Sendable {
  /// The exposure of the card in the picture, if it could only be measured at another one.
  enum Card: String, Encodable {
    case clipped, dark

    init?(_ refusals: [GrayCardEstimate.Refusal]) {
      for refusal in refusals {
        switch refusal {
        case .clipped, .saturated: self = .clipped
        case .dark: self = .dark
        default: continue
        }
        return
      }
      return nil
    }
  }

  var ciede2000: Double?
  /// `false` if the camera's controls cannot get as near as the limit of `wbcal gray`.
  var accepted: Bool
  var card: Card?
}
