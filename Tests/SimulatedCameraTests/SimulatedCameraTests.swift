import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Creates a small camera, so that debug builds are quick.
func makeCamera(
  _ sensor: String = "nikon-d5100", lamp: String = "D65", seed: UInt64 = 1,
  faults: SimulatedCamera.Faults = .init(), latency: Int = 2
) throws -> SimulatedCamera {
  var configuration = SimulatedCamera.Configuration(
    sensor: try #require(MeasuredSensor(named: sensor)),
    lamp: try #require(MeasuredLamp(named: lamp)),
    seed: seed, size: (96, 64))
  configuration.faults = faults
  configuration.latency = latency
  return try SimulatedCamera(configuration)
}

struct SimulatedCameraTests {
  private func frames(_ camera: SimulatedCamera, _ count: Int) async throws -> [[UInt8]] {
    var all: [[UInt8]] = []
    for _ in 0..<count {
      all.append(
        try await camera.withNextFrame { _, bytes in bytes.indices.map { bytes[$0] } })
    }
    return all
  }

  @Test func theSameSeedGivesTheSameFrames() async throws {
    let first = try await frames(makeCamera(seed: 7), 3)
    #expect(first == (try await frames(makeCamera(seed: 7), 3)))
    #expect(first != (try await frames(makeCamera(seed: 8), 3)))
    #expect(first[0] != first[1], "noise differs from frame to frame")
  }

  @Test func settingsShowAfterTheLatency() async throws {
    for latency in [0, 2, 5] {
      let camera = Camera(try makeCamera(latency: latency))
      try await camera.port.set([
        ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 256),
      ])
      try await camera.settle(after: 8)
      let before = try await camera.estimate(frames: 2).response
      try await camera.port.set([ControlValue(.redBalance, 512)])
      var shown: Int?
      for frame in 0..<8 {
        let response = try await camera.nextEstimate().1.response
        if shown == nil, response.red / before.red > 1.5 { shown = frame }
      }
      #expect(shown == latency)
    }
  }

  /// The ratios of the card are those of the sensor's response, within the unit's ±4 %.
  @Test func theCardShowsTheSensorsResponse() async throws {
    let sensor = try #require(MeasuredSensor(named: "nikon-d5100"))
    let lamp = try #require(MeasuredLamp(named: "A"))
    let camera = Camera(try makeCamera(lamp: "A"))
    try await camera.setToReference()
    let seen = try await camera.estimate()
    let expected = sensor.response(to: lamp.spectrum)
    #expect(seen.isAccepted)
    #expect(
      abs(seen.response.red / seen.response.green / (expected.red / expected.green) - 1) < 0.05)
    #expect(
      abs(seen.response.blue / seen.response.green / (expected.blue / expected.green) - 1) < 0.05)
  }

  @Test func theAutomaticDriftsAndStopsWhenTurnedOff() async throws {
    let camera = try makeCamera()
    var values: Set<Int> = []
    for _ in 0..<60 {
      _ = try await frames(camera, 1)
      values.insert(try await camera.value(of: .redBalance))
    }
    #expect(values.count > 5)
    try await camera.set([ControlValue(.autoWhiteBalance, 0)])
    let last = try await camera.value(of: .redBalance)
    _ = try await frames(camera, 5)
    #expect(try await camera.value(of: .redBalance) == last)
  }

  @Test func badValuesAreRefusedWhole() async throws {
    let camera = try makeCamera()
    try await camera.set([ControlValue(.autoWhiteBalance, 0)])
    await #expect(
      throws: CameraError.valueOutOfRange(
        ControlValue(.blueBalance, 1024), allowed: 0...1023, step: 1)
    ) {
      try await camera.set([ControlValue(.redBalance, 300), ControlValue(.blueBalance, 1024)])
    }
    #expect(try await camera.value(of: .redBalance) == 256)
  }
}
