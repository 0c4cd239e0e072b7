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
  let camera: Camera
  let simulated: SimulatedCamera?
  let lightIsFixed: Bool
  /// Whether the light of the simulated room waits for a person, as a real one does.
  let asksForLight: Bool
  /// The control laws that the profile knows of this camera.
  let knownLaws: ControlLaws?
  /// The camera that the profile was made for, if it is another one.
  let otherCamera: String?

  var isSimulated: Bool { simulated != nil }

  /// Opens a camera, runs `body`, and puts the camera back as it was if `body` fails, is
  /// interrupted or returns without `keep`.
  ///
  /// - Parameters:
  ///   - card: how the picture is read; what it leaves open the profile may know.
  ///   - profile: its control laws, transfer function and levels are used if they are this camera's
  ///     own.
  ///   - keep: whether the settings that a successful `body` leaves shall stay.
  ///   - endsByInterrupt: whether Ctrl-C is how it is meant to end.
  static func with<Result: Sendable>(
    _ device: DeviceSpecification, card: CardOptions? = nil, profile: CameraProfile? = nil,
    keep: Bool, endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable (CameraSession) async throws -> Result
  ) async throws -> Result {
    Progress.shared.show("opening \(device.text)")
    let port = try await device.open()
    Progress.shared.show("watching the picture")
    let simulated = port as? SimulatedCamera
    let identity = await port.identity
    let own = profile.flatMap { $0.device?.id == identity.id ? $0 : nil }
    let otherCamera = own == nil ? profile?.cameraName : nil
    if let otherCamera, profile?.device == nil {
      remark("The profile was made for pictures of a \(otherCamera), not for \(identity.name).")
    }
    if own == nil, let other = profile?.device {
      remark(
        "The profile was made for \(other.name) (\(other.id)), not for \(identity.id): what it says "
          + "of controls and pictures is not used.")
    }
    let session = CameraSession(
      camera: Camera(
        port, estimator: card?.estimator ?? GrayCardEstimator(),
        transfer: card?.transfer ?? own?.transfer, blackLevel: card?.black ?? own?.blackLevel,
        whiteLevel: card?.white ?? own?.whiteLevel, latency: own?.laws?.latency),
      simulated: simulated, lightIsFixed: device.light != nil,
      asksForLight: device.asksForLight, knownLaws: own?.laws, otherCamera: otherCamera)
    let before = try await session.camera.settings()

    // Watched for before anything is changed.
    let interrupts = Interrupts()
    await interrupts.areRegistered()
    let work = Task { try await body(session) }
    interrupts.act { work.cancel() }
    let result = await work.result
    let succeeded = (try? result.get()) != nil
    var notRestored: (any Error)?
    if !(succeeded && keep) {
      do { try await session.camera.restore(before) } catch { notRestored = error }
    }
    if let simulated { await SimulatedSettings(of: simulated.identity).save(simulated) }
    let signal = interrupts.end()
    if succeeded, let notRestored { throw notRestored }
    // A camera that is gone has nothing to restore.
    if let notRestored, !Self.isVanished(notRestored) {
      complain("the camera could not be put back as it was: \(Failure(notRestored).message)")
    }
    // What was done when the signal came stays done.
    if let signal, endsByInterrupt ? signal != SIGINT : !succeeded {
      if notRestored == nil { complain("interrupted; the camera is as it was") }
      throw ExitCode(128 + signal)
    }
    return try result.get()
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

  /// Keeps what was set for `wbcal restore`; what a simulated camera is set to stays by itself.
  ///
  /// - Parameter laws: those of the camera, if they are known.
  func keep(_ applied: AppliedWhiteBalance, by laws: ControlLaws?) async {
    // On another base the same values are another white balance.
    if isSimulated || applied.endurance?.isRelative == true { return }
    do {
      try await SettingStore().keep(applied, of: camera, held: laws?.held ?? [])
    } catch {
      remark("'wbcal restore' will not know this setting: \(Failure(error).message)")
    }
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
