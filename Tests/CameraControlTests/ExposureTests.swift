import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance
@testable import CameraControl
@testable import CameraProfiles

/// Exposure time, gain, metering and compensation, compared with the true exposure of the simulated
/// camera.
struct ExposureTests {
  private func configuration(
    _ exposure: SimulatedExposure, seed: UInt64 = 1, lamp: String = "D65"
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
      lamp: try #require(MeasuredLamp(named: lamp)), seed: seed, size: (96, 64))
    configuration.exposure = exposure
    configuration.settings = [ControlValue(.autoWhiteBalance, 0)]
    return configuration
  }

  private static let times: [SimulatedExposure.Time] = [
    .absolute, .lines(30e-6, less: 8), .logarithmic(stepsPerStop: 16),
  ]
  private static let amplifications: [SimulatedExposure.Amplification] = [
    .proportional, .additive, .decibels, .doublings,
  ]

  /// The card becomes neither clipped nor dark, whatever the numbers of the control mean.
  @Test(arguments: times, [0.06, 0.5, 8, 40])
  func anExposureIsFound(time: SimulatedExposure.Time, brightness: Double) async throws {
    var configuration = try configuration(SimulatedExposure(time))
    configuration.faults.exposure = brightness
    let camera = Camera(try SimulatedCamera(configuration))
    #expect(try await camera.lockExposure() == (time == .absolute))
    let card = try await camera.estimate(frames: 2)
    #expect(card.isAccepted && 0.15...0.45 ~= card.response.vector.max(), "\(card.response)")
  }

  /// Twelve laws that the library is not given.
  @Test(arguments: times, amplifications)
  func lawsAreFound(
    time: SimulatedExposure.Time, amplification: SimulatedExposure.Amplification
  ) async throws {
    for (seed, latency) in [(1, 0), (2, 3), (3, 9)] {
      let exposure = SimulatedExposure(time, amplification)
      var configuration = try configuration(exposure, seed: UInt64(seed))
      configuration.latency = latency
      let port = try SimulatedCamera(configuration)
      let camera = Camera(port)
      let before = try await camera.settings()
      let laws = try await camera.probeExposure()
      #expect(try await camera.settings() == before)
      #expect(latency...latency + 1 ~= laws.latency)
      let timeLaw = try #require(laws.time)
      var worst = 0.0
      func seconds(_ value: Int) -> Double { exposure.seconds([timeLaw.control.id: value]) }
      for value in timeLaw.values
      where timeLaw.values.count < 100 || value % (timeLaw.values.count / 97) == 0 {
        let truth = seconds(value) / seconds(timeLaw.reference)
        // A line extends into the range that is too dark to be seen.
        guard truth > 0.02 else { continue }
        worst = max(worst, abs(timeLaw.gain(at: value) / truth - 1))
      }
      #expect(worst < 0.01, "time \(timeLaw)")
      worst = 0
      let gainLaw = try #require(laws.gain)
      for value in gainLaw.values {
        let truth =
          exposure.amplification([.gain: value])
          / exposure.amplification([.gain: gainLaw.reference])
        worst = max(worst, abs(gainLaw.gain(at: value) / truth - 1))
      }
      #expect(worst < 0.01, "gain \(gainLaw)")
      if case .absolute = time {
        let duration = try #require(laws.duration(at: 200))
        #expect(abs(duration / 0.02 - 1) < 0.01)
      } else {
        #expect(laws.durations == nil)
      }
    }
  }

  /// If the control starts at the bright end of many stops, all other values are dark. A wrong
  /// latency there would give laws of the previous pictures.
  @Test(arguments: amplifications)
  func theDelayIsFoundBesideDarkness(
    amplification: SimulatedExposure.Amplification
  ) async throws {
    let exposure = SimulatedExposure(.logarithmic(stepsPerStop: 16), amplification)
    var configuration = try configuration(exposure)
    configuration.latency = 6
    configuration.settings += [ControlValue(.exposureMode, 1), ControlValue(.exposureLines, 255)]
    configuration.faults.exposure = 1.0 / 60
    let laws = try await Camera(try SimulatedCamera(configuration)).probeExposure()
    #expect(6...7 ~= laws.latency)
    let time = try #require(laws.time)
    #expect(abs(time.gain(at: 239) / time.gain(at: 255) - 0.5) < 0.005)
    let gain = try #require(laws.gain)
    for value in gain.values {
      let truth =
        exposure.amplification([.gain: value]) / exposure.amplification([.gain: gain.reference])
      #expect(abs(gain.gain(at: value) / truth - 1) < 0.01)
    }
    // The gain is measured to its end, up to a factor of 16.
    let most = exposure.amplification([.gain: gain.control.maximum])
    #expect(gain.gainRange.upperBound > 0.98 * min(most, 15.8))
  }

  /// If nothing follows the exposure, no tone curve is searched for.
  @Test func nothingFollows() async throws {
    var configuration = try configuration(SimulatedExposure(.absolute, .additive))
    configuration.faults.ignoresSettings = true
    let camera = Camera(try SimulatedCamera(configuration))
    await #expect(
      throws: CameraError.exposureNotSeen(expected: nil, seen: 0, frames: Camera.longestLatency)
    ) { try await camera.probeExposure() }
  }

  /// Another program sets the exposure just after the picture has shown the setting.
  @Test func anotherProgramIsNoticed() async throws {
    var configuration = try configuration(SimulatedExposure())
    configuration.settings += [ControlValue(.exposureMode, 1), ControlValue(.exposureTime, 80)]
    configuration.faults.intrusions = [5: ControlValue(.exposureTime, 300)]
    let camera = Camera(try SimulatedCamera(configuration))
    await #expect { try await camera.setExposure(duration: 0.016) } throws: { error in
      error as? CameraError == .settingNotKept(ControlValue(.exposureTime, 160), reported: 300)
    }
  }

  /// A tone curve that differs slightly from the picture's bends the dark end; a sensor that loses
  /// lines does so as well, but by more.
  @Test func anExposureTimeInItsUnitBeginsAtZero() throws {
    let control = ControlDescription(
      id: .exposureTime, minimum: 1, maximum: 2000, defaultValue: 250)
    func law(_ offset: Double, passesZero: Bool = true) throws -> ControlLaw {
      let points = [3, 6, 12, 25, 60, 125, 250, 400].map {
        ControlLaw.Point(value: $0, gain: Double($0) / 250 + offset)
      }
      return try #require(
        ControlLaw(control: control, reference: 250, points: points, passesZero: passesZero))
    }
    #expect(abs(try law(0.002).gain(at: 1) - 0.004) < 1e-9)
    #expect(try law(0.002).fitError > 0.002)
    #expect(abs(try law(0.002, passesZero: false).gain(at: 1) - 0.006) < 1e-4)
    #expect(abs(try law(0.02).gain(at: 1) - 0.024 / 1.02) < 1e-4)
  }

  /// If both time and gain change, the time is the longest or differs from it visibly.
  @Test func aLongestTimeIsNotTrimmed() throws {
    let time = try #require(
      ControlLaw(
        control: ControlDescription(
          id: .exposureTime, minimum: 1, maximum: 5000, defaultValue: 250), reference: 250,
        points: [1, 100, 5000].map { ControlLaw.Point(value: $0, gain: Double($0) / 250) }))
    let gain = try #require(
      ControlLaw(
        control: ControlDescription(id: .gain, minimum: 0, maximum: 255, defaultValue: 0),
        reference: 0,
        points: (0...255).map {
          ControlLaw.Point(value: $0, gain: Double(1 << ($0 / 64)) * (1 + Double($0 % 64) / 64))
        }))
    let laws = ExposureLaws(time: time, gain: gain, latency: 0)
    let longest = 333.0 / 250
    for step in -20...30 {
      let light = pow(2, Double(step) / 10)
      let values = laws.values(for: light, longest: longest)
      #expect(abs(log2(laws.light(at: values) / light)) < 0.015, "\(step)")
      let isTrimmed = (326..<333).contains(try #require(values[.exposureTime]))
      #expect(!isTrimmed || light < longest, "\(step)")
    }
  }

  /// A computer that is too slow for a while loses frames, which must not change the measured
  /// latency.
  @Test func framesAreLostWhileTheDelayIsMeasured() async throws {
    var configuration = try configuration(SimulatedExposure(.absolute, .decibels))
    configuration.latency = 9
    configuration.faults.lostFrames = Set((0..<300).map { 2 * $0 + 1 })
    let laws = try await Camera(try SimulatedCamera(configuration)).probeExposure()
    #expect(9...10 ~= laws.latency)
    let duration = try #require(laws.duration(at: 200))
    #expect(abs(duration / 0.02 - 1) < 0.01)
  }

  @Test(arguments: [100.0, 800, 3200])
  func theMeterTellsTheLight(iso: Double) async throws {
    var configuration = try configuration(SimulatedExposure())
    configuration.iso = iso
    let port = try SimulatedCamera(configuration)
    var camera = Camera(port)
    camera.meteringRegion = .center(0.4)
    try await camera.setExposureMode(.locked)
    for time in [2, 3, 4, 6, 8, 12, 16, 25, 50, 100, 200, 350] {
      try await port.set([ControlValue(.exposureTime, time)])
      for _ in 0..<4 { try await port.withNextFrame { _, _ in } }
      let reading = try await camera.exposureReading()
      // The card counts as 18 % gray for a camera whose gains make it neutral.
      #expect(!reading.isAtLeast)
      #expect(abs(reading.offset - (await port.stops)) < 0.1, "\(time)")
    }
    try await port.set([ControlValue(.exposureTime, 5000)])
    for _ in 0..<4 { try await port.withNextFrame { _, _ in } }
    let reading = try await camera.exposureReading()
    #expect(reading.isAtLeast)
    #expect(reading.offset > 1)
  }

  @Test func timeAndGainAreSetAsATeam() async throws {
    let port = try SimulatedCamera(try configuration(SimulatedExposure(.absolute, .decibels)))
    var camera = Camera(port)
    camera.exposureLaws = try await camera.probeExposure()
    // Immediately, while frames with the settings of the probe may still arrive.
    let setting = try await camera.setExposure(duration: 0.005, amplification: 2)
    #expect(abs(await port.light / 1 - 1) < 0.02)
    #expect(abs(try #require(setting.duration) - 0.005) < 1e-4)
    #expect(abs(try #require(setting.amplification) - 2) < 0.04)
    #expect(await setting.firstFrame?.sequence == port.lastSettingShows)
    // A quantity that is left out keeps its value.
    _ = try await camera.setExposure(duration: 0.01)
    #expect(abs(await port.light / 2 - 1) < 0.02)
    let before = try await camera.settings()
    await #expect(throws: CameraError.self) { try await camera.setExposure(duration: 3) }
    await #expect(throws: CameraError.self) { try await camera.setExposure(amplification: 99) }
    #expect(try await camera.settings() == before)
  }

  @Test func whatIsNotKnownIsTold() async throws {
    let camera = Camera(
      try SimulatedCamera(try configuration(SimulatedExposure(.absolute, .decibels))))
    await #expect { try await camera.setExposure(amplification: 2) } throws: { error in
      if case .noLaw(.gain, _) = error as? CameraError { true } else { false }
    }
    let lines = Camera(
      try SimulatedCamera(try configuration(SimulatedExposure(.lines(30e-6, less: 8)))))
    await #expect { try await lines.setExposure(duration: 0.01) } throws: { error in
      if case .noLaw(.exposureLines, _) = error as? CameraError { true } else { false }
    }
  }

  /// Sensor lines have no duration in seconds, even if their law is known.
  @Test func linesHaveNoSeconds() async throws {
    var camera = Camera(
      try SimulatedCamera(try configuration(SimulatedExposure(.lines(30e-6, less: 8)))))
    camera.exposureLaws = try await camera.probeExposure()
    let lines = camera
    await #expect { try await lines.setExposure(duration: 0.01) } throws: { error in
      guard case .noLaw(.exposureLines, let reason) = error as? CameraError else { return false }
      return reason.contains("is known, but not how many seconds")
    }
    #expect(try await abs(lines.compensateExposure(by: -1).reading.offset + 1) < 0.1)
  }

  /// A camera whose numbers do not have the meaning that V4L2 defines.
  @Test func whatTheCameraTakesOtherwiseIsTold() async throws {
    var configuration = try configuration(SimulatedExposure())
    configuration.faults.ignoresSettings = true
    let camera = Camera(try SimulatedCamera(configuration))
    let before = try await camera.settings()
    do {
      try await camera.setExposure(duration: 0.004)
      Issue.record("it is not seen")
    } catch {
      guard case .exposureNotSeen = error else { throw error }
    }
    #expect(try await camera.settings() == before)
  }

  /// Compensation settles from any start, in few frames, and without oscillation.
  @Test(arguments: [-3.0, -1, 0, 1], [(latency: 0, seed: UInt64(1)), (2, 1), (3, 5)])
  func compensationSettles(stops: Double, of: (latency: Int, seed: UInt64)) async throws {
    for start in [3, 20, 160, 900] {
      let exposure = SimulatedExposure(.absolute, .proportional)
      var configuration = try configuration(exposure, seed: of.seed)
      configuration.latency = of.latency
      let port = try SimulatedCamera(configuration)
      var camera = Camera(port)
      camera.exposureLaws = try await camera.probeExposure()
      try await camera.setExposureMode(.locked)
      try await port.set([ControlValue(.exposureTime, start)])
      for _ in 0..<12 { try await port.withNextFrame { _, _ in } }
      let first = await port.frames
      let result = try await camera.compensateExposure(by: stops)
      #expect(!result.isByCamera)
      #expect(abs(result.reading.offset - stops) < 0.1, "from \(start)")
      let last = await port.frames
      // The number of frames until the exposure stays at its final value, and the sides from which
      // it deviates before.
      var settled = 0
      var sides: [Bool] = []
      let end = await port.light
      for frame in first..<last {
        guard let values = await port.settings(ofFrame: frame) else { continue }
        let light = exposure.seconds(values) / 0.01 * exposure.amplification(values)
        if abs(log2(light / end)) > 0.1 {
          sides.append(light > end)
          settled = frame + 1 - first
        }
      }
      let crossings = zip(sides, sides.dropFirst()).count { $0 != $1 }
      #expect(crossings <= 1, "from \(start)")
      #expect(settled < 15, "from \(start), latency \(of.latency)")
    }
  }

  /// For every law, ten scenes and any start, the exposure reaches the requested value, or the
  /// error states a true range that excludes it.
  @Test(arguments: times, [nil] + amplifications.map(Optional.some))
  func compensationArrives(
    time: SimulatedExposure.Time, amplification: SimulatedExposure.Amplification?
  ) async throws {
    let exposure = SimulatedExposure(time, amplification ?? .none)
    for seed in 1...10 {
      var configuration = try configuration(exposure, seed: UInt64(seed))
      configuration.latency = seed % 4
      configuration.faults.exposure = pow(2, Double(seed % 5) - 2)
      let port = try SimulatedCamera(configuration)
      var camera = Camera(port)
      camera.meteringRegion = .center(0.4)
      camera.exposureLaws = try await camera.probeExposure()
      try await camera.setExposureMode(.custom)
      let control = try #require(camera.exposureLaws?.time?.control)
      // Dark, right and clipped.
      let starts = [control.minimum, control.defaultValue, control.maximum]
      for (index, stops) in stride(from: -8, through: 8, by: 0.5).enumerated()
      where index % 3 == seed % 3 {
        try await port.set([ControlValue(control.id, starts[(index / 3 + seed) % 3])])
        for _ in 0..<6 { try await port.withNextFrame { _, _ in } }
        let now = try await camera.settings()
        do {
          let result = try await camera.compensateExposure(by: stops)
          #expect(abs(result.stops - stops) < 0.1)
          for _ in 0..<6 { try await port.withNextFrame { _, _ in } }
          let truth = await port.stops
          #expect(abs(truth - stops) < 0.1, "\(stops) of seed \(seed): \(truth)")
        } catch {
          guard case .exposureOutOfRange(.stops, let asked, let allowed) = error
          else { throw error }
          #expect(asked == stops && !allowed.contains(stops))
          #expect(try await camera.settings() == now)
          // The ends of the range can be set.
          for end in [allowed.lowerBound, allowed.upperBound]
          where index < 3 || index > 29 {
            _ = try await camera.compensateExposure(by: end)
            for _ in 0..<6 { try await port.withNextFrame { _, _ in } }
            let truth = await port.stops
            #expect(abs(truth - end) < 0.1, "end \(end) of seed \(seed): \(truth)")
          }
        }
      }
    }
  }

  /// The locked mode keeps the exposure that the camera chose, whatever was set manually before.
  @Test(arguments: times, [nil] + amplifications.map(Optional.some))
  func lockedKeepsTheLight(
    time: SimulatedExposure.Time, amplification: SimulatedExposure.Amplification?
  ) async throws {
    for (seed, mode) in [(1, ExposureMode.locked), (2, .automatic), (3, .locked)] {
      var configuration = try configuration(
        SimulatedExposure(time, amplification ?? .none), seed: UInt64(seed))
      configuration.latency = seed
      configuration.faults.exposure = [0.3, 1.6, 6][seed - 1]
      let port = try SimulatedCamera(configuration)
      let camera = Camera(port)
      for _ in 0..<6 { try await port.withNextFrame { _, _ in } }
      let chosen = await port.light
      try await camera.setExposureMode(mode)
      for _ in 0..<6 { try await port.withNextFrame { _, _ in } }
      #expect(try await camera.exposureMode == .locked)
      let change = log2(await port.light / chosen)
      #expect(abs(change) < 0.1, "seed \(seed): \(change)")
    }
  }

  /// An exposure that the controls cannot reproduce is an error with its numbers, and the camera
  /// stays in automatic exposure.
  @Test func lightThatCannotBeKeptIsToldOf() async throws {
    var configuration = try configuration(SimulatedExposure())
    // The longest time gives an eighth of the right exposure.
    configuration.faults.exposure = 0.125 / 50
    let camera = Camera(try SimulatedCamera(configuration))
    await #expect { try await camera.setExposureMode(.locked) } throws: { error in
      guard case .exposureNotKept(let before, let after) = error as? CameraError else {
        return false
      }
      return abs(before) < 0.5 && -3.2 ... -2.8 ~= after - before
    }
    #expect(try await camera.exposureMode == .continuousAutomatic)
  }

  /// A bias that the camera accepts and does not follow.
  @Test func aBiasIsLookedAt() async throws {
    var exposure = SimulatedExposure()
    exposure.hasBias = true
    var configuration = try configuration(exposure)
    configuration.faults.exposureStays = true
    let camera = Camera(try SimulatedCamera(configuration))
    await #expect { try await camera.compensateExposure(by: 1) } throws: { error in
      guard case .exposureNotSeen(let expected?, let seen, _) = error as? CameraError else {
        return false
      }
      return abs(expected - 0.999) < 0.01 && abs(seen) < 0.1
    }
  }

  /// A range in a message lies within the accepted range.
  @Test func boundsAreWrittenInwards() throws {
    for seed in 0..<2000 {
      let low = -pow(10, Double(seed % 7) - 3) * (1 + Double(seed) / 777)
      let range = low...(-low * 3.3333333 / Double(1 + seed % 3))
      for (quantity, scale) in [(ExposureQuantity.stops, 1.0), (.duration, 1000)] {
        let text = quantity.refusal(of: 9e9, allowed: range)
        let words = try #require(text.split(separator: ": ").last).split(separator: " ")
        let (lower, upper) = (
          try #require(Double(words[0])) / scale, try #require(Double(words[2])) / scale
        )
        #expect(range.contains(lower) && range.contains(upper), "\(text) \(range)")
        #expect(abs(lower / range.lowerBound - 1) < 2e-3)
        #expect(abs(upper / range.upperBound - 1) < 2e-3)
      }
    }
  }

  @Test func theCamerasOwnBiasIsUsed() async throws {
    var exposure = SimulatedExposure()
    exposure.hasBias = true
    exposure.automaticPace = 0.3
    let port = try SimulatedCamera(try configuration(exposure))
    let camera = Camera(port)
    for stops in [-2.0, 1, 0] {
      let result = try await camera.compensateExposure(by: stops)
      #expect(result.isByCamera)
      #expect(abs(log2(await port.light) - stops) < 0.1)
    }
    await #expect(throws: CameraError.self) { try await camera.compensateExposure(by: 3) }
    #expect(await camera.exposureBiasRange == -1.998...1.998)
    let without = Camera(try SimulatedCamera(try configuration(SimulatedExposure())))
    #expect(await without.exposureBiasRange == nil)
  }

  /// The sequence of states, with every value in its unit.
  @Test func statesTellOfEveryFrame() async throws {
    var exposure = SimulatedExposure(.absolute, .proportional)
    exposure.hasBias = true
    exposure.automaticPace = 0.2
    var configuration = try configuration(exposure)
    configuration.lens = SimulatedLens(best: 140)
    let port = try SimulatedCamera(configuration)
    var camera = Camera(port)
    camera.meteringRegion = .center(0.4)
    camera.exposureLaws = try await camera.probeExposure()
    func state(after frames: Int) async throws -> CaptureState {
      var states = camera.captureStates().makeAsyncIterator()
      var last = try await states.next()
      for _ in 0..<frames { last = try await states.next() }
      return try #require(last)
    }
    // A change of exposure in automatic mode.
    try await port.set([ControlValue(.exposureBias, 0)])
    #expect(try await state(after: 3).isAdjustingExposure)
    var now = try await state(after: 40)
    #expect(now.exposureMode == .continuousAutomatic && !now.isAdjustingExposure)
    let lowest = try #require(await port.description(of: .exposureBias)?.items.first)
    #expect(now.bias == Double(lowest.name)! / 1000)
    #expect(abs(now.exposure.offset - (await port.stops)) < 0.1)
    try await camera.setExposure(duration: 0.008, amplification: 2)
    try await camera.setLensPosition(0.25)
    now = try await state(after: 8)
    #expect(now.exposureMode == .locked && now.focusMode == .locked)
    #expect(abs(try #require(now.duration) / 0.008 - 1) < 0.01)
    #expect(abs(try #require(now.amplification) / 2 - 1) < 0.05)
    #expect(abs(try #require(now.lensPosition) - 0.25) < 0.01)
    #expect(now.isAdjustingFocus == nil)
    // Ten a second of thirty.
    var times: [Duration] = []
    for try await state in camera.captureStates(perSecond: 10) {
      times.append(state.frame.timestamp)
      if times.count == 4 { break }
    }
    for (one, next) in zip(times, times.dropFirst()) {
      #expect(next - one >= .milliseconds(95) && next - one < .milliseconds(140))
    }
  }

  @Test func modes() async throws {
    var exposure = SimulatedExposure()
    exposure.automaticPace = 0.2
    let port = try SimulatedCamera(try configuration(exposure))
    let camera = Camera(port)
    #expect(
      await camera.supportedExposureModes == [.locked, .automatic, .continuousAutomatic, .custom])
    #expect(try await camera.exposureMode == .continuousAutomatic)
    try await camera.setExposureMode(.automatic)
    #expect(try await camera.exposureMode == .locked)
    try await camera.setExposureMode(.continuousAutomatic)
    #expect(try await camera.exposureMode == .continuousAutomatic)
    let none = Camera(
      try SimulatedCamera(
        SimulatedCamera.Configuration(
          sensor: try #require(MeasuredSensor(named: "nikon-d5100")),
          lamp: try #require(MeasuredLamp(named: "A")), size: (32, 32))))
    #expect(await none.supportedExposureModes == [.locked])
    await #expect(throws: CameraError.self) { try await none.setExposureMode(.custom) }
    await #expect(throws: CameraError.self) { try await none.setExposure(duration: 0.01) }
  }
}

private func log2(_ value: Double) -> Double { logarithm(value) / logarithm(2) }

extension SimulatedCamera {
  /// The true luma of the card, in stops above middle gray.
  fileprivate var stops: Double {
    log2((SIMD3(0.2126, 0.7152, 0.0722) * card.vector).sum() * light / Camera.middleGray)
  }
}
