import WbcalArguments
import CameraControl
import WhiteBalance

extension Estimate {
  /// Prints what a scene's average says; returns the exit code if it says nothing.
  func show(_ estimate: SceneEstimate, name: String, profile: CameraProfile?) throws -> ExitCode? {
    let seen = try estimate.gains.flatMap { gains in
      // The profile's uncertainty says nothing about how well the assumption holds.
      try profile?.model.reading(of: gains, lightClass: lightClass).map {
        LightReading($0.chromaticity)
      }
    }
    let pixels = estimate.pixels
    let counts = "\(pixels.clipped) of \(pixels.total) pixels are clipped and \(pixels.dark) dark"
    if json {
      var record = EstimateRecord(
        file: name, gains: estimate.gains, response: estimate.response,
        pixels: .init(
          total: pixels.total, used: pixels.used, clipped: pixels.clipped, dark: pixels.dark),
        seen: seen, model: profile?.identity,
        reasons: estimate.gains == nil ? ["no color to average: \(counts)"] : [])
      record.method = "\(method)"
      record.assumption = "the scene is neutral on average"
      try printJSON(record)
    } else if let gains = estimate.gains {
      let light = seen.map { ", " + EstimateText.light($0) } ?? ""
      try StandardOutput.line(
        "\(name): \(EstimateText.gains(gains))\(light) (\(method) assumes that the scene "
          + "is neutral on average; \(pixels.used) pixels used; \(counts))")
    }
    if estimate.gains != nil { return nil }
    complain(
      "\(name): no color to average: \(counts).\nChange the exposure or the region, then run the "
        + "command again.")
    return .badData
  }
}
