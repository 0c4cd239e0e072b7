import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct FlickerMeasurementTests {
  /// Returns frames of a scene with stripes under a sine, integrated over each row's exposure.
  private func run(
    _ frequency: Double, amplitude: Double = 0.3, rate: Double, exposure: Double = 0.004,
    readout: Double = 0.02, noise: Double = 0.002, knows: Bool = true, counts: Bool = true,
    lost: Set<Int> = [], seed: UInt64 = 1
  ) -> FlickerRun {
    var random = SeededRandom(seed: seed)
    let start = random.uniform()
    var frames: [FlickerFrame] = []
    for frame in 0..<64 where !lost.contains(frame) {
      let time = start + Double(frame) / rate
      let rows = (0..<48).map { row in
        let end = time + readout * Double(row) / 48
        let turn = 2 * Double.pi * frequency
        let swing = (sine(turn * end) - sine(turn * (end - exposure))) / (turn * exposure)
        return (row / 5 % 2 == 0 ? 0.2 : 0.05) * (1 + amplitude * swing + noise * random.normal())
      }
      frames.append(
        FlickerFrame(
          sequence: counts ? frame : frames.count,
          time: time + 0.03 / rate * (2 * random.uniform() - 1), rows: rows))
    }
    return FlickerRun(frames, exposure: knows ? exposure : nil)
  }

  @Test func theMainsAreNamedFromTwoRates() throws {
    for mains in MainsFrequency.allCases {
      let runs = [24.0, 25, 30].map { run(mains.light, rate: $0) }
      let measurement = FlickerMeasurement(runs)
      #expect(measurement.verdict == .mains(mains))
      #expect(measurement.confidence > 0.99 && measurement.next == nil)
      let light = try #require(measurement.light)
      let first = try #require(
        light.components.first { abs($0.frequency / mains.light - 1) < 0.01 })
      #expect(abs(first.frequency - mains.light) < 0.1)
      #expect(abs(first.amplitude - 0.3) < 0.01)
    }
  }

  /// At 30 frames a second bands of 120 Hz stand still and at 25 they move; at 20 those of 100 and
  /// of 120 Hz stand still.
  @Test func whatStandsStillIsNotCalledSteady() {
    let thirty = FlickerMeasurement([run(120, rate: 30)])
    #expect(thirty.verdict == .undetermined(.bandsStandStill([.hertz60])))
    #expect(thirty.next.map { [25, 24].contains($0.frameRate) } == true)
    let both = FlickerMeasurement([run(120, rate: 30), run(120, rate: 25, seed: 2)])
    #expect(both.verdict == .mains(.hertz60))
    let twenty = FlickerMeasurement([run(100, rate: 20)])
    #expect(twenty.verdict == .undetermined(.bandsStandStill([.hertz50, .hertz60])))
  }

  @Test func anExposureThatHidesIsNamed() {
    let hidden = FlickerMeasurement([run(100, rate: 30, exposure: 0.01)])
    guard case .undetermined(.exposureHides(let mains)) = hidden.verdict else {
      Issue.record("\(hidden.verdict)")
      return
    }
    #expect(mains.contains(.hertz50))
    #expect((hidden.next?.exposure).map { (0.001...0.006).contains($0) } == true)
    let unknown = FlickerMeasurement([run(100, amplitude: 0, rate: 24, knows: false)])
    #expect(unknown.verdict == .undetermined(.exposureUnknown))
  }

  @Test func steadyLightIsNone() {
    let measurement = FlickerMeasurement([24.0, 25, 30].map { run(100, amplitude: 0, rate: $0) })
    #expect(measurement.verdict == .none)
    #expect(measurement.light == nil)
  }

  @Test func anotherFrequencyIsNotTheMains() {
    let measurement = FlickerMeasurement([24.0, 25].map { run(337, rate: $0, exposure: 0.001) })
    guard case .other = measurement.verdict else {
      Issue.record("\(measurement.verdict)")
      return
    }
  }

  /// With a known readout time, the bands in a picture determine the frequency.
  @Test func aKnownReadoutTellsTheFrequency() throws {
    var runs = [24.0, 25, 30].map { run(370, rate: $0, exposure: 0.001) }
    for index in runs.indices { runs[index].readout = 0.02 }
    guard case .other(let frequency?) = FlickerMeasurement(runs).verdict else {
      Issue.record("\(FlickerMeasurement(runs).verdict)")
      return
    }
    #expect(abs(frequency / 370 - 1) < 0.01)
  }

  /// Lost frames have no effect, even if the driver does not count them.
  @Test(arguments: [true, false]) func lostFramesAreSeenByTheirTimes(counts: Bool) {
    let lost: Set<Int> = [3, 17, 18, 40]
    let measurement = FlickerMeasurement(
      [24.0, 25, 30].map { run(100, rate: $0, counts: counts, lost: lost) })
    #expect(measurement.verdict == .mains(.hertz50))
  }

  @Test func badRunsAreRefused() {
    let good = run(100, rate: 24)
    #expect(
      FlickerMeasurement([FlickerRun(Array(good.frames.prefix(8)))]).verdict
        == .undetermined(.tooFewFrames))
    var random = SeededRandom(seed: 4)
    let irregular = good.frames.map { frame in
      var frame = frame
      frame.time += 0.03 * random.uniform()
      return frame
    }
    #expect(
      FlickerMeasurement([FlickerRun(irregular, exposure: 0.004)]).verdict
        == .undetermined(.irregularTimes))
  }

  /// A person walks through the picture.
  @Test func whatMovesIsNoLamp() {
    var run = run(100, amplitude: 0, rate: 24)
    var random = SeededRandom(seed: 9)
    for frame in run.frames.indices {
      for row in 0..<48 { run.frames[frame].rows[row] *= 1 + 0.05 * random.uniform() }
      let edge = Int(48 * random.uniform())
      for row in edge..<48 { run.frames[frame].rows[row] *= 0.7 }
    }
    switch FlickerMeasurement([run]).verdict {
    case .mains, .other: Issue.record("a lamp in what moves")
    default: break
    }
  }

  /// A color filter array has levels for pairs of rows only.
  @Test func smallPicturesHaveFewerGroupsOfRows() throws {
    for (format, groups) in [(PixelFormat.bayer(.rggb, bits: 8), 10), (.gray(bits: 8), 20)] {
      let layout = try FrameLayout(width: 16, height: 20, format: format)
      let bytes = [UInt8](repeating: 100, count: layout.byteCount)
      let frame = try FlickerFrame(bytes.span, layout: layout, sequence: 0, time: 0)
      #expect(frame.rows.count == groups)
    }
  }
}
