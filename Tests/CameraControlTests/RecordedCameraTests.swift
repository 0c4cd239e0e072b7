import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

@testable import CameraControl

/// A recorded camera, which reproduces the camera that was recorded.
struct RecordedCameraTests {
  private func original(
    _ pipeline: SimulatedPipeline, _ exposure: SimulatedExposure = SimulatedExposure()
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (64, 48))
    configuration.exposure = exposure
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

  /// Exposures whose light is not proportional to their values, labeled as such or not.
  private static let exposures = {
    var mislabeled = SimulatedExposure(.lines(30e-6, less: 10))
    mislabeled.isMislabeled = true
    var power = SimulatedExposure()
    power.exponent = 0.92
    return [
      SimulatedExposure(.logarithmic(stepsPerStop: 24)), SimulatedExposure(.lines(30e-6, less: 10)),
      mislabeled, power,
    ]
  }()

  /// The card has the codes of the original's at each exposure that was recorded, if light is not
  /// proportional to the exposure's values.
  @Test(arguments: exposures)
  func itsExposureIsThatOfTheOther(exposure: SimulatedExposure) async throws {
    let port = try original(.webcam, exposure)
    let recording = try await recording(port).recording
    let time = try #require(
      recording.camera.controls.first { [.exposureTime, .exposureLines].contains($0.id) })
    let recorded = try RecordedCamera(recording)
    var exposures = 0
    for (index, lamp) in ["A", "D65"].enumerated() {
      await recorded.setLight(index)
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      let looks = recording.looks().map(\.observation).filter { look in
        let isByHand = look.lamp == index && look.settings[.exposureMode] == 1
        return isByHand && look.codes.max() < 230 && look.codes.min() > 5
      }
      let times = Set(looks.compactMap { $0.settings[time.id] })
      exposures += times.count
      for exposure in times {
        let look = try #require(looks.last { $0.settings[time.id] == exposure })
        let settings = look.settings.map { ControlValue($0.key, $0.value) }
        var codes: [SIMD3<Double>] = []
        for port in [recorded, port] as [any CameraPort] {
          codes.append(try await self.codes(of: port, at: settings))
        }
        let off = codes[0] - codes[1]
        #expect(max(off.max(), -off.min()) < 2, "\(lamp), \(exposure): \(codes)")
      }
    }
    #expect(exposures > 4)
  }

  /// Cameras drawn at random: with steps larger than their controls state (also of 3 % in gain),
  /// with a menu of lights, and in flickering light. The card differs from neutral as that of the
  /// original, where that is nearest to it.
  @Test(arguments: [8002, 8009, 8012, 8016] as [UInt64])
  func itsCardDiffersFromNeutralAsTheOther(seed: UInt64) async throws {
    let chain = RandomChain(seed: seed)
    let port = try SimulatedCamera(chain.configuration)
    let recorded = try RecordedCamera(try await recording(port).recording)
    for (index, name) in ["A", "D65"].enumerated() {
      let lamp = try #require(MeasuredLamp(named: name))
      await recorded.setLight(index)
      await port.setLamp(lamp)
      var differences: [Double] = []
      for port in [recorded, port] as [any CameraPort] {
        let camera = Camera(port)
        try await camera.lockExposure()
        try await camera.turnOffAutomatic()
        try await port.set(chain.best(under: lamp).settings)
        for _ in 0..<40 { _ = try await camera.nextEstimate() }
        differences.append(try await camera.estimate(frames: 16).response.differenceFromNeutral)
      }
      #expect(abs(differences[0] - differences[1]) < 0.5, "\(name): \(differences)")
    }
  }

  /// Returns the mean codes of a camera's card at settings.
  private func codes(
    of port: any CameraPort, at settings: [ControlValue]
  ) async throws -> SIMD3<Double> {
    let camera = Camera(port)
    try await camera.lockExposure()
    try await port.set(settings)
    for _ in 0..<4 { _ = try await camera.nextCodes() }
    let seen = try await camera.nextCodes().1.codes
    return SIMD3(seen[0], seen[1], seen[2])
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
    recording.events.append(.light("D65"))
    let name = recording.camera.identity.name
    #expect(
      throws: CameraError.notACamera(
        name, reason: "its recording has no settled pictures under light 3")
    ) { try RecordedCamera(recording) }
    recording.events = []
    #expect(throws: CameraError.self) { try RecordedCamera(recording) }
  }
}
