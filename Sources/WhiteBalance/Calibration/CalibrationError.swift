public import ColorScience

/// A reason why a camera cannot be calibrated from shots.
public enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no shot.
  case noShots
  /// A channel of a response is not positive and finite.
  case response(light: String, LinearRGB)
  /// The noise of a shot is negative or not finite.
  case noise(light: String, Double)
  /// The average camera hardly responds to the light in one channel.
  case invisibleLight(String)
  /// The ratio of red or blue to green in a response differs from the average camera's by a factor
  /// of more than 10.
  case unlikeCameras(light: String, channel: ColorChannel, factor: Double)
  /// No camera like those of the prior explains all shots. `light` is the shot that contradicts the
  /// others, if there are three or more; the misfit is `nil` if it cannot be computed.
  case contradiction(light: String?, Misfit?)

  /// The difference of a shot from the prediction of the others.
  public struct Misfit: Hashable, Sendable {
    /// The light of the shot.
    public let light: String
    /// The response in red and in blue, relative to green, divided by the predicted one.
    public let red, blue: Double
    /// The difference, in standard deviations.
    public let surprise: Double
  }

  /// One sentence that states the error and the remedy.
  public var description: String {
    switch self {
    case .noShots: "there are no shots; give at least one gray card under a known light"
    case .response(let light, let response):
      "the response under \(light), (\(response.red), \(response.green), \(response.blue)), is not positive and "
        + "finite in every channel; subtract the black level once, and use a card that is neither "
        + "clipped nor black"
    case .noise(let light, let noise):
      "the noise of the shot under \(light), \(noise), is not a standard deviation; write one such "
        + "as 0.003"
    case .invisibleLight(let light):
      "cameras hardly respond to \(light) in one channel, so it cannot calibrate a camera; use "
        + "another light"
    case .unlikeCameras(let light, let channel, let factor):
      "relative to green, \(channel.rawValue) in the response under \(light) is "
        + "\(fixed(max(factor, 1 / factor), decimals: 0)) times as "
        + "\(factor > 1 ? "bright" : "dark") as in other cameras; check the numbers, the black "
        + "level, and the name of the light"
    case .contradiction(let light, let misfit):
      (light.map { "the shot under \($0) contradicts the others" }
        ?? "no camera explains these shots together")
        + (misfit.map { ": \($0)" } ?? "")
        + "; check that each names its actual light, and that no other light fell on the card"
    }
  }
}

extension CalibrationError.Misfit: CustomStringConvertible {
  /// The difference, in one clause.
  public var description: String {
    func part(_ ratio: Double, _ channel: String) -> String {
      "\(fixed(abs(ratio - 1) * 100, decimals: 1)) % \(ratio < 1 ? "less" : "more") \(channel)"
    }
    return "under \(light) the card has \(part(red, "red")) and \(part(blue, "blue")) than the "
      + "other shots predict, \(fixed(surprise, decimals: 0)) times the uncertainty"
  }
}
