import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct Focus: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Focus a motorized lens, manually or by the picture's sharpness.",
    discussion: """
      Without an option the sharpness in the middle of the picture is measured.
      --position moves the lens to a fraction of its range, 0 the nearest; --sweep
      searches for the sharpest position and states how well the lens returns to it. A
      scene that does not show the focus is refused, and the lens is then moved back.

        wbcal focus --device simulated --position 0.4
        wbcal focus --device simulated --sweep
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(
    help: "The lens position, from 0, the nearest, to 1, the farthest.",
    transform: asNumber("a fraction of the lens's range, 0 to 1"))
  var position: Double?
  @Flag(help: "Search for the sharpest position.") var sweep = false
  @Option(help: "The focus mode: locked, automatic (once) or continuousAutomatic.")
  var mode: FocusMode?
  @Option(
    help: "The region whose sharpness is measured: center:F or X,Y,W,H.",
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  @OptionGroup var recording: RecordOptions
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    try forbid(
      [position != nil, sweep, mode != nil].count(where: \.self) > 1,
      "give --position, --sweep or --mode.")
    if let position, !(0...1 ~= position) {
      throw ValidationError("the position must be a fraction of the lens's range, 0 to 1.")
    }
  }

  func execute() async throws {
    let record = try await CameraSession.with(
      device, for: isToStay ? .setting : .reading,
      recording: try recording.recording(of: device)
    ) { session in
      let record = try await perform(session)
      if isToStay { await session.keepExposureAndFocus() }
      return record
    }
    if json { try printJSON(record) } else { try record.show() }
  }

  /// Moves the lens as requested, and measures the sharpness.
  func perform(_ session: CameraSession) async throws -> Record {
    var camera = session.camera
    if let region { camera.focusRegion = region }
    var record = Record()
    if let position {
      Progress.shared.show("moving the lens")
      let setting = try await camera.setLensPosition(position)
      (record.position, record.value, record.seen) = (
        setting.position, setting.value, setting.wasSeen
      )
    } else if sweep {
      Progress.shared.show("searching for the sharpest position of the lens")
      let found = try await camera.sweepFocus()
      (record.position, record.value) = (found.position, found.value)
      (record.standardError, record.repeatability) = (found.standardError, found.repeatability)
      record.repeatabilityError = found.repeatabilityError
      record.frames = found.frames
    } else {
      if let mode {
        Progress.shared.show("setting the focus mode")
        try await camera.setFocusMode(mode)
      }
      if await camera.port.description(of: .focusPosition) != nil {
        record.position = try await camera.lensPosition
      }
    }
    record.mode = try await camera.focusMode.rawValue
    if let measure = try? await camera.focusMeasure() {
      (record.sharpness, record.sharpnessError) = (measure.sharpness, measure.standardError)
    } else if !isToStay {
      // Throws the reason.
      _ = try await camera.focusMeasure()
    }
    return record
  }

  private var isToStay: Bool { position != nil || sweep || mode != nil }

  struct Record: JSONRecord {
    var mode = ""
    var position: Double?
    var value: Int?
    var seen: Bool?
    var standardError, repeatability, repeatabilityError: Double?
    var frames: Int?
    var sharpness, sharpnessError: Double?

    func show() throws {
      if let position {
        var text = "the lens is at \(shortNumber(position)) of its range"
        if let value { text += " (\(value))" }
        if let standardError {
          text += ", the sharpest position within ±\(shortNumber(standardError))"
        }
        if seen == false { text += "; the picture does not show that it moved" }
        try StandardOutput.line(text)
      }
      if let repeatability, let repeatabilityError {
        try StandardOutput.line(
          "set again, the sharpness differs by \(shortNumber(100 * repeatability)) ± "
            + "\(shortNumber(100 * repeatabilityError)) %")
      }
      if let sharpness, let sharpnessError {
        try StandardOutput.line(
          "sharpness \(shortNumber(sharpness)) ± \(shortNumber(sharpnessError)), \(mode)")
      }
    }
  }
}

extension FocusMode: ExpressibleByArgument {}
