import CameraControl
import CameraProfiles
import ColorScience
import Dispatch
import Synchronization
import WbcalArguments
import WbcalFoundation
import WhiteBalance

struct Watch: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a camera's white balance, live.",
    discussion: """
      Shows the camera's white balance, and the one that would make the mean of its
      picture neutral (a gray world); with a profile, both as the temperature and tint
      of a light. On a terminal the reading is updated in place, and the last one
      stays; elsewhere one line per second is printed. Gains are scaled so that the
      smallest is 1; JSON also has the camera's gains with green 1. With a fixed white
      balance it also states when the light on the scene has changed, as far as the
      colors of a still camera's picture show it; people who walk through do not count.
      The camera's settings are not changed. The command ends with Ctrl-C, or after
      --seconds.

        wbcal watch --device /dev/video0 --profile desk.json
        wbcal watch --device simulated --seconds 5 --json
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(name: .customLong("class"), help: "The class of the light, if it is known.")
  var lightClass: LightClass?
  @Option(help: "End after this number of seconds.", transform: parseSeconds)
  var seconds: Double?
  @Option(
    help: "The seconds between two lines, if not on a terminal.", transform: parseSeconds)
  var every = 1.0
  @Flag(help: "Write one JSON object per line.") var json = false

  func validate() throws {
    try forbid(lightClass != nil && profile == nil, "--class requires --profile.")
    for (name, time) in [("seconds", seconds ?? 1), ("every", every)]
    where !(time > 0 && time <= 1e9) {
      throw ValidationError("--\(name) must be above 0 and at most 1e9.")
    }
  }

  func execute() async throws {
    let profile = try profile.map { try CameraProfile(source: $0) }
    let watch = self
    try await CameraSession.with(
      device, profile: profile, for: .reading, endsByInterrupt: true
    ) { session in
      try await watch.follow(session.camera, session.lightProfile, session.knownLaws)
    }
  }

  private func follow(
    _ camera: Camera, _ profile: CameraProfile?, _ laws: ControlLaws?
  ) async throws {
    if profile != nil, laws == nil {
      remark(
        "The profile has no data on this camera's controls, so the light cannot be determined.")
    }
    var block = LiveBlock.onStandardOutput()
    let isLive = !json && block.isShown
    // After the process was stopped, a shell has written below the drawing.
    let isResumed = Atomic(false)
    let resumption = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
    resumption.setEventHandler { isResumed.store(true, ordering: .relaxed) }
    resumption.resume()
    defer { resumption.cancel() }
    let start = ContinuousClock.now
    var next = start
    var last: FrameInfo?
    var lightChange = StandingLightChange()
    do {
      // Ten readings a second are enough for a reader; the frames in between are skipped.
      let readings =
        laws.map { ProbedCamera(camera, laws: $0).readings(perSecond: 10) }
        ?? camera.readings(perSecond: 10)
      for try await reading in readings {
        Progress.shared.show(nil)
        let now = ContinuousClock.now
        let isOver = seconds.map { now - start >= .seconds($0) } ?? false
        lightChange.add(reading)
        let state = State(
          reading, profile, lightClass,
          lightChange: isLive ? lightChange.change : reading.lightChange)
        let lines = state.lines(last: last)
        last = reading.frame
        if isLive {
          if isResumed.exchange(false, ordering: .relaxed) { block.leave() }
          block.update(lines.joined(separator: "\n"))
        } else if now >= next || isOver || reading.lightChange != nil {
          next = max(next + .seconds(every), now)
          try json ? printJSON(state.record) : StandardOutput.line(lines.joined(separator: ", "))
        }
        if isOver { break }
      }
    } catch CameraError.cancelled {
      // The user has ended it.
    }
    block.finish()
  }

  /// A reading as text and as JSON.
  struct State {
    private let reading: WhiteBalanceReading
    private let device, scene: LightReading?
    private let lightChange: SceneLightChange?

    struct Record: JSONRecord {
      var frame: Int
      var timestamp: Double
      var mode: WhiteBalanceMode.RawValue
      var adjusting: Bool
      var controls: [String: Int]
      var gains, gainsGreenOne, grayWorld, needs: Gains?
      var device, scene: LightRecord?
      var clipped: Double
      var lightChange: LightChangeRecord?
    }

    init(
      _ reading: WhiteBalanceReading, _ profile: CameraProfile?, _ lightClass: LightClass?,
      lightChange: SceneLightChange?
    ) {
      func light(_ gains: Gains?) -> LightReading? {
        guard let gains, let profile else { return nil }
        // A remark that there are several lights would come ten times a second.
        return try? profile.model.reading(of: gains, lightClass: lightClass)
      }
      self.reading = reading
      self.lightChange = lightChange
      (device, scene) = (light(reading.deviceGains), light(reading.grayWorldGains))
    }

    var record: Record {
      Record(
        frame: reading.frame.sequence, timestamp: reading.frame.timestamp / .seconds(1),
        mode: (reading.isAutomatic ? WhiteBalanceMode.continuousAutomatic : .locked).rawValue,
        adjusting: reading.isAdjusting, controls: reading.values.byName, gains: reading.deviceGains,
        gainsGreenOne: reading.deviceGains?.greenOne, grayWorld: reading.grayWorldGains,
        needs: reading.missingGains, device: LightRecord(device), scene: LightRecord(scene),
        clipped: clipped, lightChange: lightChange.map(LightChangeRecord.init))
    }

    private var clipped: Double {
      Double(reading.pixels.clipped) / Double(max(1, reading.pixels.total))
    }

    /// Returns the lines of text about the reading.
    ///
    /// - Parameter last: the frame of the reading before.
    func lines(last: FrameInfo?) -> [String] {
      var lines = [
        (reading.isAutomatic ? "automatic" : "locked")
          + (reading.isAdjusting ? ", adjusting" : ", settled")
      ]
      if let lightChange {
        lines.append("the light has changed by \(EstimateText.size(of: lightChange))")
      }
      if let device { lines.append("set for " + EstimateText.light(device)) }
      if let scene { lines.append("scene " + EstimateText.light(scene)) }
      if let gains = reading.deviceGains { lines.append("gains " + EstimateText.gains(gains)) }
      if let missing = reading.missingGains {
        lines.append("gray world needs " + EstimateText.gains(missing))
      }
      if !reading.values.isEmpty { lines.append(reading.values.text) }
      var parts: [String] = []
      if clipped > 0.001 {
        parts.append("\(fixed(100 * clipped, decimals: 1)) % clipped")
      }
      if let last, reading.frame.sequence > last.sequence {
        let frames = Double(reading.frame.sequence - last.sequence)
        let interval = (reading.frame.timestamp - last.timestamp) / .seconds(1)
        if interval > 0 { parts.append("\(fixed(frames / interval, decimals: 0)) frames/s") }
      }
      if !parts.isEmpty { lines.append(parts.joined(separator: ", ")) }
      return lines
    }
  }
}
