import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Exclusive access to a camera's controls.
struct ConfigurationTests {
  private func port(_ faults: SimulatedCamera.Faults = .init()) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
      lamp: try #require(MeasuredLamp(named: "A")), size: (48, 32))
    configuration.exposure = SimulatedExposure()
    configuration.settings = [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
    ]
    configuration.faults = faults
    return try SimulatedCamera(configuration)
  }

  /// No operation that sets controls does anything while another program has the camera.
  @Test func anotherProgramIsNamed() async throws {
    var faults = SimulatedCamera.Faults()
    faults.heldBy = "cheese (process 4711)"
    let port = try port(faults)
    let camera = Camera(port)
    let before = try await camera.settings()
    let operations: [@Sendable () async throws -> Void] = [
      { try await camera.setExposure(duration: 0.01) },
      { try await camera.setExposureMode(.continuousAutomatic) },
      { _ = try await camera.balanceOnCard() },
      { _ = try await camera.probe() },
      { try await camera.capture(.exposureOffsets([-1, 1])) { _ in } },
      { try await camera.withConfiguration { _ in } },
    ]
    let busy = CameraError.busy(camera: port.identity.name, by: "cheese (process 4711)")
    for operation in operations {
      await #expect(throws: busy) { try await operation() }
    }
    #expect(try await camera.settings() == before)
    // Reading needs no exclusive access.
    _ = try await camera.exposureReading()
    #expect(await port.configurations == 0)
  }

  @Test func whatBelongsTogetherIsOneOperation() async throws {
    let port = try port()
    let camera = Camera(port)
    let (other, end) = try await camera.withConfiguration {
      own async throws(CameraError) -> (Task<Int, any Error>, Int) in
      let other = Task {
        try await camera.setExposure(duration: 0.02)
        return await port.frames
      }
      for duration in [0.004, 0.008, 0.004] { try await own.setExposure(duration: duration) }
      return (await port.configurations == 1 ? other : Task { 0 }, await port.frames)
    }
    #expect(try await other.value > end)
    #expect(try await port.value(of: .exposureTime) == 200)
    #expect(await port.configurations == 0)
  }

  @Test func aFailureGivesTheCameraBack() async throws {
    let port = try port()
    let camera = Camera(port)
    await #expect(throws: CameraError.self) { try await camera.setExposure(duration: 1e6) }
    await #expect(throws: CameraError.cancelled) {
      try await camera.withConfiguration { _ throws(CameraError) in throw .cancelled }
    }
    #expect(await port.configurations == 0)
    try await camera.setExposure(duration: 0.004)
    #expect(await port.configurations == 0)
  }
}
