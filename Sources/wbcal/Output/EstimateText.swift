import CameraProfiles
import ColorScience
import WhiteBalance

enum EstimateText {
  static func gains(_ gains: Gains, decimals: Int = 3) -> String {
    let text = [gains.red, gains.green, gains.blue].map { fixed($0, decimals: decimals) }
    return "red \(text[0]) green \(text[1]) blue \(text[2])"
  }

  /// Returns gains to two decimals, with those standard errors that are visible at this precision.
  static func gains(_ gains: Gains, _ covariance: GainUncertainty.Covariance?) -> String {
    func text(_ gain: Double, _ share: Double = 0) -> String {
      let error = gain * share
      return fixed(gain, decimals: 2) + (error >= 0.005 ? " ± \(fixed(error, decimals: 2))" : "")
    }
    let errors = covariance?.standardErrors
    return "red \(text(gains.red, errors?.red ?? 0)) green \(text(gains.green)) "
      + "blue \(text(gains.blue, errors?.blue ?? 0))"
  }

  static func light(_ seen: LightReading) -> String {
    guard let light = seen.light else { return "no temperature" }
    let kelvin = light.temperature.isFinite ? fixed(light.temperature, decimals: 0) : "∞"
    guard let errors = seen.standardError, errors.temperature.isFinite, errors.tint.isFinite else {
      return "\(kelvin) K, "
        + (seen.isTintKnown ? "tint \(fixed(light.tint, decimals: 1))" : "tint unknown")
    }
    return "\(kelvin) K ± \(fixed(errors.temperature, decimals: 0)), "
      + "tint \(fixed(light.tint, decimals: 1)) ± \(fixed(errors.tint, decimals: 1))"
  }

  static func size(of change: SceneLightChange) -> String {
    "CIEDE2000 \(fixed(change.ciede2000, decimals: 1)) ± "
      + fixed(change.ciede2000Error, decimals: 1)
  }

  /// Returns the lamps that the light may be; the most likely one is the first.
  static func lamps(_ lamps: [LampMatch]) -> String {
    func percent(_ share: Double) -> String { "\(fixed(100 * share, decimals: 1)) %" }
    guard let best = lamps.first else { return "no lamp to compare" }
    guard best.isPlausible else {
      return "none of these lamps; the nearest is \(best.light.name), for which red is off by "
        + "\(percent(best.red)) and blue by \(percent(best.blue))"
    }
    let others = lamps.dropFirst().filter(\.isPlausible)
    let text = ([best] + others).map { "\($0.light.name) (\(percent($0.share)))" }
    return "the light may be " + text.joined(separator: ", or ")
  }

  /// Returns the caution after a result of another camera's profile.
  static func caution(_ difference: String?) -> String {
    difference.map { " – with a profile that does not match: \($0)" } ?? ""
  }

  /// Returns the remark after a result from a picture whose shading was corrected.
  static func shading(_ file: PictureOptions.FileReading?) -> String {
    guard let field = file?.flatField else { return "" }
    return "; shading corrected (± \(fixed(100 * field.largestError, decimals: 2)) %)"
  }

  /// Returns the caution after a result if nothing states how the picture's numbers are coded, and
  /// they may be linear.
  static func assumption(_ file: PictureOptions.FileReading?) -> String {
    guard let file, let assumed = file.assumedCurve, assumed.mayBeLinear else { return "" }
    return " – read as sRGB, because it states no transfer function"
      + (assumed.doubt.map { ", though \($0)" } ?? "")
      + (file.gainsIfLinear.map { "; if they are linear: \(gains($0))" } ?? "")
  }

  static func line(_ estimate: GrayCardEstimate, gains: Gains, seen: LightReading?) -> String {
    let error = [estimate.standardError.red, estimate.standardError.blue].map {
      fixed($0 * 100, decimals: 2)
    }
    let pixels = estimate.pixels
    var text = Self.gains(gains)
    if let seen { text += ", " + light(seen) }
    text +=
      " (± \(error[0]) % red, \(error[1]) % blue; \(pixels.used) of \(pixels.total) pixels used"
    if pixels.clipped > 0 { text += ", \(pixels.clipped) clipped" }
    if pixels.dark > 0 { text += ", \(pixels.dark) dark" }
    return text + "; brightness varies by \(fixed(estimate.nonuniformity * 100, decimals: 1)) %)"
  }
}
