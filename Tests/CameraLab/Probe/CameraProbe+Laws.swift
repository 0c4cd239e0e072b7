import CameraControl
import CameraProfiles
import CameraTestSupport
import Glibc
import Video4Linux

extension CameraProbe {
  /// Checks the laws of camera ports and prints the report; exits with 1 if a law is broken.
  static func laws(_ name: String, _ commands: [String]) async throws(CameraError) {
    // A camera that comes back may have another node.
    let device = try await VideoDevice(opening: name)
    let id = device.identity.id
    await device.close()
    var camera = CameraUnderTest { try await VideoDevice(opening: id) }
    camera.openAnother = camera.open
    camera.close = { await ($0 as? VideoDevice)?.close() }
    if commands.count == 2 {
      camera.unplug = { _ in _ = unsafe system(commands[0]) }
      camera.plugIn = {
        _ = unsafe system(commands[1])
        try await returned(id)
      }
    }
    let report = await camera.report()
    say(report.description)
    if !report.isKept { exit(1) }
  }

  /// Waits until a camera can be opened.
  private static func returned(_ id: String) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      do {
        await (try await VideoDevice(opening: id)).close()
        return
      } catch { if ContinuousClock.now >= deadline { throw error } }
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}
