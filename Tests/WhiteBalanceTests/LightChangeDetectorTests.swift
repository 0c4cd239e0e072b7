import ColorScience
import Foundation
import SimulatedRooms
import SimulatedScenes
import Testing
import WhiteBalance

/// Tests in simulated rooms; `Benchmarks/light-changes.sh` runs the first two with many more rooms,
/// from seeds by which no parameter was chosen, and prints what they count.
struct LightChangeDetectorTests {
  private static let all = Set(SimulatedRoom.Disturbance.allCases)
  private static let firstSeed = UInt64(number("WBCAL_LIGHT_SEED") ?? 1_000_000)

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  private static func room(
    _ seed: UInt64, _ disturbances: Set<SimulatedRoom.Disturbance>,
    _ change: SimulatedRoom.Change? = nil
  ) -> SimulatedRoom {
    SimulatedRoom(
      seed: seed, columns: LightChangeDetector.columns, rows: LightChangeDetector.rows,
      disturbances: disturbances, change: change)
  }

  private static func detector(of room: SimulatedRoom) -> LightChangeDetector {
    LightChangeDetector(colors: room.isRaw ? .sensor : .sRGB)
  }

  /// Lamps are changed within three frames, by 5 to 20 CIEDE2000 and by up to a stop, amid all
  /// that moves.
  @Test func changesAreNoticed() {
    let count = Self.number("WBCAL_LIGHT_CHANGES") ?? 300
    var delays: [Int] = []
    var early = 0
    var missed: [String] = []
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(count) {
      var random = SplitMix64(state: seed)
      let start = 90 + Int(random.uniform() * 600)
      let change = SimulatedRoom.Change(
        frame: start, length: 1 + Int(random.uniform() * 3),
        ciede2000: 5 * power(4, random.uniform()),
        brightness: power(2, 2 * random.uniform() - 1))
      var room = Self.room(seed, Self.all, change)
      var detector = Self.detector(of: room)
      var first: Int?
      var noticed: Int?
      while noticed == nil, room.frame < start + 60 {
        let isNoticed = detector.add(room.next()) != nil
        if first == nil, room.ciede2000 >= 5 { first = room.frame }
        guard isNoticed else { continue }
        if room.frame <= start { early += 1 } else { noticed = room.frame }
      }
      let delay = noticed.flatMap { noticed in first.map { noticed - $0 } }
      if let delay, delay <= 10 {
        delays.append(max(0, delay))
      } else {
        missed.append("\(seed): \(change.ciede2000), \(room.description), \(delay ?? -1)")
      }
    }
    let mean = Double(delays.reduce(0, +)) / Double(max(1, delays.count))
    print("light changes: \(count) \(delays.count) \(early) \(fixed(mean, decimals: 1))")
    #expect(100 * delays.count >= 98 * count, "\(missed.joined(separator: "\n"))")
    #expect(early <= count / 300, "\(early)")
  }

  /// Half an hour of all motion at once; in the benchmark eight hours of each kind, and forty of
  /// all at once.
  @Test func motionIsNoChange() {
    let asked = Self.number("WBCAL_LIGHT_MINUTES")
    let kinds =
      asked == nil ? [] : SimulatedRoom.Disturbance.allCases.map { ($0.rawValue, Set([$0]), 1) }
    for (name, disturbances, times) in kinds + [("all", Self.all, asked == nil ? 1 : 5)] {
      let minutes = times * (asked ?? 30)
      var found: [String] = []
      // A room for every quarter of an hour.
      for index in 0..<max(1, minutes / 15) {
        var room = Self.room(Self.firstSeed + UInt64(index), disturbances)
        var detector = Self.detector(of: room)
        while room.frame < 15 * 60 * 30 {
          guard let change = detector.add(room.next()) else { continue }
          found.append(
            "\(index): \(room.frame), \(change), \(room.ciede2000), \(room.description)")
        }
      }
      print("light alarms: \(name) \(minutes) \(found.count)")
      #expect(60 * 8 * found.count <= minutes, "\(found.joined(separator: "\n"))")
    }
  }

  /// A drift that no one sees is noticed in the end; a smaller one is not, except between lamps
  /// that shift the colors of a sensor by far more than their light.
  @Test(arguments: [(10.0, true), (1.5, false)])
  func drifts(ciede2000: Double, isNoticed: Bool) {
    var noticed = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      var room = Self.room(
        seed, [.people, .clouds], .init(frame: 600, length: 12_000, ciede2000: ciede2000))
      var detector = Self.detector(of: room)
      var isFound = false
      while room.frame < 14_000 { isFound = detector.add(room.next()) != nil || isFound }
      if isFound { noticed += 1 }
    }
    #expect(isNoticed ? noticed >= 39 : noticed <= 1, "\(noticed) of 40")
  }

  /// The stated shift is that of a gray surface, which the spectra determine.
  @Test func theShiftIsThatOfTheLight() {
    var (inside, count) = (0, 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      var room = Self.room(seed, [], .init(frame: 120, length: 1, ciede2000: 10))
      guard room.isRaw else { continue }
      var detector = Self.detector(of: room)
      var found: SceneLightChange?
      while found == nil, room.frame < 150 { found = detector.add(room.next()) }
      guard let found else { continue }
      count += 1
      let size = (room.shift * room.shift).sum().squareRoot()
      let miss = SIMD2(found.red, found.blue) - room.shift
      if (miss * miss).sum().squareRoot() < 0.1 * size + 0.005 { inside += 1 }
    }
    #expect(count >= 90 && 100 * inside >= 90 * count, "\(inside) of \(count)")
  }

  /// Half of the cells turn to one color at once, as behind a hand, and stay.
  @Test(arguments: [(0.5, false), (1.0, true)])
  func halfOfAPictureIsNoLight(share: Double, isNoticed: Bool) {
    var detector = LightChangeDetector()
    let cells = LightChangeDetector.columns * LightChangeDetector.rows
    var found: [Int] = []
    for frame in 0..<3000 {
      let colors = (0..<cells).map { cell -> LinearRGB in
        let shade = 0.2 + 0.002 * Double(cell)
        let isChanged = frame >= 100 && Double(cell) < share * Double(cells)
        return LinearRGB(SIMD3(isChanged ? 1.3 : 1, 1, isChanged ? 0.8 : 1) * shade)
      }
      if let change = detector.add(colors) {
        found.append(frame)
        #expect(abs(change.red - logarithm(1.3)) < 1e-3 && abs(change.blue - logarithm(0.8)) < 1e-3)
        #expect(change.agreement == 1 && change.ciede2000 > 5)
      }
    }
    #expect(found == (isNoticed ? [107] : []))
  }

  /// The light changes and changes back, so two changes cancel.
  @Test func thereAndBack() throws {
    var detector = LightChangeDetector()
    let cells = LightChangeDetector.columns * LightChangeDetector.rows
    var changes: [SceneLightChange] = []
    for frame in 0..<300 {
      let isOther = (100..<200).contains(frame)
      let color = LinearRGB(SIMD3(isOther ? 0.26 : 0.2, 0.2, isOther ? 0.16 : 0.2))
      if let change = detector.add([LinearRGB](repeating: color, count: cells)) {
        changes.append(change)
      }
    }
    try #require(changes.count == 2)
    let both = changes[1].following(changes[0])
    #expect(both.ciede2000 < 0.01 && both.redError >= changes[0].redError)
    #expect(abs(both.red) < 1e-4 && abs(both.blue) < 1e-4)
  }

  @Test func otherGridsAndPrimaries() async {
    await #expect(processExitsWith: .failure) {
      var detector = LightChangeDetector()
      _ = detector.add([FrameStatistics]())
    }
  }

  @Test func darknessIsNoLight() {
    var detector = LightChangeDetector()
    let cells = LightChangeDetector.columns * LightChangeDetector.rows
    for frame in 0..<300 {
      let color = frame % 60 < 30 ? LinearRGB(.zero) : LinearRGB(SIMD3(0.2, 0.2, 0.2))
      #expect(detector.add([LinearRGB](repeating: color, count: cells)) == nil)
    }
  }

  /// The noise of simulated cells is that of pixels, and a change in pixels is noticed.
  @Test func pixelsAgree() throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-5d"))
    let layout = try FrameLayout(
      width: 240, height: 160, format: .bayer(.rggb, bits: 12), blackLevel: 256)
    let lamps = try ["D65", "FL11"].map { name in
      try #require(MeasuredLamp(named: name))
    }
    let scenes = lamps.map { lamp in
      var setup = SimulatedScene.Setup(
        sensor: sensor, lamp: lamp, seed: 3, size: (layout.width, layout.height))
      setup.format = layout.format
      return SimulatedScene(setup)
    }
    let responses = lamps.map { sensor.response(to: $0.spectrum).logRatios }
    var detector = LightChangeDetector(colors: .sensor)
    var seen: [[FrameStatistics]] = []
    var found: (frame: Int, change: SceneLightChange)?
    for frame in 0..<120 {
      var bytes: [UInt8] = []
      scenes[frame < 100 ? 0 : 1].render(
        frame: frame, gains: Gains(red: 1, green: 1, blue: 1), exposure: 1, into: &bytes)
      let zones = try FrameStatistics.zones(
        bytes.span, layout: layout, columns: LightChangeDetector.columns,
        rows: LightChangeDetector.rows)
      if let change = detector.add(zones) { found = found ?? (frame, change) }
      if frame < 100 { seen.append(zones) }
    }
    let first = try #require(found)
    #expect((100..<110).contains(first.frame))
    let miss = SIMD2(first.change.red, first.change.blue) - (responses[1] - responses[0])
    #expect((miss * miss).sum().squareRoot() < 0.03, "\(miss)")

    var ratios: [Double] = []
    for cell in seen[0].indices {
      let values = seen.map { $0[cell].mean.logRatios.x }
      let mean = values.reduce(0, +) / Double(values.count)
      let variance =
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
      let (color, counts) = (seen[0][cell].mean, seen[0][cell].sampleCounts)
      func relative(_ light: Double, _ count: Int) -> Double {
        SimulatedRoom.variance(of: light, fullWell: 20_000) / (light * light * Double(count))
      }
      ratios.append(variance / (relative(color.red, counts.x) + relative(color.green, counts.y)))
    }
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    #expect(abs(mean - 1) < 0.1, "\(mean)")
  }

  /// The size that is stated for changes of 6 CIEDE2000, without knowing the sensor.
  @Test func statedSizes() {
    var sizes: [Double] = []
    var inside = 0
    for seed in 1...400 as ClosedRange<UInt64> {
      var room = Self.room(seed, [], .init(frame: 100, length: 1, ciede2000: 6))
      var detector = Self.detector(of: room)
      var found: SceneLightChange?
      while found == nil, room.frame < 130 { found = detector.add(room.next()) }
      guard let found else { continue }
      sizes.append(found.ciede2000 / 6)
      if abs(found.ciede2000 - 6) < 1.96 * found.ciede2000Error { inside += 1 }
    }
    #expect(abs(Double(inside) / Double(sizes.count) - 0.95) < 0.03, "\(inside)")
    sizes.sort()
    #expect(sizes.count >= 392)
    let (low, middle, high) = (
      sizes[sizes.count / 40], sizes[sizes.count / 2], sizes[sizes.count * 39 / 40]
    )
    #expect(abs(middle - 1) < 0.1 && low > 0.5 && high < 1.5)
    #expect(sizes[sizes.count / 4] > 0.8 && sizes[sizes.count * 3 / 4] < 1.2)
  }
}
