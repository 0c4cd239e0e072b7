import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import Synchronization
import WbcalArguments
import WbcalFoundation
import WhiteBalance

/// A camera in use by one command.
final class CameraSession: Sendable {
  /// What the command does to it.
  enum Use {
    /// It reads alone.
    case reading
    /// What it has set at the end stays.
    case setting
    /// It puts everything back at the end.
    case borrowing
  }

  /// How the camera was named.
  let device: DeviceSpecification
  let identity: CameraIdentity
  /// The camera; another one after `reopened`.
  var camera: Camera { opened.camera.withLock { $0 } }
  private let opened: OpenedCamera
  /// What was found out about the camera since it was opened.
  private let found: Findings
  /// The profile, if it is this camera's own.
  let profile: CameraProfile?
  /// The camera that the profile was made for, if it is another one.
  let otherCamera: String?
  /// The given profile, by which the light on this camera is told: none that was made for another
  /// camera.
  let lightProfile: CameraProfile?
  private let use: Use
  private let recording: RecordOptions.Recording?
  /// The settings to put back.
  private let before: [ControlValue]

  var simulated: SimulatedCamera? { Self.unrecorded(camera.port) as? SimulatedCamera }
  var recorded: RecordedCamera? { Self.unrecorded(camera.port) as? RecordedCamera }
  /// `true` if there is no hardware, so that no setting has to be remembered.
  var isSimulated: Bool { simulated != nil || recorded != nil }
  /// The control laws of this camera that the profile knows, or that were found since it was
  /// opened.
  var knownLaws: ControlLaws? { profile?.laws ?? found.laws.withLock(\.self) }

  /// Lets operations end as soon as the picture shows a setting.
  func endWhenSeen() { opened.camera.withLock { $0.watchedFrames = 0 } }

  private final class OpenedCamera: Sendable {
    let camera: Mutex<Camera>
    init(_ camera: Camera) { self.camera = Mutex(camera) }
  }

  private final class Findings: Sendable {
    let laws = Mutex<ControlLaws?>(nil)
    let exposure = Mutex<(laws: ExposureLaws?, transfer: TransferFunction?)>((nil, nil))
  }

  /// Opens a camera, runs `body`, and puts the camera back as it was if `body` fails, is
  /// interrupted or has only borrowed it.
  ///
  /// As in `CameraControl` it is `dynamic` so that it exists once, and not for every command.
  ///
  /// - Parameters:
  ///   - card: how the picture is read; what it leaves open the profile may know.
  ///   - profile: its control laws, transfer function and levels are used if they are this camera's
  ///     own.
  ///   - recording: what is recorded; its file is written at the end, whatever comes of it.
  ///   - endsByInterrupt: whether Ctrl-C is how it is meant to end.
  dynamic static func with<Result: Sendable>(
    _ device: DeviceSpecification, card: CardOptions? = nil, profile: CameraProfile? = nil,
    for use: Use, recording: RecordOptions.Recording? = nil, endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable (CameraSession) async throws -> Result
  ) async throws -> Result {
    let session = try await CameraSession(
      opening: device, for: use, card: card, recording: recording
    ) { _ in profile }
    try await session.claim()
    return try await withAll([session], endsByInterrupt: endsByInterrupt) {
      try await body(session)
    }
  }

  /// Opens a camera and changes nothing.
  ///
  /// - Parameter profile: the profile to use with a camera, as above.
  init(
    opening device: DeviceSpecification, for use: Use, card: CardOptions?,
    recording: RecordOptions.Recording? = nil,
    profile: (CameraIdentity) throws -> CameraProfile?
  ) async throws {
    Progress.shared.show("opening \(device.text)")
    let port = try await Self.recorded(
      device.open(), recording, region: card?.region ?? CardOptions.defaultRegion)
    self.recording = recording
    Progress.shared.show("watching the picture")
    self.device = device
    self.use = use
    identity = await port.identity
    let given = try profile(identity)
    (self.profile, otherCamera) = Self.own(given, of: identity)
    lightProfile = otherCamera == nil ? given : nil
    found = Findings()
    let camera = Self.reading(Camera(port), card, self.profile, found)
    opened = OpenedCamera(camera)
    before = try await camera.settings()
  }

  /// The camera as it is recorded; itself where it is not.
  private static func recorded(
    _ port: any CameraPort, _ recording: RecordOptions.Recording?, region: GrayCardEstimator.Region
  ) async throws(CameraError) -> any CameraPort {
    guard let recording else { return port }
    return try await RecordingPort(port, recording.recorder, region: region)
  }

  /// The camera behind what records it.
  private static func unrecorded(_ port: any CameraPort) -> any CameraPort {
    (port as? RecordingPort)?.recorded ?? port
  }

  /// Notes in the recording, if there is one, which light shines from now on.
  func noteLight(_ name: String) { recording?.recorder.add(.light(name)) }

  /// A profile if it is the camera's own, and the camera that it was made for if it is another one.
  private static func own(
    _ given: CameraProfile?, of identity: CameraIdentity
  ) -> (profile: CameraProfile?, otherCamera: String?) {
    guard let given else { return (nil, nil) }
    let id = identity.id
    if given.device?.id == id { return (given, nil) }
    if let other = given.device {
      remark(
        "The profile was made for \(other.name) (\(other.id)), not for \(id): what it says "
          + "of controls and pictures is not used.")
    } else if let other = given.cameraName {
      remark("The profile was made for pictures of a \(other), not for \(identity.name).")
    }
    return (nil, given.cameraName)
  }

  /// The camera as it reads its pictures.
  private static func reading(
    _ camera: Camera, _ card: CardOptions?, _ own: CameraProfile?, _ found: Findings
  ) -> Camera {
    var camera = camera
    let exposure = found.exposure.withLock(\.self)
    camera.estimator = card?.estimator ?? GrayCardEstimator()
    camera.transfer = card?.transfer ?? own?.transfer ?? exposure.transfer
    camera.blackLevel = card?.black ?? own?.blackLevel
    camera.whiteLevel = card?.white ?? own?.whiteLevel
    camera.latency = (own?.laws ?? found.laws.withLock(\.self))?.latency
    camera.exposureLaws = own?.exposure ?? exposure.laws
    return camera
  }

  /// The same open camera, read in another way or with another profile.
  func reading(_ card: CardOptions?, profile: CameraProfile?) -> CameraSession {
    CameraSession(self, card, profile)
  }

  private init(_ session: CameraSession, _ card: CardOptions?, _ given: CameraProfile?) {
    (device, identity, use, before, recording) = (
      session.device, session.identity, session.use, session.before, session.recording
    )
    found = session.found
    // It was remarked on when the camera was opened.
    let isOwn = given?.device?.id == session.identity.id
    (profile, otherCamera) = isOwn ? (given, nil) : (nil, given?.cameraName)
    lightProfile = otherCamera == nil ? given : nil
    opened = OpenedCamera(Self.reading(session.camera, card, profile, found))
  }

  /// Opens several cameras, each by its place in the list; one that cannot be opened is a failure.
  static func openAll(
    _ devices: [DeviceSpecification], for use: Use, card: CardOptions?,
    profile: (Int, CameraIdentity) throws -> CameraProfile?
  ) async -> [Result<CameraSession, Failure>] {
    var sessions: [Result<CameraSession, Failure>] = []
    for (index, device) in devices.enumerated() {
      do {
        let session = try await CameraSession(opening: device, for: use, card: card) {
          try profile(index, $0)
        }
        // One that is there twice is for the caller to refuse.
        let isOpen = sessions.contains { (try? $0.get())?.identity == session.identity }
        if !isOpen { try await session.claim() }
        sessions.append(.success(session))
      } catch { sessions.append(.failure(Failure(error))) }
    }
    return sessions
  }

  /// Runs `body` on cameras that are open, and puts all of them back as they were if it fails, is
  /// interrupted or has only borrowed them. Of a run that is killed, `wbcal restore` does it.
  dynamic static func withAll<Result: Sendable>(
    _ sessions: [CameraSession], endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // Watched for before anything is changed.
    let interrupts = await Interrupts.begin()
    for session in sessions { session.noteSettings() }
    let work = Task { try await body() }
    interrupts.act { work.cancel() }
    let result = await work.result
    let succeeded = (try? result.get()) != nil
    var notRestored: [(session: CameraSession, error: any Error)] = []
    for session in sessions {
      let stays = session.use == .reading || session.use == .setting && succeeded
      do { try await session.end(puttingBack: !stays) } catch {
        notRestored.append((session, error))
      }
    }
    let signal = interrupts.end()
    if succeeded, let first = notRestored.first { throw first.error }
    for (session, error) in notRestored where !Self.isVanished(error) {
      let name = sessions.count == 1 ? "the camera" : session.device.text
      complain("\(name) could not be put back as it was: \(Failure(error).message)")
    }
    // What was done when the signal came stays done.
    if let signal, !succeeded || endsByInterrupt && signal != SIGINT {
      if notRestored.isEmpty {
        let state = sessions.count == 1 ? "the camera is as it was" : "the cameras are as they were"
        complain("interrupted; \(state)")
      }
      throw ExitCode(128 + signal)
    }
    return try result.get()
  }

  /// Begins to use the camera, whose user calls `end(puttingBack:)` at the end.
  func begin() async throws {
    try await claim()
    noteSettings()
  }

  /// Ends the use of the camera, which is put back as it was where that is asked for.
  ///
  /// - Throws: what kept it from being put back; `wbcal restore` can do it later.
  func end(puttingBack: Bool) async throws {
    let result: Swift.Result<Void, any Error>
    do {
      if puttingBack { try await putBack() }
      await release()
      result = .success(())
    } catch { result = .failure(error) }
    if let simulated {
      await SimulatedSettings(of: simulated.identity).save(simulated)
      if let path = device.truth { try await SimulatedTruth(of: simulated).write(to: path) }
    }
    try recording?.save()
    try result.get()
  }

  /// Makes the camera this program's alone if it is to be changed.
  private func claim() async throws(CameraError) {
    if use != .reading { try await camera.port.beginConfiguration() }
  }

  /// Notes what the camera is set to, so that it is known if this run does not come to its end.
  private func noteSettings() {
    guard !isSimulated, use != .reading else { return }
    SettingStore().note(
      StoredSetting(camera: identity, date: .now, gains: nil, values: before))
  }

  /// Gives the camera to other programs.
  private func release() async {
    guard !isSimulated, use != .reading else { return }
    SettingStore().forgetNote(of: identity.id)
    await camera.port.endConfiguration()
  }

  /// Puts the camera back as it was when it was opened.
  private func putBack() async throws { try await camera.restore(before) }

  /// Runs work on several cameras at once, under one line of progress. A camera on which it fails
  /// is put back as it was, and its failure stands for it from then on; the others go on.
  ///
  /// - Parameters:
  ///   - inputs: what the work is on, and the failures of earlier work.
  ///   - session: the camera of an input.
  /// - Returns: what became of each, in the order of the inputs.
  /// - Throws: `CameraError.cancelled` where the task is cancelled.
  dynamic static func onEach<Input: Sendable, Value: Sendable>(
    _ inputs: [Result<Input, Failure>], of session: @escaping @Sendable (Input) -> CameraSession,
    _ description: String, _ work: @escaping @Sendable (Input) async throws -> Value
  ) async throws -> [Result<Value, Failure>] {
    let count = inputs.count { (try? $0.get()) != nil }
    func show(_ done: Int) {
      Progress.shared.show("\(description): \(done) of \(count) cameras done")
    }
    show(0)
    return try await withThrowingTaskGroup { group in
      var results: [Int: Result<Value, Failure>] = [:]
      for (index, input) in inputs.enumerated() {
        switch input {
        case .failure(let failure): results[index] = .failure(failure)
        case .success(let input):
          group.addTask {
            do {
              return (index, Result<Value, Failure>.success(try await work(input)))
            } catch {
              return (index, .failure(await session(input).putBack(after: error)))
            }
          }
        }
      }
      var done = 0
      for try await (index, result) in group {
        results[index] = result
        done += 1
        show(done)
      }
      if Task.isCancelled { throw CameraError.cancelled }
      return inputs.indices.compactMap { results[$0] }
    }
  }

  private func putBack(after error: any Error) async -> Failure {
    var failure = Failure(error)
    do { try await putBack() } catch {
      if !Self.isVanished(error) {
        failure.message += "; it could not be put back as it was: \(Failure(error).message)"
      }
    }
    return failure
  }

  /// Waits until the camera that went away is back, and opens it anew; `camera` is it from then on.
  ///
  /// - Throws: `CameraError.vanished` where it does not come back in time.
  func reopened(within time: Duration) async throws -> Camera {
    let old = camera
    let port = try await Self.recorded(
      device.open(again: identity, within: time), recording, region: old.estimator.region)
    let new = Camera(
      port, estimator: old.estimator, transfer: old.transfer, blackLevel: old.blackLevel,
      whiteLevel: old.whiteLevel, latency: old.latency)
    opened.camera.withLock { $0 = new }
    try await claim()
    return new
  }

  /// Runs `body` where the card is neither clipped nor dark: if need be at another exposure, which
  /// is then put back.
  dynamic func withExposedCard<Result>(_ body: () async throws -> Result) async throws -> Result {
    let camera = camera
    let isExposed = try await camera.estimate(frames: 2).refusals.allSatisfy {
      switch $0 {
      case .clipped, .saturated, .dark: false
      case .tooFewPixels, .uneven, .mixedColors, .coarse: true
      }
    }
    if isExposed { return try await body() }
    let before = try await camera.settings().filter { ControlID.exposures.contains($0.id) }
    guard try await camera.lockExposure() else { return try await body() }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    // If this fails, so does the command, and everything is put back.
    try await camera.restore(before)
    if case .success = result {
      remark("The card was clipped or dark; it was looked at with another exposure meanwhile.")
    }
    return try result.get()
  }

  /// Makes the gray card neutral with the laws that are known, or without.
  func neutralizedCard() async throws -> NeutralizedCard {
    if let knownLaws {
      return try await ProbedCamera(camera, laws: knownLaws).neutralizeCard(
        progress: { Progress.shared.show($0) })
    }
    return try await camera.neutralizeCard(progress: { Progress.shared.show($0) })
  }

  /// The camera with the control laws that are known, else with newly found ones.
  func probed() async throws -> ProbedCamera {
    if let knownLaws { return ProbedCamera(camera, laws: knownLaws) }
    defer { Progress.shared.show("watching the picture") }
    let probed = try await camera.probed { done, total in
      Progress.shared.show(
        "finding out what the controls mean: \(done) of \(total)",
        share: Double(done) / Double(max(total, 1)))
    }
    found.laws.withLock { $0 = probed.laws }
    return probed
  }

  /// The same of this camera, which are remembered.
  func withExposureLaws(_ camera: Camera) async throws -> Camera {
    let camera = try await Self.withExposureLaws(camera)
    found.exposure.withLock { $0 = (camera.exposureLaws, camera.transfer) }
    return camera
  }

  /// The camera with the laws of its exposure, and a progress line. Where the pictures do not
  /// follow the tone curve that they claim, theirs is found first.
  static func withExposureLaws(_ camera: Camera) async throws(CameraError) -> Camera {
    if camera.exposureLaws != nil { return camera }
    var camera = camera
    func probe() async throws(CameraError) -> ExposureLaws {
      try await camera.probedExposure { done, total in
        Progress.shared.show(
          "finding out what the exposure's numbers mean: \(done) of at most \(total)",
          share: Double(done) / Double(max(total, 1)))
      }
    }
    do throws(CameraError) {
      camera.exposureLaws = try await probe()
    } catch {
      guard camera.transfer == nil, case .noLaw = error else { throw error }
      let transfer = try await camera.puttingExposureBack { camera async throws(CameraError) in
        try await camera.lockExposure()
        return try await Self.exposureSeries(of: camera)?.transfer
      }
      guard let transfer else { throw error }
      camera.transfer = transfer
      camera.exposureLaws = try await probe()
      remark("The pictures follow \(transfer.summary), not the one that they claim.")
    }
    return camera
  }

  /// Keeps what was set for `wbcal restore`; what a simulated camera is set to stays by itself.
  ///
  /// - Parameter laws: those of the camera, if they are known.
  func keep(_ applied: AppliedWhiteBalance, by laws: ControlLaws?) async {
    // On another base the same values are another white balance.
    if isSimulated || applied.endurance?.isRelative == true { return }
    do {
      try await SettingStore().keep(applied, of: camera, held: laws?.held ?? [])
    } catch { remarkNotKept(error) }
  }

  /// Keeps the exposure and the lens for `wbcal restore`, beside what is kept already.
  func keepExposureAndFocus() async {
    if isSimulated { return }
    do { try await SettingStore().keepExposureAndFocus(of: camera) } catch { remarkNotKept(error) }
  }

  private func remarkNotKept(_ error: any Error) {
    remark("'wbcal restore' will not know this setting: \(Failure(error).message)")
  }

  static func isVanished(_ error: any Error) -> Bool {
    if case CameraError.vanished = error { true } else { false }
  }
}
