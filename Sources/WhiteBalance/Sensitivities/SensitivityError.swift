public import ColorScience

/// A reason why a camera's sensitivities cannot be estimated.
public enum SensitivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no shot.
  case noShots
  /// Only the chromaticity of a light is known.
  case spectrumUnknown(light: String)
  /// A light has no power from 380 to 780 nm, or power that is not finite.
  case invisibleLight(String)
  /// The number of responses differs from the number of the chart's patches.
  case patchCount(light: String, expected: Int, found: Int)
  /// A channel of a patch's response is not positive and finite.
  case patch(light: String, patch: String, LinearRGB)
  /// Too few patches of a chart are neither clipped nor hidden.
  case tooFewPatches(light: String, found: Int)
  /// All patches of a chart have nearly the same color.
  case noColors(light: String)

  /// One sentence that states the error and the remedy.
  public var description: String {
    switch self {
    case .noShots: "there are no shots; give at least one chart or gray card under a known light"
    case .spectrumUnknown(let light):
      "only the chromaticity of \(light) is known, and lamps of the same color differ; give its "
        + "spectrum"
    case .invisibleLight(let light):
      "\(light) has no power from 380 to 780 nm, or power that is not finite; check its spectrum"
    case .patchCount(let light, let expected, let found):
      "the chart under \(light) has \(found) responses for \(expected) patches; give one for each"
    case .patch(let light, let patch, let response):
      "the response to \(patch) under \(light), (\(response.red), \(response.green), "
        + "\(response.blue)), is not positive and finite in every channel; subtract the black "
        + "level once, and leave out patches that are clipped or hidden"
    case .tooFewPatches(let light, let found):
      "of the chart's patches under \(light) only \(found) can be used, and "
        + "\(ChartShot.fewestPatches) are needed; expose so that none clips"
    case .noColors(let light):
      "all patches of the chart under \(light) have the same color; give responses to a color "
        + "chart, and not to a gray card, in black and white, or under a lamp of a single "
        + "wavelength"
    }
  }
}
