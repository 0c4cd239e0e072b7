import CameraControl
import ColorScience
import WhiteBalance

/// The cause of a light's flicker, for text and JSON output.
struct FlickerRecord: Encodable {
  /// `mains`, `other`, `none` or `unknown`.
  var light: String
  /// The frequency of the mains or of the light, in hertz; `nil` if it is not known.
  var frequency: Double?
  var confidence: Double
  /// Exposure times in seconds that leave less than 0.3 % of flicker.
  var steadyDurations: [Double]?
  /// The relative amplitude, to either side, of the brightness of pictures at the present exposure
  /// time.
  var ripple: Double?
  /// `true` if the frequency was set in the camera, `false` if it has no control for it.
  var isFrequencySet: Bool?
  private let sentence: String

  private enum CodingKeys: String, CodingKey {
    case light, frequency, confidence, steadyDurations, ripple
    case isFrequencySet = "cameraTold"
  }

  init(_ measurement: FlickerMeasurement, _ camera: Camera) async throws {
    confidence = measurement.confidence
    switch measurement.verdict {
    case .mains(let mains):
      (light, frequency) = ("mains", Double(mains.rawValue))
      sentence = "the light flickers with mains of \(mains.rawValue) Hz"
    case .other(let frequency):
      (light, self.frequency) = ("other", frequency)
      sentence =
        "the light flickers, but not with the mains"
        + (frequency.map { ": \(shortNumber($0)) Hz" } ?? "")
    case .none:
      light = "none"
      sentence = "the light does not flicker"
    case .undetermined(let obstacle):
      light = "unknown"
      sentence = "whether the light flickers could not be determined: \(obstacle.sentence)"
    }
    guard let variation = measurement.light else { return }
    var states = camera.captureStates().makeAsyncIterator()
    ripple = try await states.next()?.duration.map(variation.ripple(exposure:))
    if let range = try await camera.durationsWithinAFrame() {
      steadyDurations = variation.steadyExposures(in: range, step: 1e-4)
    }
  }

  func show() throws {
    var text = sentence
    if confidence > 0 { text += ", with a probability of \(fixed(confidence, decimals: 3))" }
    if let ripple { text += "; at this exposure by ±\(fixed(100 * ripple, decimals: 2)) %" }
    try StandardOutput.line(text)
    if let steadyDurations {
      let times = steadyDurations.map { shortNumber(1000 * $0) }.joined(separator: ", ")
      try StandardOutput.line(
        times.isEmpty ? "no exposure time within a frame hides it" : "hidden by \(times) ms")
    }
    if isFrequencySet == false {
      try StandardOutput.line("the camera has no setting for the frequency")
    }
  }
}

extension FlickerMeasurement.Obstacle {
  fileprivate var sentence: String {
    func names(_ mains: [MainsFrequency]) -> String {
      mains.map { "\($0.rawValue) Hz" }.joined(separator: " or ")
    }
    return switch self {
    case .tooFewFrames: "too few rows or frames are lit"
    case .irregularTimes: "the frame rate is irregular"
    case .unsteadyScene: "something moves in the picture"
    case .exposureHides(let mains): "the exposure time would hide mains of \(names(mains))"
    case .exposureUnknown: "the exposure time, which may hide it, is not known"
    case .bandsStandStill(let mains):
      "bands of mains of \(names(mains)) would stand still at this frame rate; request another, "
        + "such as with fps=25 after the device"
    case .noise: "noise would hide a weak lamp"
    case .frequenciesLookAlike:
      "several frequencies look alike at this frame rate; request another, such as with fps=25 "
        + "after the device"
    }
  }
}
