import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

#if GenICam
import GenICam
#endif
#if os(Linux)
import Video4Linux
#endif

/// The camera that `--device` names.
struct DeviceSpecification: Sendable {
  var text: String
  private var settings: [String: String] = [:]

  static let help: ArgumentHelp = """
    The camera: a name that 'wbcal devices' lists, a path such as /dev/video0, genicam:SERIAL or \
    genicam:ADDRESS, or simulated, optionally followed by settings ('wbcal devices --help' lists \
    them).
    """
  private static let keys = [
    "camera", "light", "target", "controls", "pipeline", "seed", "format", "size", "latency", "fps",
    "replay", "exposure", "shutter", "flicker", "lens", "vanish", "relight", "prompt", "iso",
    "chain", "past",
    "truth",
  ]
  /// The settings that a randomly drawn camera determines itself.
  private static let drawnKeys = [
    "camera", "seed", "controls", "pipeline", "shutter", "flicker", "lens", "target",
  ]

  /// The names of the kinds of controls that the simulated camera may have.
  static let simulatedControls = SimulatedBalance.all.map(\.name).joined(separator: ", ")

  private static let recordedKeys = ["light"]
  private static let streamKeys = ["size", "format", "fps"]

  /// Indicates whether a text names a camera, not a file.
  static func isDevice(_ text: String) -> Bool {
    text == "simulated" || text.hasPrefix("simulated:") || text.hasPrefix("/dev/")
      || text.hasPrefix("usb-") || text.hasPrefix(recordedPrefix) || text.hasPrefix(genicamPrefix)
  }

  private static let recordedPrefix = "recorded:"
  private static let genicamPrefix = "genicam:"

  /// `true` if it names a recorded camera.
  private var isRecorded: Bool { text.hasPrefix(Self.recordedPrefix) }

  /// `true` if it names a camera that GenICam describes.
  private var isGenICam: Bool { text.hasPrefix(Self.genicamPrefix) }

  var isSimulated: Bool { text == "simulated" || text.hasPrefix("simulated:") }

  /// A real camera's name, without the settings of its stream.
  var name: String {
    String(text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)[0])
  }

  init(argument: String) throws {
    text = argument
    guard !name.isEmpty else { throw ValidationError("name a camera.") }
    let keys = isSimulated ? Self.keys : isRecorded ? Self.recordedKeys : Self.streamKeys
    let parts = argument.dropFirst(isSimulated ? "simulated:".count : name.count)
    for part in parts.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, keys.contains(String(pair[0])), !pair[1].isEmpty else {
        throw ValidationError(
          "'\(part)' is not a setting of "
            + "\(isSimulated ? "the simulated" : isRecorded ? "a recorded" : "a") camera; use "
            + keys.map { $0 + "=" }.joined(separator: ", ") + ".")
      }
      settings[String(pair[0])] = String(pair[1])
    }
  }

  /// The name of the lamp, if it is fixed.
  var light: String? { settings["light"] }

  /// `true` if the user is to be asked to change the lamp of the simulated room.
  var asksForLight: Bool { settings["prompt"] == "1" }

  /// Opens the camera; a simulated one has the settings that the last command left.
  func open() async throws -> any CameraPort {
    if isSimulated { return try simulated() }
    if isGenICam { return try await genicam(at: name) }
    return isRecorded ? try await recorded() : try await connected()
  }

  /// Opens a machine-vision camera.
  private func genicam(at name: String) async throws -> any CameraPort {
    guard name.count > Self.genicamPrefix.count else {
      throw Failure(
        message: "name the camera by its serial number or address, as genicam:SERIAL", code: .usage)
    }
    #if GenICam
    let size = try size()
    var request = PictureRequest(
      width: size?.width, height: size?.height, pixelFormat: settings["format"],
      framesPerSecond: try framesPerSecond())
    request.required = required
    return try await GenICamCamera(opening: name, request: request)
    #else
    throw Failure(
      message: "this wbcal was made without GenICam cameras; where Debian's libaravis-dev is "
        + "installed, 'make build' includes them", code: .unavailable)
    #endif
  }

  /// Opens the camera of a recording, under its first lamp or the named one.
  private func recorded() async throws -> RecordedCamera {
    let recording = try CameraRecording(path: String(name.dropFirst(Self.recordedPrefix.count)))
    let camera = try RecordedCamera(recording)
    if let light { try await Self.setLight(named: light, of: camera) }
    return camera
  }

  /// Puts the card of a recorded camera under a lamp of the recording.
  static func setLight(named name: String, of camera: RecordedCamera) async throws {
    guard let index = camera.lights.firstIndex(of: name) else {
      throw Failure.unavailable(
        "the recording has no light \(name); its lights are "
          + camera.lights.map { $0.isEmpty ? "one without a name" : $0 }.joined(separator: ", "))
    }
    await camera.setLight(index)
  }

  /// Opens a camera again after it was disconnected, as soon as it is connected again; a simulated
  /// or recorded one at once.
  ///
  /// - Throws: `CameraError.vanished` if it is not connected again in time.
  func open(again camera: CameraIdentity, within time: Duration) async throws -> any CameraPort {
    if isSimulated || isRecorded { return try await open() }
    #if GenICam
    if isGenICam {
      return try await genicam(at: GenICamCamera.waitForReturn(of: camera, within: time))
    }
    #endif
    #if os(Linux)
    return try await connected(
      at: try await VideoDevice.waitForReturn(of: camera, within: time))
    #else
    return try await connected()
    #endif
  }

  /// The settings of the stream that the camera must fulfill exactly.
  private var required: Set<OfferedFormat.Property> {
    let named: [(String, OfferedFormat.Property)] = [("size", .size), ("fps", .rate)]
    return Set(named.filter { settings[$0.0] != nil }.map(\.1))
  }

  /// The requested number of frames per second.
  func framesPerSecond() throws -> Double? { try number("fps", 0.1...1000) }

  /// The file for the simulated truth at a command's end.
  var truth: String? { settings["truth"] }

  private func simulated() throws -> SimulatedCamera {
    var configuration = try number("chain", 0...UInt64.max).map(drawn) ?? composed()
    if let size = try size() { configuration.size = size }
    let names = "BGRA, or of raw frames " + Self.rawFormats.joined(separator: ", ")
    if let format = try choice("format", names, Self.simulatedFormat(named:)) {
      if format != .bgra8, configuration.pipeline.name != SimulatedPipeline.ideal.name {
        throw Failure.usage("raw frames have no pipeline: omit pipeline= or format=")
      }
      configuration.format = format
    }
    if let latency = try number("latency", 0...10) { configuration.latency = latency }
    if let iso = try number("iso", 100.0...3200) { configuration.iso = iso }
    if let rate = try framesPerSecond() {
      configuration.frameInterval = .seconds(1 / rate)
    }
    configuration.replayedFrames = try number("replay", 0...100) ?? 0
    configuration.faults.exposure = try number("exposure", 0...1000) ?? 1
    _ = try number("prompt", 0...1)
    if let frame = try number("vanish", 0...Int.max) {
      configuration.faults.vanishesAtFrame = frame
    }
    if let text = settings["relight"] {
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, let frame = Int(parts[1]), frame >= 0 else {
        throw Failure.usage("relight must be LIGHT@FRAME, such as A@300, not '\(text)'")
      }
      configuration.faults.lampChange = (frame, try Self.lamp(named: String(parts[0])))
    }
    if try number("past", 0...1) == 1 { configuration.faults.endEvents() }
    configuration.settings = SimulatedSettings(of: configuration.identity).load()
    return try SimulatedCamera(configuration)
  }

  private static let rawFormats = PixelFormat.fourCCs.filter {
    guard let format = PixelFormat(fourCC: $0), case .bayer = format.arrangement,
      case .unsigned = format.sample
    else { return false }
    return true
  }

  /// Returns a format that the simulated camera may have.
  private static func simulatedFormat(named name: String) -> PixelFormat? {
    if name == "BGRA" { return .bgra8 }
    return rawFormats.contains(name) ? PixelFormat(fourCC: name) : nil
  }

  /// Returns the camera that is drawn at random from a seed.
  private func drawn(seed: UInt64) throws -> SimulatedCamera.Configuration {
    if let key = Self.drawnKeys.first(where: { settings[$0] != nil }) {
      throw Failure.usage("chain=\(seed) generates the whole camera at random; omit \(key)=")
    }
    var configuration = RandomChain(seed: seed).configuration
    configuration.lamp = try Self.lamp(named: light ?? "D65")
    return configuration
  }

  /// Returns the camera that is composed from the settings.
  private func composed() throws -> SimulatedCamera.Configuration {
    let name = settings["camera"] ?? "canon-eos-600d"
    guard let sensor = MeasuredSensor(named: name) else {
      throw Failure.unavailable(
        "there is no simulated camera '\(name)'; 'wbcal devices' lists them")
    }
    var configuration = SimulatedCamera.Configuration(
      sensor: sensor, lamp: try Self.lamp(named: light ?? "D65"))
    try setControls(of: &configuration)
    try setScene(of: &configuration)
    configuration.seed = try number("seed", 0...UInt64.max) ?? 1
    return configuration
  }

  /// Sets the camera's controls and its image pipeline.
  private func setControls(of configuration: inout SimulatedCamera.Configuration) throws {
    if settings["controls"] == nil, settings["pipeline"] == nil {
      // Every control that a camera may have, and textured paper to focus on.
      configuration.exposure = try Self.shutter(named: "absolute")
      var lens = SimulatedLens(best: 140)
      lens.automatic = .continuousAndOnce
      configuration.lens = lens
      configuration.texture = .noise(contrast: 0.04, grain: 2)
    }
    if let balance = try choice(
      "controls", "one of \(Self.simulatedControls)", SimulatedBalance.init(named:))
    {
      configuration.balance = balance
      // A request for other controls describes the whole camera.
      configuration.exposure = SimulatedExposure()
    }
    let pipelines = SimulatedPipeline.all.map(\.name).joined(separator: ", ")
    if let pipeline = try choice(
      "pipeline", "one of \(pipelines)", SimulatedPipeline.init(named:))
    {
      configuration.pipeline = pipeline
      configuration.exposure = SimulatedExposure()
    }
    if let name = settings["shutter"] {
      guard settings["controls"] != "coupled" else {
        throw Failure.usage(
          "the simulated camera has one gain: controls=coupled and shutter cannot be combined")
      }
      configuration.exposure = try Self.shutter(named: name)
    }
  }

  /// Sets the scene and the lens.
  private func setScene(of configuration: inout SimulatedCamera.Configuration) throws {
    let targets = SimulatedTarget.allCases.map(\.rawValue).joined(separator: " or ")
    if let target = try choice("target", targets, SimulatedTarget.init(rawValue:)) {
      configuration.target = target
    }
    if let frequency = try number("flicker", 1.0...20_000) {
      let isMains = MainsFrequency.allCases.contains { $0.light == frequency }
      configuration.shutter = SimulatedShutter(
        SimulatedFlicker(
          isMains ? .rectifiedSine : .pulses(0.4), frequency: frequency, modulation: 0.5),
        readout: 0.02, exposure: 0.01)
    }
    let hasMotor = try choice("lens", "motor or none") { ["motor": true, "none": false][$0] }
    if let hasMotor {
      configuration.lens = hasMotor ? SimulatedLens(best: 140) : nil
      configuration.texture = hasMotor ? .noise(contrast: 0.5, grain: 2) : .none
    }
  }

  /// Returns the exposure with a name; `nil` for `none`.
  private static func shutter(named name: String) throws -> SimulatedExposure? {
    var exposure: SimulatedExposure
    switch name {
    case "none": return nil
    case "absolute": exposure = SimulatedExposure(.absolute, .proportional)
    case "lines", "mislabeled":
      exposure = SimulatedExposure(.lines(30e-6, less: 8), .additive)
      exposure.isMislabeled = name == "mislabeled"
    case "logarithmic": exposure = SimulatedExposure(.logarithmic(stepsPerStop: 16), .decibels)
    default:
      throw Failure.usage(
        "the simulated camera's shutter must be absolute, lines, mislabeled, logarithmic or "
          + "none, not '\(name)'")
    }
    exposure.hasBias = true
    return exposure
  }

  private func connected(at path: String? = nil) async throws -> any CameraPort {
    #if os(Linux)
    var request = FormatRequest(
      fourCC: settings["format"], framesPerSecond: try framesPerSecond())
    if let size = try size() { (request.width, request.height) = size }
    request.required = required
    return try await VideoDevice(
      opening: path ?? name, request: request, decoder: MotionJPEGDecoder())
    #else
    throw CameraError.notFound(name)
    #endif
  }

  private func size() throws -> (width: Int, height: Int)? {
    guard let size = settings["size"] else { return nil }
    let sides = size.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ (16...4096).contains($0) }) else {
      throw Failure.usage("a camera's size must be WxH, each 16 to 4096, not '\(size)'")
    }
    return (sides[0], sides[1])
  }

  static func lamp(named name: String) throws -> MeasuredLamp {
    guard let lamp = MeasuredLamp(named: name) else {
      throw Failure.unavailable(
        "the simulated room has no light '\(name)'",
        advice: "; 'wbcal devices --lights' lists them, and a temperature such as 5000K is a black "
          + "body")
    }
    return lamp
  }

  /// Returns the value of a setting that names one of several; `nil` without the setting.
  private func choice<Value>(
    _ key: String, _ names: String, _ value: (String) -> Value?
  ) throws -> Value? {
    guard let name = settings[key] else { return nil }
    guard let value = value(name) else {
      throw Failure.usage("the simulated camera's \(key) must be \(names), not '\(name)'")
    }
    return value
  }

  private func number<Number: LosslessStringConvertible & Comparable>(
    _ key: String, _ range: ClosedRange<Number>
  ) throws -> Number? {
    guard let text = settings[key] else { return nil }
    guard let value = Number(text), range.contains(value) else {
      throw Failure.usage(
        "a camera's \(key) must be a number from \(range.lowerBound) to "
          + "\(range.upperBound), not '\(text)'")
    }
    return value
  }
}
