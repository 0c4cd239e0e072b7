import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

extension SeededRandom {
  /// Returns a number between two positive numbers, uniform in the logarithm.
  fileprivate mutating func logUniform(_ low: Double, _ high: Double) -> Double {
    low * power(high / low, uniform())
  }
}

struct SettleDetectorTests {
  /// There are as many approaches as the detector's documentation states.
  @Test func falseAlarms() {
    var noise = SeededRandom(seed: 20)
    var tooEarly = 0
    var meanOff = 0
    var never = 0
    for run in 0..<2000 {
      let slowest = run % 3 == 0
      let time = slowest ? 30 : noise.logUniform(1, 30)
      let start = SIMD2(
        noise.logUniform(0.01, 1), (run & 2 == 0 ? 1 : -1) * noise.logUniform(0.01, 1))
      let deviation = noise.logUniform(1e-4, 5e-3)
      let step = run & 1 == 0 ? 0 : noise.logUniform(1e-3, 1e-2)
      var detector = SettleDetector()
      var settled = false
      for frame in 0..<600 {
        let left = start * exponential(-Double(frame) / time)
        var value = left + deviation * SIMD2(noise.normal(), noise.normal())
        if step > 0 { value = step * (value / step).rounded(.toNearestOrEven) }
        guard let gains = detector.add(red: value.x - 0.4, blue: value.y + 0.3) else { continue }
        settled = true
        let error = SIMD2(gains.redError, gains.blueError)
        if abs(left.x) > max(0.005, 3 * error.x) || abs(left.y) > max(0.005, 3 * error.y) {
          tooEarly += 1
        }
        if abs(gains.red + 0.4) > 0.005 + 3 * error.x || abs(gains.blue - 0.3) > 0.005 + 3 * error.y
        {
          meanOff += 1
        }
        break
      }
      if !settled { never += 1 }
    }
    #expect(tooEarly == 0, "\(tooEarly) of 2000 too early")
    #expect(meanOff <= 2, "\(meanOff) of 2000 means off")
    #expect(never == 0, "\(never) of 2000 never settled")
  }

  /// Tests the number of frames after which 99 % of the settled sequences are detected, and the
  /// accuracy of their standard error.
  @Test(arguments: [(0, 12), (1e-4, 12), (1e-3, 30), (2e-3, 50), (5e-3, 96)])
  func sequencesAtRest(deviation: Double, frames: Int) {
    var noise = SeededRandom(seed: 5)
    var late = 0
    var squares = 0.0
    for _ in 0..<1000 {
      var detector = SettleDetector()
      var settled: SettleDetector.SettledGains?
      var seen = 0
      while settled == nil, seen < 400 {
        settled = detector.add(
          red: 0.2 + deviation * noise.normal(), blue: -0.1 + deviation * noise.normal())
        seen += 1
      }
      if seen > frames { late += 1 }
      if deviation > 0, let settled {
        squares += (settled.red - 0.2) * (settled.red - 0.2) / (settled.redError * settled.redError)
      }
    }
    #expect(late <= 10, "\(late) of 1000 late")
    if deviation > 0 { #expect(abs(squares / 1000 - 1) < 0.2, "\(squares / 1000)") }
  }

  /// Steps of 1 % pause for 8 frames at a time, and then stop.
  @Test func pausesAreNoRest() {
    var detector = SettleDetector()
    for frame in 0..<80 {
      let value = 0.01 * Double(frame / 8)
      #expect(detector.add(red: value, blue: -value) == nil, "frame \(frame)")
    }
    var frames = 0
    var settled: SettleDetector.SettledGains?
    while settled == nil, frames < 200 {
      settled = detector.add(red: 0.09, blue: -0.09)
      frames += 1
    }
    // After steps of 1 %, a slower drift may be hidden for 60 frames.
    #expect((48...80).contains(frames), "\(frames)")
    #expect(abs((settled?.red ?? 0) - 0.09) < 1e-12)
  }

  /// A step of more than the tolerance ends the settled state, however long it lasted: at once,
  /// unless the noise of the first frame hides the step.
  @Test(arguments: [0.01, 0.02, 0.1])
  func aStepEndsTheRest(step: Double) throws {
    var hidden = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      var noise = SeededRandom(seed: seed)
      var detector = SettleDetector()
      func value(_ mean: Double) -> Double { mean + 1e-3 * noise.normal() }
      var last: SettleDetector.SettledGains?
      for _ in 0..<150 { last = detector.add(red: value(0.1), blue: value(0.2)) }
      #expect(try #require(last).frames >= 68, "\(seed)")
      if detector.add(red: value(0.1 + step), blue: value(0.2)) != nil { hidden += 1 }
      var moved = 1
      var settled: SettleDetector.SettledGains?
      while settled == nil, moved < 200 {
        settled = detector.add(red: value(0.1 + step), blue: value(0.2))
        moved += 1
      }
      let found = try #require(settled)
      #expect((12...50).contains(moved), "\(seed): \(moved)")
      #expect(abs(found.red - 0.1 - step) < 0.005 + 3 * found.redError, "\(seed)")
    }
    #expect(hidden <= (step < 0.02 ? 6 : 0), "\(hidden)")
  }

  /// Without noise, a jump is over after the shortest window.
  @Test(arguments: [0.02, 0.3])
  func aJumpWithoutNoise(jump: Double) throws {
    var detector = SettleDetector()
    for _ in 0..<30 { detector.add(red: 0.1, blue: 0.2) }
    for _ in 0..<11 { #expect(detector.add(red: 0.1 + jump, blue: 0.2 - jump) == nil) }
    let last = detector.add(red: 0.1 + jump, blue: 0.2 - jump)
    let settled = try #require(last)
    #expect(settled.frames == 12)
    #expect(abs(settled.red - 0.1 - jump) < 1e-12 && abs(settled.blue - 0.2 + jump) < 1e-12)
  }

  /// Steps that a window of 96 frames tolerates, up to 0.5 % · 96/30 = 1.6 %, may occur again; a
  /// larger one is a single jump.
  @Test(arguments: [(0.0159, 96), (0.0161, 12)])
  func stepsAndJumps(step: Double, frames: Int) {
    var detector = SettleDetector()
    detector.add(red: 0.1, blue: 0.2)
    var seen = 0
    var settled: SettleDetector.SettledGains?
    while settled == nil, seen < 200 {
      settled = detector.add(red: 0.1 + step, blue: 0.2)
      seen += 1
    }
    #expect(seen == frames && settled?.frames == frames)
  }

  /// Without noise, the settled state is reported for each of the windows.
  @Test func theWindows() {
    var detector = SettleDetector()
    var windows: [Int] = []
    for _ in 0..<200 {
      guard let frames = detector.add(red: 0.1, blue: 0.2)?.frames else { continue }
      if windows.last != frames { windows.append(frames) }
    }
    #expect(windows == [12, 17, 24, 34, 48, 68, 96])
  }

  @Test func defaults() {
    let detector = SettleDetector()
    #expect(detector.tolerance == 0.005 && detector.slowest == 30)
  }

  @Test func whatIsNotFiniteStartsOver() {
    for bad in [Double.nan, .infinity] {
      var detector = SettleDetector()
      for _ in 0..<11 { #expect(detector.add(red: 0.5, blue: 0.5) == nil) }
      #expect(detector.add(red: 0.5, blue: bad) == nil)
      for _ in 0..<11 { #expect(detector.add(red: 0.5, blue: 0.5) == nil) }
      #expect(detector.add(red: 0.5, blue: 0.5)?.frames == 12)
    }
  }
}
