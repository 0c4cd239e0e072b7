import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Recordings, compared with the settings and pictures that they were made of.
struct RecordingTests {
  private func port(
    latency: Int = 2, faults: SimulatedCamera.Faults = SimulatedCamera.Faults()
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D50")), seed: 11, size: (64, 48))
    configuration.exposure = SimulatedExposure()
    configuration.latency = latency
    configuration.faults = faults
    return try SimulatedCamera(configuration)
  }

  /// Settings one after another, each for some frames, are all found, with the codes of the frames.
  @Test(arguments: [0, 1, 3, 9])
  func looksAreWhatWasSet(latency: Int) async throws {
    let port = try port(latency: latency)
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(port, recorder)
    try await recorded.set([
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
    ])
    var shown: [(red: Int, codes: [Double])] = []
    for red in [200, 420, 260, 330] {
      try await recorded.set([ControlValue(.redBalance, red)])
      for _ in 0..<latency + 5 { try await recorded.withNextFrame { _, _ in } }
      let direct = try await recorded.withNextFrame { info, bytes in
        try? FrameStatistics(
          bytes, layout: info.layout.replacing(transfer: .linear),
          region: GrayCardEstimator().rectangle(in: info.layout)
        ).mean
      }
      let mean = try #require(direct)
      shown.append((red, [mean.red, mean.green, mean.blue].map { 255 * $0 }))
    }
    let recording = try #require(recorder.recording)
    #expect(recording.latency == latency)
    let looks = recording.looks().suffix(4)
    #expect(looks.map { $0.observation.settings[.redBalance] } == shown.map(\.red))
    for (look, shown) in zip(looks, shown) {
      for channel in 0..<3 {
        // The error of a single frame.
        let error = look.observation.errors[channel] * Double(look.frames).squareRoot()
        let bound = max(6 * error, 0.05)
        #expect(abs(look.observation.codes[channel] - shown.codes[channel]) < bound, "\(look)")
      }
      #expect(look.frames >= 4)
    }
    // Only red was moved, by 5/8 and more.
    #expect(looks.allSatisfy { abs($0.observation.codes[1] - shown[0].codes[1]) < 0.5 })
  }

  /// The actions of a command are recorded completely, and recording does not change them.
  /// Frames of which it is uncertain what they show are in no observation.
  @Test(arguments: [1, 2, 3])
  func observationsOfAVaryingLatency(jitter: Int) async throws {
    var faults = SimulatedCamera.Faults()
    faults.latencyJitter = jitter
    let port = try port(latency: 4, faults: faults)
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(port, recorder)
    try await recorded.set([
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
    ])
    for red in Array(repeating: [200, 420, 260, 330], count: 5).joined() {
      try await recorded.set([ControlValue(.redBalance, red)])
      for _ in 0..<20 { try await recorded.withNextFrame { _, _ in } }
    }
    let looks = try #require(recorder.recording).looks().filter { look in
      look.observation.settings[.autoWhiteBalance] == 0 && look.firstFrame > 20
    }
    let red = Dictionary(grouping: looks) { $0.observation.settings[.redBalance] }
      .mapValues { $0.map { $0.observation.codes[0] } }
    #expect(red.count == 4 && red.values.allSatisfy { $0.count >= 4 })
    for codes in red.values {
      #expect(try #require(codes.max()) - #require(codes.min()) < 0.5, "\(red)")
    }
  }

  @Test func recordingChangesNothing() async throws {
    let alone = try await Camera(try port()).balanceOnCard()
    let recorder = CameraRecorder()
    let camera = Camera(try await RecordingPort(try port(), recorder))
    let card = try await camera.balanceOnCard()
    #expect(card.applied == alone.applied)
    let recording = try #require(recorder.recording)
    #expect(
      recording.camera.controls.contains { $0.id == .redBalance }
        && recording.camera.settings[.autoWhiteBalance] == 1)
    let last = try #require(recording.looks().last).observation
    #expect(card.applied.values.allSatisfy { last.settings[$0.id] == $0.value })
    #expect(abs(last.codes[0] - last.codes[1]) < 2 && abs(last.codes[2] - last.codes[1]) < 2)
    let frames = recording.events.count { if case .frame = $0 { true } else { false } }
    #expect(frames > 100 && recording.events.contains(.streamStopped))
  }

  /// A region that is clipped everywhere has no mean, and is white.
  @Test func whatIsClippedIsWhite() async throws {
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(try port(), recorder)
    try await recorded.set([
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
      ControlValue(.exposureTime, 5000),
    ])
    for _ in 0..<8 { try await recorded.withNextFrame { _, _ in } }
    let recording = try #require(recorder.recording)
    let look = try #require(recording.looks().last).observation
    #expect(look.codes == [255, 255, 255] && look.clipped == [1, 1, 1])
    guard case .frame(let frame)? = recording.events.last else {
      Issue.record("no frame")
      return
    }
    #expect(frame.picture.allSatisfy { $0 == 255 })
  }

  /// Each kind of event is decoded from its line, which names its kind.
  @Test func eventsAreCoded() throws {
    let value = [ControlValue(.redBalance, 300)]
    let frame = CameraRecording.Frame(
      sequence: 7, seconds: 0.25, format: "YUYV", codes: [1, 2, 3], deviations: [0, 0.5, 1],
      clipped: [0, 0, 1], pixels: 12, picture: [Int](repeating: 9, count: 144))
    let events: [(CameraRecording.Event, String)] = [
      (.set(value), #"{"set":[{"id":"red_balance","value":300}]}"#),
      (
        .refused(value, "busy"),
        #"{"refused":[{"id":"red_balance","value":300}],"why":"busy"}"#
      ),
      (.read(ControlValue(.gain, 5)), #"{"read":{"id":"gain","value":5}}"#),
      (.light("D65"), #"{"light":"D65"}"#), (.streamStopped, #"{"streamStopped":true}"#),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for (event, line) in events {
      #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == line)
      #expect(
        try JSONDecoder().decode(CameraRecording.Event.self, from: Data(line.utf8)) == event)
    }
    let coded = try encoder.encode(CameraRecording.Event.frame(frame))
    #expect(try JSONDecoder().decode(CameraRecording.Event.self, from: coded) == .frame(frame))
    for line in ["{}", #"{"why":"x"}"#, #"{"refused":[]}"#, #"{"blink":1}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(CameraRecording.Event.self, from: Data(line.utf8))
      }
    }
  }

  /// The values at which automatic modes are off and on are part of a recording; one without them
  /// has those of V4L2.
  @Test func automaticModesAreCoded() throws {
    let mode = ControlDescription(
      id: .exposureMode, minimum: 0, maximum: 2, defaultValue: 2,
      automatic: ControlDescription.Automatic(off: 0, on: 2))
    let header = CameraRecording.Header(
      identity: CameraIdentity(driver: "x", name: "x", id: "x"), controls: [mode], settings: [])
    let coded = try JSONEncoder().encode(header)
    let decoded = try JSONDecoder().decode(CameraRecording.Header.self, from: coded)
    #expect(decoded == header)
    var object = try #require(try JSONSerialization.jsonObject(with: coded) as? [String: Any])
    object["modes"] = nil
    let old = try JSONDecoder().decode(
      CameraRecording.Header.self, from: try JSONSerialization.data(withJSONObject: object))
    #expect(old.controls[0].automatic == ControlDescription.Automatic(off: 1, on: nil))
  }

  /// An exposure that the automatic mode chose is recorded when it is read, for the frames since
  /// the mode was turned off.
  @Test func readingsAreRecorded() async throws {
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(try port(), recorder)
    try await recorded.set([ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1)])
    for _ in 0..<6 { try await recorded.withNextFrame { _, _ in } }
    recorder.noteReading(ControlValue(.exposureTime, 87))
    recorder.noteReading(ControlValue(.exposureTime, 87))
    let recording = try #require(recorder.recording)
    #expect(recording.events.count { $0 == .read(ControlValue(.exposureTime, 87)) } == 1)
    let look = try #require(recording.looks().last).observation
    #expect(look.settings[.exposureTime] == 87)
  }

  /// A region with fewer pixels than a picture has squares can be recorded.
  @Test func aSmallRegionIsRecorded() async throws {
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(
      try port(), recorder, region: .rectangle(PixelRectangle(x: 30, y: 20, width: 5, height: 4)))
    for _ in 0..<3 { try await recorded.withNextFrame { _, _ in } }
    let frames = try #require(recorder.recording).events.compactMap {
      if case .frame(let frame) = $0 { frame } else { nil }
    }
    #expect(frames.count == 3 && frames.allSatisfy { $0.pixels == 20 && $0.picture.count == 144 })
  }

  /// A refused setting is recorded with its reason, and gives no observation.
  @Test func refusalsAreRecorded() async throws {
    var faults = SimulatedCamera.Faults()
    faults.refusals[.redBalance] = [.automatic]
    let recorder = CameraRecorder()
    let recorded = try await RecordingPort(try port(faults: faults), recorder)
    let value = [ControlValue(.redBalance, 300)]
    await #expect(throws: CameraError.self) { try await recorded.set(value) }
    let recording = try #require(recorder.recording)
    guard case .refused(value, let reason)? = recording.events.last else {
      Issue.record("\(recording.events)")
      return
    }
    #expect(reason.contains("red_balance"))
  }
}
