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
  /// The effect of the command on the camera.
  enum Use {
    /// The command only reads.
    case reading
    /// The settings at the end stay.
    case setting
    /// All settings are restored at the end.
    case borrowing
  }

  /// The specification by which the camera was opened.
  let device: DeviceSpecification
  let identity: CameraIdentity
  /// The camera; another one after `reopened`.
  var camera: Camera { opened.camera.withLock { $0 } }
  private let opened: OpenedCamera
  /// Properties of the camera that were measured since it was opened.
  private let found: Findings
  /// The profile, if it belongs to this camera.
  let profile: CameraProfile?
  /// The camera that the profile was made for, if it is another one.
  let otherCamera: String?
  /// The given profile, for estimating illuminants with this camera; `nil` if it was made for
  /// another camera.
  let lightProfile: CameraProfile?
  private let use: Use
  private let recording: RecordOptions.Recording?
  /// The settings to restore.
  private let before: [ControlValue]

  /// The camera's own port, without a recorder.
  var port: any CameraPort { Self.unrecorded(camera.port) }
  var simulated: SimulatedCamera? { port as? SimulatedCamera }
  var recorded: RecordedCamera? { port as? RecordedCamera }
  /// `true` if there is no hardware, so that no setting has to be stored.
  var isSimulated: Bool { simulated != nil || recorded != nil }
  /// The control laws of this camera, from the profile or measured since the camera was opened.
  var knownLaws: ControlLaws? { profile?.laws ?? found.laws.withLock(\.self) }

  /// Lets operations end as soon as the picture shows a setting.
  func endWhenSeen() { opened.camera.withLock { $0.verificationFrames = 0 } }

  private final class OpenedCamera: Sendable {
    let camera: Mutex<Camera>
    init(_ camera: Camera) { self.camera = Mutex(camera) }
  }

  private final class Findings: Sendable {
    let laws = Mutex<ControlLaws?>(nil)
    let exposure = Mutex<(laws: ExposureLaws?, transfer: TransferFunction?)>((nil, nil))
  }

  /// Opens a camera, runs `body`, and restores the camera's settings if `body` fails, is
  /// interrupted or has only borrowed the camera.
  ///
  /// The function is `dynamic`, as those in `CameraControl`, so that it is compiled once and not
  /// for every command.
  ///
  /// - Parameters:
  ///   - card: the options for reading the picture; the profile supplies what they leave open.
  ///   - profile: its control laws, transfer function and levels are used if it belongs to this
  ///     camera.
  ///   - recording: the recording to make; its file is written at the end even if `body` fails.
  ///   - endsByInterrupt: `true` if Ctrl-C is the regular end.
  ///   - check: throws an error if the camera cannot be used; it changes no setting, and none is
  ///     then restored.
  dynamic static func with<Result: Sendable>(
    _ device: DeviceSpecification, card: CardOptions? = nil, profile: CameraProfile? = nil,
    for use: Use, recording: RecordOptions.Recording? = nil, endsByInterrupt: Bool = false,
    check: (@Sendable (CameraSession) async throws -> Void)? = nil,
    _ body: @escaping @Sendable (CameraSession) async throws -> Result
  ) async throws -> Result {
    let session = try await CameraSession(
      opening: device, for: use, card: card, recording: recording
    ) { _ in profile }
    try await session.claim()
    do { try await check?(session) } catch {
      try await session.end(puttingBack: false)
      throw error
    }
    return try await withAll([session], endsByInterrupt: endsByInterrupt) {
      try await body(session)
    }
  }

  /// Opens a camera and changes nothing.
  ///
  /// - Parameter profile: returns the profile to use with a camera, as above.
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
    let camera = Self.configured(Camera(port), card, self.profile, found)
    opened = OpenedCamera(camera)
    before = try await camera.settings()
  }

  /// Returns the camera with a recorder around it; the camera itself without a recording.
  private static func recorded(
    _ port: any CameraPort, _ recording: RecordOptions.Recording?, region: GrayCardEstimator.Region
  ) async throws(CameraError) -> any CameraPort {
    guard let recording else { return port }
    return try await RecordingPort(port, recording.recorder, region: region)
  }

  /// Returns the camera inside its recorder.
  private static func unrecorded(_ port: any CameraPort) -> any CameraPort {
    (port as? RecordingPort)?.recorded ?? port
  }

  /// Notes in the recording, if there is one, which lamp is on from now on.
  func noteLight(_ name: String) { recording?.recorder.add(.light(name)) }

  /// Returns the profile if it belongs to the camera, and the camera that it was made for
  /// otherwise.
  private static func own(
    _ given: CameraProfile?, of identity: CameraIdentity
  ) -> (profile: CameraProfile?, otherCamera: String?) {
    guard let given else { return (nil, nil) }
    let id = identity.id
    if given.device?.id == id { return (given, nil) }
    if let other = given.device {
      remark(
        "The profile was made for \(other.name) (\(other.id)), not for \(id): its data on "
          + "controls and pictures are not used.")
    } else if let other = given.cameraName {
      remark("The profile was made for pictures of a \(other), not for \(identity.name).")
    }
    return (nil, given.cameraName)
  }

  /// Returns the camera with the settings for reading its pictures.
  private static func configured(
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

  /// Returns the same open camera with other options for reading the card or another profile.
  func reading(_ card: CardOptions?, profile: CameraProfile?) -> CameraSession {
    CameraSession(self, card, profile)
  }

  private init(_ session: CameraSession, _ card: CardOptions?, _ given: CameraProfile?) {
    (device, identity, use, before, recording) = (
      session.device, session.identity, session.use, session.before, session.recording
    )
    found = session.found
    // The remark about another camera's profile was made when the camera was opened.
    let isOwn = given?.device?.id == session.identity.id
    (profile, otherCamera) = isOwn ? (given, nil) : (nil, given?.cameraName)
    lightProfile = otherCamera == nil ? given : nil
    opened = OpenedCamera(Self.configured(session.camera, card, profile, found))
  }

  /// Opens several cameras. A camera that cannot be opened is a failure at its index.
  ///
  /// - Parameter profile: returns the profile for a camera, from its index and identity.
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
        // The caller has to refuse a camera that is listed twice.
        let isOpen = sessions.contains { (try? $0.get())?.identity == session.identity }
        if !isOpen { try await session.claim() }
        sessions.append(.success(session))
      } catch { sessions.append(.failure(Failure(error))) }
    }
    return sessions
  }

  /// Runs `body` on open cameras, and restores the settings of all of them if it fails, is
  /// interrupted or has only borrowed them. After a run that was killed, `wbcal restore` does so.
  dynamic static func withAll<Result: Sendable>(
    _ sessions: [CameraSession], endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // Signals are watched before anything is changed.
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
      complain("the settings of \(name) could not be restored: \(Failure(error).message)")
    }
    // A command that had finished when the signal came has succeeded.
    if let signal, !succeeded || endsByInterrupt && signal != SIGINT {
      if notRestored.isEmpty {
        let subject = sessions.count == 1 ? "the camera's" : "the cameras'"
        complain("interrupted; \(subject) settings were restored")
      }
      throw ExitCode(128 + signal)
    }
    return try result.get()
  }

  /// Begins to use the camera. The caller has to call `end(puttingBack:)` at the end.
  func begin() async throws {
    try await claim()
    noteSettings()
  }

  /// Ends the use of the camera and, if requested, restores its settings.
  ///
  /// - Throws: the error that prevented the restoring; `wbcal restore` can do it later.
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

  /// Reserves the camera for this program if it is to be changed.
  private func claim() async throws(CameraError) {
    if use != .reading { try await camera.port.beginConfiguration() }
  }

  /// Stores the camera's settings, so that they are known if this run is killed.
  private func noteSettings() {
    guard !isSimulated, use != .reading else { return }
    SettingStore().note(
      StoredSetting(camera: identity, date: .now, gains: nil, values: before))
  }

  /// Releases the camera to other programs.
  private func release() async {
    guard !isSimulated, use != .reading else { return }
    SettingStore().forgetNote(of: identity.id)
    await camera.port.endConfiguration()
  }

  /// Restores the settings that the camera had when it was opened.
  private func putBack() async throws { try await camera.restore(before) }

  /// Runs work on several cameras at once, with one progress line. A camera on which the work fails
  /// gets its settings back, and its result is the failure from then on; the others continue.
  ///
  /// - Parameters:
  ///   - inputs: the inputs of the work, and the failures of earlier work.
  ///   - session: returns the camera of an input.
  /// - Returns: the result of each input, in the order of the inputs.
  /// - Throws: `CameraError.cancelled` if the task is cancelled.
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
        failure.message += "; the settings could not be restored: \(Failure(error).message)"
      }
    }
    return failure
  }

  /// Waits until a camera that was disconnected is back, and opens it again; `camera` is the new
  /// one from then on.
  ///
  /// - Throws: `CameraError.vanished` if the camera does not come back in time.
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

  /// Runs `body` with a card that is neither clipped nor dark. If another exposure is needed for
  /// that, the former one is restored afterwards.
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
    // If this fails, so does the command, and all settings are restored.
    try await camera.restore(before)
    if case .success = result {
      remark("The card was clipped or dark; it was measured with another exposure.")
    }
    return try result.get()
  }

  /// Makes the gray card neutral, by the control laws if they are known.
  func neutralizedCard() async throws -> CardBalance {
    if let knownLaws {
      return try await ProbedCamera(camera, laws: knownLaws).balanceOnCard(
        progress: { Progress.shared.show($0) })
    }
    return try await camera.balanceOnCard(progress: { Progress.shared.show($0) })
  }

  /// Returns the camera with the known control laws, or else with newly measured ones.
  func probe() async throws -> ProbedCamera {
    if let knownLaws { return ProbedCamera(camera, laws: knownLaws) }
    defer { Progress.shared.show("watching the picture") }
    let probed = try await camera.probe { done, total in
      Progress.shared.show(
        "probing the controls: \(done) of \(total)",
        share: Double(done) / Double(max(total, 1)))
    }
    found.laws.withLock { $0 = probed.laws }
    return probed
  }

  /// Returns the camera with its exposure laws, measured if they are unknown, and keeps them and
  /// the tone curve for later uses of the session's camera.
  func withExposureLaws(_ camera: Camera) async throws -> Camera {
    let camera = try await Self.withExposureLaws(camera)
    found.exposure.withLock { $0 = (camera.exposureLaws, camera.transfer) }
    return camera
  }

  /// Returns the camera with its exposure laws, measured with a progress line. If the pictures do
  /// not follow the tone curve that their format states, their curve is measured first.
  static func withExposureLaws(_ camera: Camera) async throws(CameraError) -> Camera {
    if camera.exposureLaws != nil { return camera }
    var camera = camera
    func probe() async throws(CameraError) -> ExposureLaws {
      try await camera.probeExposure { done, total in
        Progress.shared.show(
          "probing the exposure: \(done) of at most \(total)",
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
      remark("The pictures follow \(transfer.summary), not the one that the camera reports.")
    }
    return camera
  }

  /// Stores what was set for `wbcal restore`; a simulated camera keeps its settings by itself.
  ///
  /// - Parameter laws: the camera's laws, if they are known.
  func keep(_ applied: AppliedWhiteBalance, by laws: ControlLaws?) async {
    // Relative to another automatic balance, the same values are another white balance.
    if isSimulated || applied.persistence?.baseline == .relativeToAutomatic { return }
    do {
      try await SettingStore().keep(applied, of: camera, held: laws?.fixedSettings ?? [])
    } catch { remarkNotKept(error) }
  }

  /// Stores the exposure and the lens for `wbcal restore`, in addition to what is stored already.
  func keepExposureAndFocus() async {
    if isSimulated { return }
    do { try await SettingStore().keepExposureAndFocus(of: camera) } catch { remarkNotKept(error) }
  }

  private func remarkNotKept(_ error: any Error) {
    remark("This setting cannot be restored later: \(Failure(error).message)")
  }

  static func isVanished(_ error: any Error) -> Bool {
    if case CameraError.vanished = error { true } else { false }
  }
}
