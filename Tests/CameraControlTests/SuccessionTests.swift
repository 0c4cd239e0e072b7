import ColorScience
import SimulatedScenes
import Testing
import WhiteBalance

@testable import CameraControl
@testable import CameraProfiles
@testable import SimulatedCamera

/// Settings each of which is written before the previous one is seen.
struct SuccessionTests {
  private static let values = [100, 400, 150, 800, 300, 320, 700, 256]

  /// The errors of red in the frames that are assigned to each value, relative to the true picture
  /// of that value, and the number of frames used.
  private func misses(
    latency: Int, told: Int?, count: Int = 2, seed: UInt64 = 1,
    _ change: (inout SimulatedCamera.Faults) -> Void = { _ in }
  ) async throws -> (misses: [[Double]?], frames: Int, latency: Int?) {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: seed, size: (64, 48))
    configuration.latency = latency
    change(&configuration.faults)
    let camera = await Camera(try SimulatedCamera(configuration)).watching()
    try await camera.turnOffAutomatic()
    try await camera.send([ControlValue(.redBalance, 256), ControlValue(.blueBalance, 500)])
    try await camera.skipFrames(40)
    let atUnity = try #require(try await camera.nextMean().1.ratios).x
    try await camera.send([ControlValue(.redBalance, 600)])
    try await camera.skipFrames(40)
    let before = await camera.framesTaken
    let (found, seen) = try await camera.readInSuccession(
      Self.values.map { [ControlValue(.redBalance, $0)] }, latency: told, count: count,
      isSame: { abs($0 - $1) < 0.01 }
    ) { () async throws(CameraError) in
      let (info, mean) = try await camera.nextMean()
      return (info, mean.logRatios.x)
    }
    let misses = zip(Self.values, seen).map { value, seen in
      let expected: Double = atUnity + logarithm(Double(value) / 256)
      return seen.map { readings in readings.map { abs($0 - expected) } }
    }
    return (misses, await camera.framesTaken - before, found)
  }

  @Test(arguments: [(0, 2), (1, 5), (4, 2), (9, 2), (9, 5)], [true, false])
  func eachTakesOneFrameMoreThanItIsLookedAt(
    latencyAndCount: (Int, Int), isKnown: Bool
  ) async throws {
    let (latency, count) = latencyAndCount
    let (misses, frames, found) = try await misses(
      latency: latency, told: isKnown ? latency : nil, count: count)
    #expect(found == latency)
    #expect(frames == 1 + Self.values.count * (count + 1) + latency)
    for miss in misses {
      #expect(try #require(miss).count == count)
      #expect(try #require(miss?.max()) < 0.01)
    }
  }

  /// A latency that is not the camera's is detected before any picture is assigned to a wrong
  /// setting.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 8, 12], [0, 1, 2, 3, 4, 5, 6, 8, 12])
  func anotherLatencyIsNoticed(latency: Int, told: Int) async throws {
    // A latency one frame longer than stated is within the frames that are skipped.
    if told == latency || told + 1 == latency { return }
    let (misses, _, _) = try await misses(latency: latency, told: told)
    #expect(misses.allSatisfy { $0 == nil })
  }

  /// No picture is assigned to a wrong setting, whether frames are late, lost or repeated or values
  /// rounded.
  @Test(arguments: 0..<300)
  func noneIsTakenForAnother(seed: Int) async throws {
    var random = SplitMix64(state: UInt64(seed))
    func oneIn(_ count: Int) -> Bool { random.next() % UInt64(count) == 0 }
    func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    let latency = below(6)
    let start = 81 + below(20)
    let count = 2 + below(2)
    // The stated latency is one frame too small, or too large by up to two frames.
    let isTooSmall = latency > 0 && oneIn(4)
    let told = isTooSmall ? latency - 1 : latency + below(3)
    let (misses, _, _) = try await misses(
      latency: latency, told: oneIn(3) ? nil : told, count: count,
      seed: UInt64(seed)
    ) { faults in
      switch below(4) {
      case 0: faults.latencyJitter = below(count + 3)
      case 1: faults.lostFrames = Set((0..<3).map { _ in start + below(20) })
      case 2: faults.frozenFrames = start..<start + 1
      default: break
      }
      if oneIn(4) { faults.roundsTo = 7 }
      if oneIn(4) { faults.readsLate = below(4) }
    }
    // Any two values differ by at least twice this.
    for miss in misses.compactMap(\.self) { #expect(try #require(miss.max()) < 0.03) }
  }

  /// After an exposure that was lowered for a bright card, the original exposure is restored.
  @Test(arguments: ["A", "D65"]) func theExposureIsPutBack(light: String) async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: light)), size: (64, 48))
    configuration.exposure = SimulatedExposure()
    configuration.settings = [
      ControlValue(.exposureMode, 1), ControlValue(.exposureTime, 300),
    ]
    let port = try SimulatedCamera(configuration)
    var camera = try await Camera(port).holdingBalance()
    camera = try await camera.balancedOnCard()
    camera.exposureSeries = try await camera.exposureSeries()
    try await camera.expose(300)
    _ = try await camera.probe()
    #expect(try await port.value(of: .exposureTime) == 300)
  }

  /// A value that the picture shows already gives no information on the arrival of the others.
  @Test func theFirstIsToChangeThePicture() async throws {
    let camera = Camera(
      try SimulatedCamera(
        SimulatedCamera.Configuration(
          sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
          lamp: try #require(MeasuredLamp(named: "A")), size: (64, 48))))
    try await camera.turnOffAutomatic()
    try await camera.send([ControlValue(.redBalance, 300)])
    let seen = try await camera.readInSuccession(
      [[ControlValue(.redBalance, 300)], [ControlValue(.redBalance, 500)]], latency: 2, count: 2,
      isSame: { abs($0 - $1) < 0.01 }
    ) { () async throws(CameraError) in
      let (info, mean) = try await camera.nextMean()
      return (info, mean.logRatios.x)
    }.seen
    #expect(seen.allSatisfy { $0 == nil })
  }

  /// With few values, no value is a small step away from another one.
  @Test(arguments: [2, 3, 4, 7])
  func aControlOfFewValues(largest: Int) async throws {
    let controls = [ControlID.redBalance, .blueBalance].map {
      ControlDescription(id: $0, minimum: 0, maximum: largest, defaultValue: 1)
    }
    let balance = SimulatedBalance(name: "few", controls: controls) { values in
      func gain(_ id: ControlID) -> Double { 0.7 + 0.8 * Double(values[id] ?? 1) / Double(largest) }
      return Gains(red: gain(.redBalance), blue: gain(.blueBalance))
    }
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "D50")), size: (64, 48))
    configuration.balance = balance
    let camera = Camera(try SimulatedCamera(configuration))
    do throws(CameraError) {
      let laws = try await camera.probe().laws
      for value in 0...largest {
        let gain = laws.gains(at: [ControlValue(.redBalance, value)]).red
        let truth = (0.7 * Double(largest) + 0.8 * Double(value)) / (0.7 * Double(largest) + 0.8)
        #expect(abs(gain / truth - 1) < 0.01)
      }
    } catch {
      // There are too few values to determine a law.
      guard case .noLaw = error else { throw error }
    }
  }

  /// An automatic mode that returns during a calibration, from its first frame on, is reported.
  @Test(arguments: [
    3, 10, 25, 40, 48, 55, 65, 75, 85, 95, 105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205,
    220, 235,
  ])
  func anAutomaticThatReturnsIsToldByCalibration(frames: Int) async throws {
    for (first, second) in [("A", "D65"), ("FL11", "D50")] {
      var configuration = SimulatedCamera.Configuration(
        sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
        lamp: try #require(MeasuredLamp(named: first)), seed: 5, size: (64, 48))
      configuration.exposure = SimulatedExposure()
      configuration.faults.returnsAfter = frames
      let port = try SimulatedCamera(configuration)
      let error = await #expect(throws: CameraError.self, "\(first)") {
        _ = try await learned(Camera(port), port, under: [first, second])
      }
      guard case .automaticReturned = error else {
        Issue.record("\(frames) \(first): \(String(describing: error))")
        continue
      }
    }
  }
}
