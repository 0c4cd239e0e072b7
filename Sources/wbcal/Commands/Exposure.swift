import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct Exposure: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Meter a camera's exposure, or set its time, gain or compensation.",
    discussion: """
      Without an option the exposure of the picture is compared with middle gray, that
      of an 18 % card. --duration and --gain are set together; a gain is relative to
      the camera's minimum. Unless the profile contains them, the exposure's control
      laws are probed first, which takes some seconds of a still scene. --bias makes
      the picture lighter or darker, in stops: relative to the automatic exposure, by
      the camera's own bias, if the camera chooses its exposure and has a bias; else
      relative to middle gray, with manual exposure.

      --flicker measures the light at several exposure times, states its frequency and
      the times that hide the flicker, and sets the camera's power_line_frequency. If
      the pictures flicker at the given --duration, the amplitude is stated, with
      times that hide the flicker.

      Nothing is clamped: for a value beyond the camera's range the error states the
      range. A setting is done when the picture shows it.

        wbcal exposure --device simulated
        wbcal exposure --device simulated --duration 1/50 --gain 2
        wbcal exposure --device simulated --bias -1
        wbcal exposure --device simulated:flicker=100 --flicker
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(
    help: "The camera's profile, which may contain the meaning of its exposure values.",
    completion: .profile)
  var profile: String?
  @Option(
    help: "The exposure time, in seconds, such as 0.02 or 1/50.", transform: parseSeconds)
  var duration: Double?
  @Option(help: "The gain, relative to the camera's minimum.", transform: asNumber("a gain from 1"))
  var gain: Double?
  @Option(
    help: "The exposure compensation, in stops, such as 1 or -0.5.",
    transform: asNumber("stops as a number, such as -0.5"))
  var bias: Double?
  @Option(help: "The exposure mode: locked, automatic (once) or continuousAutomatic.")
  var mode: ExposureMode?
  @Option(
    help: "The metered region: center:F or X,Y,W,H.",
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  @Flag(
    help:
      "Measure the flicker of the light, set the camera's frequency, and list times that hide it.")
  var flicker = false
  @OptionGroup var recording: RecordOptions
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    let isSet = duration != nil || gain != nil
    try forbid(
      [isSet, bias != nil, mode != nil].count(where: \.self) > 1,
      "give --duration and --gain, or --bias, or --mode.")
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("the exposure time must be above 0 seconds.")
    }
    if let gain, !(gain >= 1 && gain.isFinite) {
      throw ValidationError("the gain is relative to the minimum, and must be at least 1.")
    }
    try forbid(bias?.isFinite == false, "the bias must be a number of stops.")
    try forbid(mode == .custom, "a custom exposure requires --duration or --gain.")
  }

  func execute() async throws {
    let isSet = duration != nil || gain != nil || bias != nil || mode != nil || flicker
    let profile = try profile.map { try CameraProfile(source: $0) }
    let record = try await CameraSession.with(
      device, profile: profile, for: isSet ? .setting : .reading,
      recording: try recording.recording(of: device)
    ) { session in
      let record = try await perform(session)
      if isSet { await session.keepExposureAndFocus() }
      return record
    }
    if json { try printJSON(record) } else { try record.show() }
  }

  /// Applies the requested settings, and meters.
  func perform(_ session: CameraSession) async throws -> Record {
    var camera = session.camera
    if let region { camera.meteringRegion = region }
    if gain != nil || bias != nil, try await canProbe(camera) {
      camera = try await session.withExposureLaws(camera)
    }
    var record = Record()
    var light: LightVariation?
    if flicker {
      let measurement = try await camera.measureFlicker {
        Progress.shared.show("watching the light: frame \($0)")
      }
      light = measurement.light
      record.flicker = try await FlickerRecord(measurement, camera)
      if case .mains(let mains) = measurement.verdict {
        record.flicker?.isFrequencySet = try await camera.setMainsFrequency(mains)
      }
    }
    if duration != nil || gain != nil {
      let setting = try await camera.setExposure(duration: duration, amplification: gain)
      record.controls = setting.values.byName
      (record.duration, record.gain) = (setting.duration, setting.amplification)
      record.firstFrame = setting.firstFrame?.sequence
      if let light, let time = setting.duration {
        record.flicker?.ripple = light.ripple(exposure: time)
      } else if !flicker, duration != nil {
        let seen = try await camera.measureFlicker(exposures: 1) {
          Progress.shared.show("watching the light: frame \($0)")
        }
        let found = try await FlickerRecord(seen, camera)
        if found.ripple ?? 0 > 0.003 { record.flicker = found }
      }
    } else if let bias {
      let result = try await camera.compensateExposure(by: bias)
      record.controls = result.values.byName
      record.stops = result.stops
      record.byCamera = result.isByCamera
    } else if let mode {
      Progress.shared.show("setting the exposure mode")
      try await camera.setExposureMode(mode)
    }
    let reading = try await camera.exposureReading()
    record.mode = try await camera.exposureMode.rawValue
    (record.level, record.offset, record.clipped) = (
      reading.level, reading.offset, reading.clipped
    )
    record.atLeast = reading.isAtLeast
    return record
  }

  /// Indicates whether exposure laws are needed: the camera's own bias needs none.
  private func canProbe(_ camera: Camera) async throws -> Bool {
    guard bias != nil else { return true }
    guard await camera.port.description(of: .exposureBias) != nil else { return true }
    return try await camera.exposureMode != .continuousAutomatic
  }

  struct Record: JSONRecord {
    var mode = ""
    var level = 0.0
    var offset = 0.0
    var clipped = 0.0
    var atLeast = false
    var controls: [String: Int]?
    var duration, gain: Double?
    var byCamera: Bool?
    /// The brightness that was set, in stops from middle gray, or by the camera's own bias.
    var stops: Double?
    var firstFrame: Int?
    var flicker: FlickerRecord?

    func show() throws {
      try flicker?.show()
      if let controls {
        var text = controls.sortedByName.map { "\($0.key) \($0.value)" }
          .joined(separator: ", ")
        if let duration { text += ": \(shortNumber(duration * 1000)) ms" }
        if let gain { text += ", gain \(shortNumber(gain))" }
        if let firstFrame { text += ", seen in frame \(firstFrame)" }
        if let stops {
          text += ": \(stops < 0 ? "" : "+")\(shortNumber((stops * 100).rounded() / 100)) stops"
          text += byCamera == true ? " by the camera's own bias" : " from middle gray"
        }
        try StandardOutput.line(text)
      }
      let stops = shortNumber((abs(offset) * 20).rounded() / 20)
      let place = abs(offset) < 0.05 ? "at" : "\(stops) stops \(offset < 0 ? "below" : "above")"
      try StandardOutput.line(
        "the picture is \(atLeast ? "at least " : "")\(place) middle gray (linear level \(shortNumber(level)), "
          + "\(shortNumber((1000 * clipped).rounded() / 10)) % clipped), \(mode)")
    }
  }
}

extension ExposureMode: ExpressibleByArgument {
  /// A custom exposure is chosen by its time and gain, not by a mode.
  package static var allValueStrings: [String] {
    allCases.filter { $0 != .custom }.map(\.rawValue)
  }
}
