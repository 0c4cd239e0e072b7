import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Brackets, compared with the simulated camera's record of each frame.
struct BracketTests {
  private func camera(
    seed: UInt64 = 1, latency: Int = 2, jitter: Int = 0, isKnown: Bool = true,
    _ change: (inout SimulatedCamera.Configuration) -> Void = { _ in }
  ) async throws -> (SimulatedCamera, Camera) {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: seed, size: (64, 48))
    configuration.exposure = SimulatedExposure(.absolute, .proportional)
    configuration.settings = [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
      ControlValue(.exposureTime, 80),
    ]
    configuration.latency = latency
    configuration.faults.latencyJitter = jitter
    change(&configuration)
    let laws = isKnown ? try await Camera(try SimulatedCamera(configuration)).probeExposure() : nil
    let port = try SimulatedCamera(configuration)
    var camera = Camera(port)
    camera.exposureLaws = laws
    return (port, camera)
  }

  private func level(_ picture: BracketPicture) throws -> Double {
    // The card.
    let statistics = try FrameStatistics(
      picture.buffer.bytes.span, layout: picture.info.layout,
      region: PixelRectangle(x: 22, y: 16, width: 20, height: 16))
    return statistics.mean.green
  }

  @Test(arguments: [0, 2, 5]) func threeExposures(latency: Int) async throws {
    let (port, camera) = try await camera(latency: latency)
    let before = try await camera.settings()
    var levels: [Double] = []
    try await camera.capture(.exposureOffsets([-2, 0, 2])) { picture in
      levels.append((try? level(picture)) ?? 0)
    }
    #expect(try await camera.settings() == before)
    try #require(levels.count == 3)
    #expect(abs(levels[1] / levels[0] / 4 - 1) < 0.02)
    #expect(abs(levels[2] / levels[1] / 4 - 1) < 0.02)
    _ = port
  }

  @Test func fiveDurations() async throws {
    let (_, camera) = try await camera()
    let durations = [0.001, 0.002, 0.004, 0.008, 0.016]
    var levels: [Double] = []
    try await camera.capture(.exposures(durations.map { ExposureChoice(duration: $0) })) {
      levels.append((try? level($0)) ?? 0)
    }
    try #require(levels.count == 5)
    for (level, duration) in zip(levels, durations) {
      #expect(abs(level / levels[0] / (duration / durations[0]) - 1) < 0.02)
    }
  }

  /// A bracket takes few more frames than its pictures and the latency.
  @Test(arguments: 0...9) func nineExposures(latency: Int) async throws {
    let (port, camera) = try await camera(latency: latency)
    let first = await port.frames
    var last = 0
    try await camera.capture(.exposureOffsets((0..<9).map { Double($0 - 5) / 2 })) {
      #expect($0.isSeen)
      last = $0.info.sequence
    }
    #expect(last - first < 9 + 2 * latency + 4)
  }

  /// Each picture has its own settings; `make soak` tests 1000 brackets.
  @Test func everyPictureHasItsSettings() async throws {
    let count = ProcessInfo.processInfo.environment["WBCAL_SOAK_CAMERAS"] == nil ? 60 : 1000
    var random = SplitMix64(state: 7)
    for seed in 0..<count / 10 {
      let latency = seed % 10
      let jitter = Int(random.next() % 4)
      let (port, camera) = try await camera(
        seed: UInt64(seed + 1), latency: latency, jitter: jitter)
      for _ in 0..<10 {
        let pictures = 2 + Int(random.next() % 8)
        let offsets = (0..<pictures).map { _ in -3 + 4.5 * random.uniform() }
        var taken: [(frame: Int, values: [ControlValue], isSeen: Bool)] = []
        try await camera.capture(.exposureOffsets(offsets)) {
          taken.append(($0.info.sequence, $0.values, $0.isSeen))
        }
        try #require(taken.count == pictures)
        for picture in taken {
          let shown = try #require(await port.settings(ofFrame: picture.frame))
          #expect(
            picture.values.allSatisfy { shown[$0.id] == $0.value },
            "seed \(seed), latency \(latency) + \(jitter)")
        }
      }
    }
  }

  @Test func gains() async throws {
    let (port, camera) = try await camera()
    let laws = try await camera.probe().laws
    let wanted = [Gains(red: 1.2, blue: 1.8), Gains(red: 1.5, blue: 1.5), Gains(red: 2, blue: 1)]
    var taken: [(frame: Int, values: [ControlValue])] = []
    try await camera.capture(.gains(wanted, laws: laws)) {
      taken.append(($0.info.sequence, $0.values))
    }
    try #require(taken.count == 3)
    for picture in taken {
      let shown = try #require(await port.settings(ofFrame: picture.frame))
      #expect(picture.values.allSatisfy { shown[$0.id] == $0.value })
    }
  }

  @Test func placesOfTheLens() async throws {
    let (port, camera) = try await camera(isKnown: false) {
      $0.size = (160, 120)
      $0.lens = SimulatedLens(best: 140)
      $0.texture = .noise(contrast: 0.5, grain: 2)
    }
    let before = try await camera.settings()
    var taken: [(frame: Int, values: [ControlValue])] = []
    try await camera.capture(.lensPositions([0.2, 0.5, 0.8])) {
      taken.append(($0.info.sequence, $0.values))
    }
    #expect(taken.map { $0.values[.focusPosition] } == [200, 125, 50])
    for picture in taken {
      let shown = try #require(await port.settings(ofFrame: picture.frame))
      #expect(shown[.focusPosition] == picture.values[.focusPosition])
    }
    #expect(try await camera.settings() == before)
  }

  @Test func aBurst() async throws {
    let (_, camera) = try await camera()
    var frames: [Int] = []
    try await camera.capture(.burst(12)) { frames.append($0.info.sequence) }
    #expect(frames == Array(frames[0]..<frames[0] + 12))
  }

  /// Pictures with equal appearance and different settings are identified by counting frames, not
  /// by what they show.
  @Test func exposuresOfTheSameLight() async throws {
    let (port, camera) = try await camera(latency: 4)
    let choices = [
      ExposureChoice(duration: 0.004, amplification: 2),
      ExposureChoice(duration: 0.008, amplification: 1),
      ExposureChoice(duration: 0.002, amplification: 4),
    ]
    var taken: [BracketPicture] = []
    try await camera.capture(.exposures(choices)) { taken.append($0) }
    try #require(taken.count == 3)
    for picture in taken {
      #expect(!picture.isSeen)
      let shown = try #require(await port.settings(ofFrame: picture.info.sequence))
      #expect(picture.values.allSatisfy { shown[$0.id] == $0.value })
    }
  }

  @Test func refusedBeforeAnythingMoves() async throws {
    let (port, camera) = try await camera()
    let before = try await camera.settings()
    func error(_ bracket: Bracket) async -> CameraError? {
      do throws(CameraError) {
        try await camera.capture(bracket) { _ in Issue.record("there is none") }
        return nil
      } catch { return error }
    }
    #expect(await error(.burst(65)) == .bracketTooLong(65, most: 64))
    guard case .exposureOutOfRange = await error(.exposureOffsets([0, 14])) else {
      Issue.record("14 stops are beyond")
      return
    }
    guard case .exposureOutOfRange = await error(.exposures([ExposureChoice(duration: 9)])) else {
      Issue.record("9 s are beyond")
      return
    }
    #expect(try await camera.settings() == before)
    #expect(await port.lastSettingShows == 0)
    var kept: [BracketPicture] = []
    try await camera.capture(.burst(2)) { kept.append($0) }
    #expect(await error(.burst(2)) == .bracketHeld)
    kept = []
    #expect(await error(.burst(0)) == nil)
    try await camera.prepareBracket(of: 5)
    try await camera.prepareBracket(of: 1)
  }

  /// If the camera is unplugged in the middle, the pictures so far are kept and the error states
  /// their number.
  @Test func pulled() async throws {
    let (_, camera) = try await camera { $0.faults.vanishesAtFrame = 3000 }
    var count = 0
    while true {
      var handed = 0
      do throws(CameraError) {
        try await camera.capture(.exposureOffsets([-2, -1, 0, 1, 2, -1.5])) { _ in handed += 1 }
        count += 1
      } catch {
        switch error {
        case .bracketEnded(let after, of: 6, because: .vanished): #expect(after == handed)
        case .vanished, .notRestored(_, because: .vanished): break
        default: Issue.record("\(error), \(handed) of bracket \(count)")
        }
        break
      }
    }
    #expect(count > 10)
  }

  @Test(arguments: [false, true])
  func theCamerasOwnExposureIsWhatOffsetsAreFrom(hasBias: Bool) async throws {
    let (port, camera) = try await camera {
      $0.settings = [ControlValue(.autoWhiteBalance, 0)]
      $0.exposure?.hasBias = hasBias
    }
    for _ in 0..<3 { try await port.withNextFrame { _, _ in } }
    let automatic = await port.light
    let before = try await camera.settings()
    var lights: [Double] = []
    try await camera.capture(.exposureOffsets([-1, 0, 1])) {
      lights.append((try? level($0)) ?? 0)
    }
    #expect(try await camera.settings() == before)
    try #require(lights.count == 3)
    #expect(abs(lights[2] / lights[0] / 4 - 1) < 0.03)
    for _ in 0..<4 { try await port.withNextFrame { _, _ in } }
    #expect(abs(await port.light / automatic - 1) < 0.01)
  }
}
