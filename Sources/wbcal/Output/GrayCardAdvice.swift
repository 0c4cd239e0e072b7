import ColorScience
import WhiteBalance

extension GrayCardEstimate.Refusal {
  /// The remedy for the user.
  fileprivate var advice: String {
    switch self {
    case .clipped: "Lower the exposure or move the lamp away"
    case .saturated(_, let code, _):
      "Lower the exposure; if the sensor saturates there, use --white \(fixed(code, decimals: 0))"
    case .dark: "Raise the exposure or move the lamp closer, and check the black level"
    case .tooFewPixels: "Move the card closer or name a larger region"
    case .uneven: "Light the card evenly, or name a region that lies on it"
    case .coarse:
      "Request pictures that are not compressed, such as with --device NAME,format=YUYV, or name a "
        + "larger region"
    case .mixedColors: "Name a region that lies on the card, and keep other lamps away"
    }
  }
}

extension [GrayCardEstimate.Refusal] {
  /// All reasons for the refusal, and a remedy for the first of them.
  var sentenceWithAdvice: String { sentence + advice }

  /// The remedy for the first of them, which follows the sentence in a terminal.
  var advice: String { first.map { ".\n\($0.advice), then run the command again" } ?? "" }
}

extension Failure {
  /// Creates the failure of a card that cannot be measured.
  init(_ refusals: [GrayCardEstimate.Refusal], at place: String) {
    self = .badData("\(place): \(refusals.sentence)", advice: refusals.advice)
    word = "refused"
  }
}
