import WbcalArguments
import CameraControl
import ColorScience
import WbcalReports
import WhiteBalance

extension Estimate {
  /// Prints what a scene's average says; the exit code if it says nothing.
  func show(
    _ estimate: SceneEstimate, name: String, profile: CameraProfile?
  ) throws -> ExitCode? {
    let seen = try estimate.gains.flatMap { gains in
      // What the profile is sure of says nothing of how far the assumption holds.
      try profile?.model.reading(of: gains, lightClass: lightClass).map {
        LightReading($0.chromaticity)
      }
    }
    let pixels = estimate.pixels
    let counts = "\(pixels.clipped) of \(pixels.total) pixels are clipped and \(pixels.dark) dark"
    if json {
      var record = EstimateRecord(
        estimate, file: name, seen: seen, model: profile?.identity)
      record.method = "\(method)"
      if estimate.gains == nil { record.reasons = ["no color to average: \(counts)"] }
      try printJSON(record)
    } else if let gains = estimate.gains {
      let light = seen.map { ", " + EstimateText.light($0) } ?? ""
      try StandardOutput.line(
        "\(name): \(EstimateText.gains(gains))\(light) (\(method) assumes that the scene is neutral "
          + "on average; \(pixels.used) pixels used; \(counts))")
    }
    if estimate.gains != nil { return nil }
    complain(
      "\(name): no color to average: \(counts).\nChange the exposure or the region, then run the "
        + "command again.")
    return .badData
  }
}

extension EstimateRecord {
  init(_ estimate: SceneEstimate, file: String, seen: LightReading?, model: String?) {
    self.file = file
    gains = estimate.gains.map { Channels(red: $0.red, green: $0.green, blue: $0.blue) }
    rgb = [estimate.response.red, estimate.response.green, estimate.response.blue]
    let counts = estimate.pixels
    pixels = Pixels(
      total: counts.total, used: counts.used, clipped: counts.clipped, dark: counts.dark)
    assumption = "the scene is neutral on average"
    chromaticity = seen?.chromaticity
    temperature = seen?.light.flatMap { $0.temperature.isFinite ? $0.temperature : nil }
    tint = seen?.light?.tint
    self.model = seen == nil ? nil : model
    accepted = estimate.gains != nil
    reasons = []
  }
}
