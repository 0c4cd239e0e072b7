import ArgumentParser
import CameraControl
import ColorScience
import Dispatch
import Foundation
import Reports
import SimulatedCamera
import WhiteBalance

/// A camera in use by one command.
struct CameraSession: Sendable {
  let camera: Camera
  let simulated: SimulatedCamera?
  let lightIsFixed: Bool

  var isSimulated: Bool { simulated != nil }

  /// Opens a camera, runs `body`, and puts the camera back as it was if `body` fails, is interrupted
  /// or returns without `keep`.
  ///
  /// - Parameters:
  ///   - keep: whether the settings that a successful `body` leaves shall stay.
  ///   - endsByInterrupt: whether Ctrl-C is how it is meant to end.
  static func with<Result: Sendable>(
    _ device: DeviceSpecification, estimator: GrayCardEstimator,
    curve: TransferFunction? = nil, latency: Int? = nil, keep: Bool,
    endsByInterrupt: Bool = false,
    _ body: @escaping @Sendable (CameraSession) async throws -> Result
  ) async throws -> Result {
    let port = try await device.open()
    let simulated = port as? SimulatedCamera
    let session = CameraSession(
      camera: Camera(port, estimator: estimator, curve: curve, latency: latency),
      simulated: simulated, lightIsFixed: device.light != nil)
    let before = try await session.camera.settings()

    let work = Task { try await body(session) }
    let interrupts = Interrupts { work.cancel() }
    let result = await work.result
    let succeeded = (try? result.get()) != nil
    if !(succeeded && keep) {
      do {
        try await session.camera.restore(before)
      } catch {
        // The failure that led here matters more; a camera that is gone has nothing to restore.
        if succeeded { throw error }
      }
    }
    if let simulated { await SimulatedSettings(of: simulated.identity).save(simulated) }
    if let signal = interrupts.end(), !(endsByInterrupt && signal == SIGINT) {
      complain("interrupted; the camera is as it was")
      throw ExitCode(128 + signal)
    }
    return try result.get()
  }

}

/// Tells of SIGINT, SIGTERM and SIGHUP instead of dying of them; nor does a closed pipe kill.
private final class Interrupts {
  private let sources: [any DispatchSourceSignal]
  private let received = Received()
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private final class Received: @unchecked Sendable {
    private let lock = NSLock()
    private var signal: Int32?

    func set(_ value: Int32) { lock.withLock { signal = value } }
    var value: Int32? { lock.withLock { signal } }
  }

  init(_ action: @escaping @Sendable () -> Void) {
    let received = received
    signal(SIGPIPE, SIG_IGN)
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        received.set(number)
        action()
      }
      source.resume()
      return source
    }
  }

  /// Lets signals do as ever, and says which came.
  func end() -> Int32? {
    for source in sources { source.cancel() }
    for number in Self.signals + [SIGPIPE] { signal(number, SIG_DFL) }
    return received.value
  }
}

extension CameraSession {
  /// The profile's control laws if they are this camera's, else newly probed ones.
  func controls(_ profile: CameraProfile?) async throws -> WhiteBalanceControls {
    let identity = await camera.port.identity
    if let profile {
      if let controls = profile.controls, profile.device?.id == identity.id { return controls }
      if let device = profile.device, device.id != identity.id {
        remark("The profile was made for \(device.name) (\(device.id)), not for \(identity.id).")
      }
    }
    return try await probeControls(camera)
  }

  /// The control laws of this camera, with a progress line: probing takes hundreds of frames.
  func probeControls(_ camera: Camera) async throws -> WhiteBalanceControls {
    var line = ProgressLine.onStandardError(quiet: false)
    return try await camera.probeControls { done, total in
      line.update("finding out what the controls mean: \(done) of \(total)")
    }
  }

  /// Keeps what was set for `wbcal restore`; what a simulated camera is set to stays by itself.
  func keep(_ applied: AppliedWhiteBalance, _ controls: WhiteBalanceControls) async {
    if isSimulated { return }
    do { try await SettingStore().keep(applied, controls, of: camera) } catch {
      remark("'wbcal restore' will not know this setting: \(Failure(error).message)")
    }
  }
}
