import CameraControl
import CameraProfiles
import ColorScience
import Synchronization
import WbcalArguments
import WbcalSystem
import WhiteBalance

struct CorrectedStream: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Lock a camera, and output its frames with the residual error corrected.",
    discussion: """
      Locks like 'wbcal set' or, with --gray, like 'wbcal gray', and then corrects in
      every frame, in linear light, what the camera's controls could not: a tint in
      addition to a temperature, steps that are too coarse, green; and the shading of
      the lens, if the profile has a flat field for frames of this size ('wbcal
      calibrate --flat'). The frames go to a video device that other programs read as a
      camera, or to standard output as a Y4M stream for programs such as ffmpeg.

      A frame is sent before the next one is read: the picture is delayed by at most
      one frame. Frames that have waited longer, because the output was slow, are
      dropped. The numbers of lost, damaged and dropped frames are printed at the end.
      Gray and raw (Bayer) frames are refused. Y4M cannot state the weights of luma:
      frames with weights other than those of BT.601 are converted to these.

      With --frames, raw frames can be written as DNG files: the name given with --to
      then ends in .dng and contains {index}, the number of the frame. Their codes are
      not corrected; the files state the correction as AsShotNeutral, and contain the
      flat field of the profile.

      The stream ends with Ctrl-C, or after --frames; the camera's settings are then
      restored.

        sudo modprobe v4l2loopback video_nr=9 card_label=Corrected exclusive_caps=1
        wbcal stream --device webcam --profile desk.json --light FL11 --to /dev/video9
        wbcal stream --device webcam --gray --to - | ffplay -
        wbcal stream --device webcam --gray --to - | ffmpeg -i - -c:v libx264 out.mkv
        wbcal stream --device simulated:light=FL11,controls=temperature --gray \\
            --to - --frames 100 > card.y4m
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Flag(help: "First make the gray card in front of the camera neutral.") var gray = false
  @OptionGroup var light: WantedBalance
  @OptionGroup var card: CardOptions
  @Option(
    help: ArgumentHelp(
      "The output of the frames: a video device, - for standard output, or DNG files such as "
        + "frame-{index}.dng.", valueName: "output"))
  var to: String
  @Option(help: "End after this number of frames.") var frames: Int?
  @Option(
    help: "The seconds to wait for a disconnected camera to be connected again.",
    transform: parseSeconds)
  var wait = 0.0
  @Flag(help: "Write the counts of frames as JSON, at the end.") var json = false

  func validate() throws {
    guard light.ways + (gray ? 1 : 0) == 1 else {
      throw ValidationError("name the light by one of \(WantedBalance.names), or --gray.")
    }
    try forbid(
      gray && light.lightClass != nil,
      "--class describes a light; it cannot be combined with --gray.")
    if !gray { try light.requireProfile(profile) }
    if to == "-" {
      try forbid(json, "--json and the frames cannot both go to standard output.")
      try forbid(
        Terminal.standardOutput.isTerminal,
        "a terminal cannot show frames; pipe them, such as '--to - | ffplay -'.")
    }
    if let frames, frames < 1 { throw ValidationError("--frames must be at least 1.") }
    if isDNG {
      try forbid(frames == nil, "DNG files require --frames, the number of them.")
      try forbid(
        frames != 1 && !to.contains("{index}"),
        "the files would overwrite each other: put {index} into \(to).")
    }
    try forbid(!(wait >= 0 && wait <= 1e9), "--wait must be from 0 to 1e9.")
  }

  private var isDNG: Bool { DNGCamera.isNamed(to) }

  func execute() async throws {
    let source = try profile.map { try ProfileSource(argument: $0) }
    let profile = source?.profile
    let wanted = try light.chosenGains(profile)?.gains
    let stream = self
    try await CameraSession.with(
      device, card: card, profile: profile, for: .borrowing, endsByInterrupt: true,
      check: { session in
        guard stream.isDNG else { return }
        try await DNGCamera.requireCodes(of: session, path: stream.to, instead: Self.developed)
      }
    ) { session in
      // The output is opened before any control is moved.
      let output = stream.isDNG ? nil : try stream.openOutput()
      let lock = try await stream.lock(session, at: wanted)
      let use = output == nil ? "stated as the white of the files" : "applied to the frames"
      remark(lock.words(use))
      let counter = FrameDropCounter()
      do {
        if var device = output {
          try await stream.send(session, lock, profile, to: &device, counter)
        } else {
          let camera = try await DNGCamera(
            of: session, colors: source, light: stream.light.light, path: stream.to,
            instead: Self.developed)
          try await stream.writeFiles(session, lock, camera, counter)
        }
      } catch CameraError.cancelled {
        // The user has ended the stream.
      } catch let code as ExitCode { throw code } catch {
        try? stream.printResult(counter.counts, lock)
        throw error
      }
      try stream.printResult(counter.counts, lock)
    }
  }

  private func openOutput() throws -> any FrameOutput {
    if to == "-" { return Y4MOutput() }
    #if os(Linux)
    return try DeviceOutput(opening: to)
    #else
    throw Failure.unavailable("there are no video devices on this system")
    #endif
  }

  /// The camera's settings, and the correction that remains.
  private struct Lock {
    var values: [ControlValue]
    /// The gains to apply to the frames, after the camera's own, the smallest 1.
    var residual: Gains
    var mixing: ChannelMixing?
    /// The settings that affect the color of pictures, for a camera that comes back.
    var settings: [ControlValue]

    var matrix: Matrix3x3 {
      mixing?.correction(by: residual) ?? Matrix3x3(diagonal: residual.vector)
    }

    /// Returns a sentence, which ends in the use of the remaining gains.
    func words(_ use: String) -> String {
      "Locked at \(values.text); the gains \(residual.argument) are \(use)."
    }
  }

  private func lock(_ session: CameraSession, at wanted: Gains?) async throws -> Lock {
    let applied: AppliedWhiteBalance
    var laws = session.knownLaws
    if let wanted {
      let probed = try await session.probe()
      applied = try await probed.lock(at: wanted, progress: { Progress.shared.show($0) })
      laws = probed.laws
    } else {
      applied = try await session.neutralizedCard().applied
    }
    let controls = (applied.values + (laws?.fixedSettings ?? [])).map(\.id)
    return Lock(
      values: applied.values, residual: applied.hardwareResidualGains, mixing: laws?.mixing,
      settings: try await session.camera.colorSettings(of: controls))
  }

  /// The memory in which frames are corrected.
  private final class Canvas: Sendable {
    let bytes: Mutex<[UInt8]>
    init(size: Int) { bytes = Mutex([UInt8](repeating: 0, count: size)) }
  }

  private func send(
    _ session: CameraSession, _ lock: Lock, _ profile: CameraProfile?,
    to output: inout any FrameOutput, _ counter: FrameDropCounter
  ) async throws {
    var camera = session.camera
    let first = try await nextLayout(camera.port)
    let rate = try await frameRate(of: camera.port)
    let seen = try session.layout(first)
    if case .gray = first.format.arrangement { throw Self.colorless }
    if first.format.isMosaic { throw Self.colorless }
    let (layout, size) = try output.begin(seen, rate: rate)
    let field = session.flatField(of: profile, for: seen)
    let correction = try FrameCorrection(
      lock.matrix, shading: field?.gains, layout: seen, output: layout)
    let canvas = Canvas(size: size)
    let interval = Duration.seconds(rate.map { Double($0.seconds) / Double($0.frames) } ?? 1 / 30)
    // The simulated camera computes a frame only when it is read.
    let patience = session.isSimulated ? nil : interval

    Progress.shared.show("sending frames; Ctrl-C ends the stream")
    var damagedBefore = await camera.port.damagedFrames
    while !Task.isCancelled, counter.counts.frames < frames ?? .max {
      do {
        let found = try await camera.port.withNextFrame(
          where: { counter.take($0, patience: patience) }
        ) { info, bytes in
          Result { () throws(FrameError) in
            guard info.layout.withoutRounding == first else { return false }
            try canvas.bytes.withLock { (canvas) throws(FrameError) in
              var span = canvas.mutableSpan
              try correction.apply(to: bytes, writingTo: &span)
            }
            return true
          }
        }
        guard let found else { continue }
        guard try found.get() else {
          throw Failure.badData("the size or format of the camera's pictures has changed")
        }
        counter.finish(sent: try canvas.bytes.withLock { try output.send($0.span) })
      } catch let error as CameraError {
        guard case .vanished = error, wait > 0 else {
          await counter.end(damaged: camera.port.damagedFrames - damagedBefore)
          throw error
        }
        await counter.end(damaged: camera.port.damagedFrames - damagedBefore)
        camera = try await returned(session, lock)
        damagedBefore = await camera.port.damagedFrames
      }
    }
    await counter.end(damaged: camera.port.damagedFrames - damagedBefore)
  }

  /// Writes raw frames as DNG files. The gains that remain are their white.
  private func writeFiles(
    _ session: CameraSession, _ lock: Lock, _ camera: DNGCamera, _ counter: FrameDropCounter
  ) async throws {
    let neutral = try camera.neutral(card: lock.residual)
    if let lack = camera.lack(of: neutral) { remark(lack) }
    let port = session.camera.port
    let exposures = await ExposureTimes(of: session.camera)
    let damagedBefore = await port.damagedFrames
    Progress.shared.show("writing frames; Ctrl-C ends it")
    while !Task.isCancelled, counter.counts.frames < frames ?? .max {
      // A file may take longer than a frame; the frames that follow are then late, but not dropped.
      let found = try await port.withNextFrame(where: { counter.take($0, patience: nil) }) {
        ($0.layout, unsafe $1.withUnsafeBufferPointer { unsafe Array($0) })
      }
      guard let (layout, bytes) = found else { continue }
      let path = to.replacing("{index}", with: "\(counter.counts.frames + 1)")
      try refuse(output: path, over: [profile].compactMap(\.self))
      try replaceFile(
        path,
        with: try camera.file(
          of: try session.frame(layout, bytes), neutral: neutral, exposure: exposures.exposure(),
          path: path, instead: Self.developed))
      counter.finish(sent: true)
    }
    await counter.end(damaged: port.damagedFrames - damagedBefore)
  }

  /// The way to send frames that are not raw.
  private static let developed = "--to with a video device or - takes such frames"

  private static let colorless = Failure.badData(
    "gray and raw frames cannot be corrected; request others, such as --device NAME,format=YUYV, or "
      + "write raw ones with --to 'frame-{index}.dng'")

  /// Waits for a camera that was disconnected, and restores its settings.
  private func returned(_ session: CameraSession, _ lock: Lock) async throws -> Camera {
    remark("The camera went away; waiting for it.")
    let deadline = ContinuousClock.now + .seconds(wait)
    while true {
      do {
        let camera = try await session.reopened(within: max(.zero, deadline - .now))
        // A start of the stream may lose earlier settings.
        _ = try await nextLayout(camera.port)
        try await camera.reapply(lock.settings)
        for _ in 0..<Camera.latencyBound {
          _ = try await camera.port.withNextFrame(where: { _ in false }) { _, _ in }
        }
        remark("The camera is back.")
        return camera
      } catch let error as CameraError {
        switch error {
        // A device node may exist for a while before its permissions are set, or after its camera
        // is gone.
        case .vanished, .notFound, .notPermitted: if ContinuousClock.now >= deadline { throw error }
        default: throw error
        }
        do { try await Task.sleep(for: .milliseconds(100)) } catch { throw CameraError.cancelled }
      }
    }
  }

  private func nextLayout(_ port: any CameraPort) async throws -> FrameLayout {
    try await port.withNextFrame { info, _ in info.layout.withoutRounding }
  }

  private func frameRate(of port: any CameraPort) async throws -> (frames: Int, seconds: Int)? {
    if let rate = try await port.frameRate() { return (rate.frames, rate.seconds) }
    return try device.framesPerSecond().map { (Int(($0 * 1000).rounded()), 1000) }
  }

  struct Record: JSONRecord {
    var frames, lost, damaged, dropped: Int
    var controls: [String: Int]
    var remainder: Gains

    init(_ counts: FrameCounts, values: [ControlValue], remainder: Gains) {
      (frames, lost) = (counts.frames, counts.lost)
      (damaged, dropped) = (counts.damaged, counts.dropped)
      controls = values.byName
      self.remainder = remainder
    }
  }

  private func printResult(_ counts: FrameCounts, _ lock: Lock) throws {
    if json { return try printJSON(Record(counts, values: lock.values, remainder: lock.residual)) }
    remark(
      "\(counts.frames) frames sent; \(counts.lost) lost by the driver, \(counts.damaged) damaged, "
        + "\(counts.dropped) dropped because the output was slow")
  }
}

extension FrameLayout {
  /// The layout without the properties that differ from frame to frame.
  fileprivate var withoutRounding: FrameLayout {
    var layout = self
    layout.blockRounding = nil
    return layout
  }
}
