public import ColorScience

/// Why a camera cannot be calibrated from shots.
public enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no shot.
  case noShots
  /// A channel of a response is not positive and finite.
  case response(light: String, LinearRGB)
  /// The noise of a shot is negative or not finite.
  case noise(light: String, Double)
  /// The average camera hardly responds to the light in one channel.
  case invisibleLight(String)
  /// No camera like the known ones explains the shots together. Of three or more, the one that the
  /// others contradict is named.
  case contradiction(light: String?)

  /// One sentence that says what is wrong, and what to do.
  public var description: String {
    switch self {
    case .noShots: "there is no shot; give at least one gray card under a known light"
    case .response(let light, let response):
      "the response under \(light), (\(response.red), \(response.green), \(response.blue)), is not positive and "
        + "finite in every channel; subtract the black level once, and use a card that is neither "
        + "clipped nor black"
    case .noise(let light, let noise):
      "the noise of the shot under \(light), \(noise), is no standard deviation; write one such as 0.003"
    case .invisibleLight(let light):
      "cameras hardly respond to \(light) in one channel, so it cannot calibrate one; use another light"
    case .contradiction(let light):
      (light.map { "the shot under \($0) contradicts the others" }
        ?? "no camera explains these shots together")
        + "; check that each names the light it was taken under, and that no other light fell on the card"
    }
  }
}
