#if GenICam
import CameraControl
import CameraTestSupport
import GenICam
import Synchronization
import Testing

extension LoopbackTests {
  struct LawTests {
    /// A peer that can be unplugged and plugged in again.
    private final class Plug: Sendable {
      private let arguments: [String]
      private let peer = Mutex<Peer?>(nil)

      init(_ arguments: [String]) throws {
        self.arguments = arguments
        try plugIn()
      }

      func plugIn() throws {
        let arguments = arguments
        try peer.withLock { $0 = try Peer(arguments) }
      }

      func unplug() { peer.withLock { $0?.unplug() } }
    }

    /// Each peer comes with the laws that say nothing about it, in addition to those that say
    /// nothing about any.
    @Test(arguments: [
      (["--noise", "0"], ["between steps"]),
      (["--names", "raw"], ["unit of time"]),
    ])
    func theCameraKeepsTheLaws(_ arguments: [String], without: [String]) async throws {
      let plug = try Plug(arguments)
      var camera = CameraUnderTest { try await GenICamCamera(opening: Peer.address) }
      camera.openAnother = camera.open
      camera.close = { await ($0 as? GenICamCamera)?.close() }
      camera.unplug = { _ in plug.unplug() }
      camera.plugIn = { try plug.plugIn() }
      let report = await camera.report()
      #expect(report.isKept, "\(report)")
      // While the camera is open no other program can reserve it, and the peer has no menu, no
      // read-only control, and no way to send no frames.
      #expect(
        Set(report.notApplicable.map(\.law.name))
          == Set(
            without + [
              "menu", "missing item", "read-only", "reservation excludes", "reservation ends last",
              "reservation released", "stalled", "stalled wait cancelled",
            ]), "\(report)")
    }
  }
}
#endif
