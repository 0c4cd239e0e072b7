import CameraProfiles
import CameraControl
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct FaultyCameraTests {
  /// Whatever goes wrong: gains are seen in the picture, or an error tells why not and the
  /// automatic is on again, as it was.
  @Test func aLockIsSeenOrUndone() async throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    let lamp = try #require(MeasuredLamp(named: "D65"))
    let healthy = SimulatedCamera.Configuration(sensor: sensor, lamp: lamp, size: (64, 48))
    let laws = try await Camera(try SimulatedCamera(healthy)).probe().laws
    await forAll(
      .faultyCameras(sensor: sensor, lamp: lamp), trials: Trials(count: 30)
    ) { configuration in
      let port = try SimulatedCamera(configuration)
      do {
        let applied = try await ProbedCamera(Camera(port), laws: laws).lock(
          at: Gains(red: 1.4, blue: 1.6))
        return applied.firstFrame != nil
      } catch {
        if case CameraError.vanished = error { return true }
        return try await port.value(of: .autoWhiteBalance) == 1
      }
    }
  }
}
