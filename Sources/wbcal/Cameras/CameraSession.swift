import WbcalArguments
import CameraControl
import ColorScience
import Dispatch
import Foundation
import SimulatedCamera
import Synchronization
import WhiteBalance

/// A camera in use by one command.
struct CameraSession: Sendable {
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
  /// The profile, if it is this camera's own.
  let profile: CameraProfile?
  /// The camera that the profile was made for, if it is another one.
  let otherCamera: String?
  private let use: Use
  /// The settings to put back.
  private let before: [ControlValue]

  var simulated: SimulatedCamera? { camera.port as? SimulatedCamera }
  var isSimulated: Bool { simulated != nil }
  /// The control laws that the profile knows of this camera.
  var knownLaws: ControlLaws? { profile?.laws }

  private final class OpenedCamera: Sendable {
    let camera: Mutex<Camera>
    init(_ camera: Camera) { self.camera = Mutex(camera) }
  }

  /// Opens a camera, runs `body`, and puts the camera back as it was if `body` fails, is
  /// interrupted or has only borrowed it.
  ///
  /// - Parameters:
  ///   - card: how the picture is read; what it leaves open the profile may know.
  ///   - profile: its control laws, transfer function and levels are used if they are this camera's
  ///     own.
  ///   - endsByInterrupt: whether Ctrl-C is how it is meant to end.
  static func with<Result: Sendable>(
    _ device: DeviceSpecification, card: CardOptions? = nil, profile: CameraProfile? = nil,
    for use: Use, endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable (CameraSession) async throws -> Result
  ) async throws -> Result {
    let session = try await CameraSession(opening: device, for: use, card: card) { _ in profile }
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
    profile: (CameraIdentity) throws -> CameraProfile?
  ) async throws {
    Progress.shared.show("opening \(device.text)")
    let port = try await device.open()
    Progress.shared.show("watching the picture")
    self.device = device
    self.use = use
    identity = await port.identity
    let (id, given) = (identity.id, try profile(identity))
    let own = given.flatMap { $0.device?.id == id ? $0 : nil }
    self.profile = own
    otherCamera = own == nil ? given?.cameraName : nil
    if let otherCamera, given?.device == nil {
      remark("The profile was made for pictures of a \(otherCamera), not for \(identity.name).")
    }
    if own == nil, let other = given?.device {
      remark(
        "The profile was made for \(other.name) (\(other.id)), not for \(id): what it says "
          + "of controls and pictures is not used.")
    }
    var camera = Camera(
      port, estimator: card?.estimator ?? GrayCardEstimator(),
      transfer: card?.transfer ?? own?.transfer, blackLevel: card?.black ?? own?.blackLevel,
      whiteLevel: card?.white ?? own?.whiteLevel, latency: own?.laws?.latency)
    camera.exposureLaws = own?.exposure
    opened = OpenedCamera(camera)
    before = try await camera.settings()
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
  static func withAll<Result: Sendable>(
    _ sessions: [CameraSession], endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // Watched for before anything is changed.
    let interrupts = Interrupts()
    await interrupts.areRegistered()
    for session in sessions { session.noteSettings() }
    let work = Task { try await body() }
    interrupts.act { work.cancel() }
    let result = await work.result
    let succeeded = (try? result.get()) != nil
    var notRestored: [(session: CameraSession, error: any Error)] = []
    for session in sessions {
      if session.use == .borrowing || session.use == .setting && !succeeded {
        do { try await session.putBack() } catch { notRestored.append((session, error)) }
      }
      if !notRestored.contains(where: { $0.session.identity == session.identity }) {
        await session.release()
      }
      if let simulated = session.simulated {
        await SimulatedSettings(of: simulated.identity).save(simulated)
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
  static func onEach<Input: Sendable, Value: Sendable>(
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
    let port = try await device.open(again: identity, within: time)
    let old = camera
    let new = Camera(
      port, estimator: old.estimator, transfer: old.transfer, blackLevel: old.blackLevel,
      whiteLevel: old.whiteLevel, latency: old.latency)
    opened.camera.withLock { $0 = new }
    try await claim()
    return new
  }

  /// Runs `body` where the card is neither clipped nor dark: if need be at another exposure, which
  /// is then put back.
  func withExposedCard<Result>(_ body: () async throws -> Result) async throws -> Result {
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
    return try await Self.probe(camera)
  }

  /// The camera with newly found laws, and a progress line: probing takes hundreds of frames.
  static func probe(_ camera: Camera) async throws -> ProbedCamera {
    defer { Progress.shared.show("watching the picture") }
    return try await camera.probed { done, total in
      Progress.shared.show("finding out what the controls mean: \(done) of \(total)")
    }
  }

  /// The camera with the laws of its exposure, and a progress line. Where the pictures do not
  /// follow the tone curve that they claim, theirs is found first.
  static func withExposureLaws(_ camera: Camera) async throws -> Camera {
    if camera.exposureLaws != nil { return camera }
    var camera = camera
    func probe() async throws(CameraError) -> ExposureLaws {
      try await camera.probedExposure { done, total in
        Progress.shared.show(
          "finding out what the exposure's numbers mean: \(done) of at most \(total)")
      }
    }
    do throws(CameraError) {
      camera.exposureLaws = try await probe()
    } catch {
      guard camera.transfer == nil, case .noLaw = error else { throw error }
      let transfer = try await camera.puttingExposureBack { camera async throws(CameraError) in
        try await camera.lockExposure()
        return try await Self.transfer(of: camera)
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

  private static func isVanished(_ error: any Error) -> Bool {
    if case CameraError.vanished = error { true } else { false }
  }
}

/// Reports SIGINT, SIGQUIT, SIGTERM and SIGHUP instead of terminating, except those that are
/// ignored already. A closed pipe does not terminate the program either.
private final class Interrupts: @unchecked Sendable {
  private let state = Mutex<(received: Int32?, action: (@Sendable () -> Void)?)>((nil, nil))
  private let before: [(signal: Int32, action: sighandler_t?)]
  private let registrations = DispatchGroup()
  /// Set once, by the initializer.
  private var sources: [any DispatchSourceSignal] = []

  init() {
    before = [SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    sources = before.dropFirst().filter { !Self.isIgnored($0.action) }.map { number, _ in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let action = self.state.withLock { state in
          state.received = number
          return state.action
        }
        action?()
      }
      registrations.enter()
      source.setRegistrationHandler { self.registrations.leave() }
      source.resume()
      return source
    }
  }

  /// Returns when no signal can be lost any more. It blocks no thread: with one processor it would
  /// be the one that registers.
  func areRegistered() async {
    await withCheckedContinuation { done in
      registrations.notify(queue: .global()) { done.resume() }
    }
  }

  /// Calls `action` at every signal, and at once if one has come already.
  func act(_ action: @escaping @Sendable () -> Void) {
    let received = state.withLock { state in
      state.action = action
      return state.received
    }
    if received != nil { action() }
  }

  private static func isIgnored(_ action: sighandler_t?) -> Bool {
    unsafe unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Lets signals do as before, and says which came.
  func end() -> Int32? {
    for source in sources { source.cancel() }
    for (number, action) in before { signal(number, action) }
    return state.withLock { $0.received }
  }
}
