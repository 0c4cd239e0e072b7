import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

@testable import CameraControl

/// A recorded camera, which reproduces the camera that was recorded.
struct RecordedCameraTests {
  private func original(_ pipeline: SimulatedPipeline) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (64, 48))
    configuration.exposure = SimulatedExposure()
    configuration.pipeline = pipeline
    return try SimulatedCamera(configuration)
  }

  /// A recording of a camera that is learned under two lamps, and the results of learning.
  private func recording(
    _ port: SimulatedCamera
  ) async throws -> (recording: CameraRecording, learning: CameraLearning) {
    let recorder = CameraRecorder()
    let camera = Camera(try await RecordingPort(port, recorder))
    var learning = CameraLearning(try await camera.holdingBalance())
    for (index, lamp) in ["A", "D65"].enumerated() {
      recorder.add(.light(lamp))
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      try await learning.camera.lockExposure()
      try await learning.add(learning.camera, isLast: index == 1)
    }
    return (try #require(recorder.recording), learning)
  }

  /// The card of the recorded camera is neutral at the same settings as that of the original, under
  /// both lights, and the latency is the same.
  @Test(arguments: [SimulatedPipeline.ideal, .webcam, .board])
  func itsCardIsNeutralWhereTheOtherIs(pipeline: SimulatedPipeline) async throws {
    let port = try original(pipeline)
    let recorded = try RecordedCamera(try await recording(port).recording)
    #expect(recorded.lights == ["A", "D65"])
    for (index, lamp) in ["A", "D65"].enumerated() {
      await recorded.setLight(index)
      let camera = Camera(recorded)
      try await camera.lockExposure()
      let card = try await camera.balanceOnCard()
      #expect(try await camera.port.value(of: .redBalance) == card.applied.values[.redBalance])
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      let other = Camera(port)
      try await other.turnOffAutomatic()
      try await other.port.set(card.applied.values)
      for _ in 0..<4 { _ = try await other.nextEstimate() }
      #expect(try await other.estimate(frames: 16).response.differenceFromNeutral < 0.5, "\(lamp)")
    }
  }

  /// The laws of the original are valid for the recorded camera: settings by them show in its
  /// picture.
  @Test(arguments: [SimulatedPipeline.webcam, .board])
  func itFollowsTheLawsOfTheOther(pipeline: SimulatedPipeline) async throws {
    let (recording, learning) = try await recording(try original(pipeline))
    let laws = try #require(learning.laws())
    var camera = Camera(try RecordedCamera(recording))
    camera.transfer = learning.transfer
    try await camera.lockExposure()
    for response in learning.responses(by: laws) {
      let gains = try #require(Gains(neutralizing: response))
      let applied = try await ProbedCamera(camera, laws: laws).lock(at: gains)
      #expect(applied.hardwareResidualGains.vector.max() < 1.01, "\(applied)")
    }
  }

  /// A setting that the recording does not contain is refused, and a recording without events is no
  /// camera.
  @Test func whatIsNotRecordedIsRefused() async throws {
    var recording = try await recording(try original(.ideal)).recording
    let gain = ControlDescription(id: .gain, minimum: 0, maximum: 100, defaultValue: 0)
    recording.camera.controls.append(gain)
    recording.camera.settings.append(ControlValue(.gain, 0))
    let camera = try RecordedCamera(recording)
    await #expect(
      throws: CameraError.notSet(ControlValue(.gain, 3), .notAllowed, written: [])
    ) { try await camera.set([ControlValue(.gain, 3)]) }
    recording.events = []
    #expect(throws: CameraError.self) { try RecordedCamera(recording) }
  }
}
