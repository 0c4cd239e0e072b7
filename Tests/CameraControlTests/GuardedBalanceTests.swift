import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras whose menu of lights determines whether red and blue balance have effect, as with
/// bcm2835.
struct GuardedBalanceTests {
  private func camera(_ settings: [ControlValue] = []) throws -> Camera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), size: (48, 32))
    configuration.balance = .guarded
    configuration.settings = settings
    return Camera(try SimulatedCamera(configuration))
  }

  private func preset(_ camera: Camera) async throws -> Int {
    try await camera.port.value(of: .whiteBalancePreset)
  }

  @Test func theBalancesAreFoundAndSet() async throws {
    let camera = try camera()
    #expect(try await camera.isAutomatic)
    let probed = try await camera.probe()
    let gains = probed.laws.gains(at: [
      ControlValue(.redBalance, 2000), ControlValue(.blueBalance, 1500),
    ])
    #expect(abs(gains.red - 2) < 0.01 && abs(gains.blue - 1.5) < 0.01)
    try await camera.setWhiteBalanceMode(.continuousAutomatic)
    #expect(try await preset(camera) == 1)
    let card = try await probed.balanceOnCard()
    #expect(try await preset(camera) == 0)
    #expect(abs(card.applied.residualGains.vector.max() - 1) < 0.005)
  }

  /// All settings are restored, whatever the preset and the balances.
  @Test(arguments: [0, 1, 4]) func everythingComesBack(preset: Int) async throws {
    let camera = try camera([
      ControlValue(.whiteBalancePreset, preset), ControlValue(.redBalance, 1700),
    ])
    // Automatic white balance moves the balances all the time.
    let before = try await camera.settings().filter {
      preset != 1 || $0.id == .whiteBalancePreset
    }
    try await camera.setToReference()
    #expect(try await self.preset(camera) == 0)
    try await camera.restore(before)
    #expect(try await Set(camera.settings()).isSuperset(of: before))
  }
}
