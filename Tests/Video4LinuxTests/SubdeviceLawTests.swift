import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import CameraTestSupport
import Testing

@testable import Video4Linux

struct SubdeviceLawTests {
  /// The laws of camera ports on a camera whose controls are those of a sensor and an image
  /// processor.
  @Test func aCameraWithSubdevicesKeepsTheLaws() async throws {
    let system = try SensorSystem()
    // The sensor's rate is 29.94 frames a second.
    system.video.state.withLock { ($0.endless, $0.frameTime) = (256, 33_401) }
    for driver in [system.sensor, system.processor] {
      driver.state.withLock { $0.reportsChanges = true }
    }
    let list = system.list
    var camera = CameraUnderTest {
      try await VideoDevice(opening: "/dev/null", in: list, frameTimeout: .milliseconds(500))
    }
    camera.close = { await ($0 as? VideoDevice)?.close() }
    let video = system.video
    camera.stopFrames = { _ in video.state.withLock { $0.endless = nil } }
    // It ends the frames.
    camera.untouched = [.testPattern]
    let report = await camera.report()
    #expect(report.isKept, "\(report)")
    withExtendedLifetime(system.root) {}
  }
}
