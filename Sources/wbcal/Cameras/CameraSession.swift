import WbcalArguments
import CameraControl
import ColorScience
import Dispatch
import Foundation
import WbcalReports
import SimulatedCamera
import Synchronization
import WhiteBalance

/// A camera in use by one command.
struct CameraSession: Sendable {
  let camera: Camera
  let simulated: SimulatedCamera?
  let lightIsFixed: Bool
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
    let port = try await device.open()
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
      simulated: simulated, lightIsFixed: device.light != nil, knownLaws: own?.laws,
      otherCamera: otherCamera)
    let before = try await session.camera.settings()

    let work = Task { try await body(session) }
    let interrupts = Interrupts { work.cancel() }
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
    var line = ProgressLine.onStandardError(quiet: false)
    return try await camera.probed { done, total in
      line.update("finding out what the controls mean: \(done) of \(total)")
    }
  }

  /// Keeps what was set for `wbcal restore`; what a simulated camera is set to stays by itself.
  func keep(_ applied: AppliedWhiteBalance, of camera: ProbedCamera) async {
    if isSimulated { return }
    do { try await SettingStore().keep(applied, of: camera) } catch {
      remark("'wbcal restore' will not know this setting: \(Failure(error).message)")
    }
  }

  private static func isVanished(_ error: any Error) -> Bool {
    if case CameraError.vanished = error { true } else { false }
  }
}

/// Reports SIGINT, SIGTERM and SIGHUP instead of terminating, except those that are ignored
/// already. A closed pipe does not terminate the program either.
private final class Interrupts: @unchecked Sendable {
  private let received = Mutex<Int32?>(nil)
  private let before: [(signal: Int32, action: sighandler_t?)]
  /// Set once, by the initializer.
  private var sources: [any DispatchSourceSignal] = []

  init(_ action: @escaping @Sendable () -> Void) {
    before = [SIGPIPE, SIGINT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_IGN)) }
    sources = before.dropFirst().filter { !Self.isIgnored($0.action) }.map { number, _ in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        self.received.withLock { $0 = number }
        action()
      }
      source.resume()
      return source
    }
  }

  private static func isIgnored(_ action: sighandler_t?) -> Bool {
    unsafe unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Lets signals do as before, and says which came.
  func end() -> Int32? {
    for source in sources { source.cancel() }
    for (number, action) in before { signal(number, action) }
    return received.withLock { $0 }
  }
}
