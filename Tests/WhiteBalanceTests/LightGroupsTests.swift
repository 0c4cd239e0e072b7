import ColorScience
import Foundation
import SimulatedRooms
import SimulatedScenes
import Testing
import WhiteBalance

/// Tests with simulated series whose seeds no parameter was chosen by;
/// `Benchmarks/light-changes.sh` runs the first two with more of them, and prints what they count.
struct LightGroupsTests {
  private static let firstSeed: UInt64 = 2_000_000
  private static let length = 20

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  /// The kinds of series that are counted.
  enum Kind: String, CaseIterable {
    case motifs, exposures, tripod

    var motifs: SimulatedSeries.Motifs { self == .tripod ? .one : .changing }
  }

  private static func series(
    _ seed: UInt64, _ kind: Kind, _ change: (picture: Int, ciede2000: Double)? = nil
  ) -> SimulatedSeries {
    SimulatedSeries(
      seed: seed, pictures: length,
      cells: LightChangeDetector.columns * LightChangeDetector.rows, motifs: kind.motifs,
      change: change)
  }

  private static func pictures(_ series: SimulatedSeries, _ kind: Kind) -> [SeriesPicture] {
    series.pictures.map { picture in
      SeriesPicture(
        scene: SceneLight(colors: picture.colors),
        exposure: kind == .motifs ? nil : picture.exposure)
    }
  }

  private static func groups(_ series: SimulatedSeries, _ kind: Kind) -> LightGroups {
    LightGroups(pictures(series, kind), colors: series.isRaw ? .sensor : .sRGB)
  }

  /// Under one light, the motifs change, and there is no boundary.
  @Test(arguments: Kind.allCases)
  func motifsAreNoLight(kind: Kind) {
    let count = Self.number("WBCAL_LIGHT_SERIES") ?? 60
    var found: [String] = []
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(count) {
      let series = Self.series(seed, kind)
      let boundaries = Self.groups(series, kind).boundaries
      if !boundaries.isEmpty { found.append("\(seed): \(boundaries), \(series.description)") }
    }
    print("light series: \(kind.rawValue) \(count) \(found.count)")
    #expect(50 * found.count <= count + 49, "\(found.joined(separator: "\n"))")
  }

  /// The light changes once, by 5 to 20 CIEDE2000.
  @Test(arguments: Kind.allCases)
  func changesAreNoticed(kind: Kind) {
    let count = Self.number("WBCAL_LIGHT_SERIES") ?? 60
    let limits = [5.0, 7, 10, 14, 20]
    var (all, noticed, exact) = ([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0])
    var wrong: [String] = []
    var inside = 0
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(count) {
      var random = SplitMix64(state: seed)
      let first = 3 + Int(random.uniform() * Double(Self.length - 6))
      let size = 5 * power(4, random.uniform())
      let series = Self.series(seed, kind, (first, size))
      let groups = Self.groups(series, kind)
      let bin = max(0, (limits.firstIndex { $0 > size } ?? 4) - 1)
      all[bin] += 1
      for boundary in groups.boundaries {
        guard boundary.candidates.contains(first) else {
          wrong.append("\(seed): \(first), \(size), \(boundary), \(series.description)")
          continue
        }
        noticed[bin] += 1
        if boundary.candidates.count == 1 { exact[bin] += 1 }
        let index = groups.boundaries.firstIndex(of: boundary) ?? 0
        let difference = groups.difference(groups.groups[index], groups.groups[index + 1])
        if difference?.interval.contains(size) == true { inside += 1 }
      }
    }
    for bin in all.indices {
      print(
        "light series changes: \(kind.rawValue) \(limits[bin]) \(limits[bin + 1]) \(all[bin]) "
          + "\(noticed[bin]) \(exact[bin])")
    }
    let sum = noticed.reduce(0, +)
    print("light series sizes: \(kind.rawValue) \(sum) \(inside) \(wrong.count)")
    #expect(50 * wrong.count <= count + 49, "\(wrong.joined(separator: "\n"))")
    #expect(100 * inside >= 90 * sum, "\(inside) of \(sum)")
    let least = kind == .tripod ? 90 : 45
    #expect(100 * sum >= least * count, "\(noticed) of \(all)")
  }

  /// Other evidence than colors, of pictures that are otherwise alike.
  @Test func exposuresAndTimes() {
    let series = Self.series(3, .motifs)
    func boundaries(_ change: (Int, inout SeriesPicture) -> Void) -> [LightGroups.Boundary] {
      var pictures = Self.pictures(series, .motifs)
      for index in pictures.indices { change(index, &pictures[index]) }
      return LightGroups(pictures).boundaries
    }
    // A flash is another light.
    let flash = boundaries { index, picture in picture.usesFlash = index >= 8 }
    #expect(flash.map(\.picture) == [8] && flash.map(\.candidates) == [8...8])
    #expect(flash.allSatisfy { $0.confidence > 0.95 })
    // Neither a night nor darkness is one for certain, as long as no color has changed.
    #expect(boundaries { $1.time = Double($0 < 8 ? $0 : 40_000 + $0) }.isEmpty)
    #expect(boundaries { $1.exposure = $0 < 8 ? -4 : 1 }.isEmpty)
    #expect(boundaries { $1.scene = $0 < 8 ? $1.scene : nil }.isEmpty)
  }

  /// Each picture is in one group, also where nothing is known.
  @Test func allPicturesAreInGroups() throws {
    #expect(LightGroups([]).groups.isEmpty)
    let nothing = LightGroups([SeriesPicture](repeating: SeriesPicture(scene: nil), count: 3))
    #expect(nothing.groups.map(\.pictures) == [0..<3] && nothing.boundaries.isEmpty)
    let group = try #require(nothing.groups.first)
    #expect(group.neutral == nil && nothing.difference(group, group) == nil)
    #expect(SceneLight(colors: [LinearRGB](repeating: LinearRGB(.zero), count: 96)) == nil)
    let series = Self.series(5, .tripod, (9, 20))
    let groups = Self.groups(series, .tripod)
    #expect(groups.groups.flatMap(\.pictures) == Array(0..<Self.length))
    #expect(groups.groups.count == groups.boundaries.count + 1)
  }

  /// A camera on a tripod, of which neither times nor exposures are known, under lamps that are
  /// switched: each run of pictures is a group, and without a switch there is one.
  @Test(
    arguments: [
      ["D65", "D65", "D65", "A", "A", "FL11", "D65"], ["A", "D65", "D50", "FL2", "LED-B1", "D65"],
      ["FL11", "FL11", "D65", "LED-B1", "LED-B1", "D65"], ["D65", "A"], ["LED-B3", "D50", "A"],
      ["A", "A", "A", "A", "A"], ["FL11", "FL11", "FL11"],
    ], [SimulatedTarget.card, .chart])
  func lampsOverOneMotif(lamps: [String], target: SimulatedTarget) throws {
    let runs = lamps.indices.filter { $0 == 0 || lamps[$0] != lamps[$0 - 1] }
    let layout = try FrameLayout(
      width: 240, height: 160, format: .bayer(.rggb, bits: 12), blackLevel: 256)
    for (seed, name) in [(1, "canon-eos-600d"), (7, "canon-eos-5d"), (12, "nikon-d850")] {
      let sensor = try #require(MeasuredSensor(named: name))
      var pictures = try lamps.enumerated().map { index, name in
        var setup = SimulatedScene.Setup(
          sensor: sensor, lamp: try #require(MeasuredLamp(named: name)), seed: UInt64(seed),
          size: (layout.width, layout.height))
        (setup.format, setup.target) = (layout.format, target)
        var bytes: [UInt8] = []
        let scene = SimulatedScene(setup)
        scene.render(
          frame: index, gains: Gains(red: 1, green: 1, blue: 1), exposure: 1, into: &bytes)
        return SeriesPicture(scene: try SceneLight(bytes.span, layout: layout))
      }
      for hasCard in [false, true] {
        if hasCard {
          let lamp = try #require(MeasuredLamp(named: lamps[0]))
          pictures[0].neutral = sensor.response(to: lamp.spectrum)
        }
        let groups = LightGroups(pictures, colors: .sensor)
        #expect(groups.boundaries.map(\.candidates) == runs.dropFirst().map { $0...$0 }, "\(name)")
        #expect(groups.groups.map(\.pictures.lowerBound) == runs, "\(name)")
      }
    }
  }

  /// A card among the pictures is the light of its group, and scenes differ from it by less than
  /// their interval.
  @Test func cards() throws {
    var inside = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      let series = Self.series(seed, .motifs)
      var pictures = Self.pictures(series, .motifs)
      pictures[0].neutral = series.pictures[0].white
      let groups = LightGroups(pictures, colors: series.isRaw ? .sensor : .sRGB)
      let first = try #require(groups.groups.first)
      #expect(first.neutral == series.pictures[0].white)
      let difference = try #require(groups.difference(first, first))
      #expect(difference.isFromCard)
      if difference.interval.lowerBound == 0 { inside += 1 }
    }
    #expect(inside >= 36, "\(inside) of 40")
  }

  /// A frame, and the strips of its file, tell the light alike, and as its pixels do.
  @Test(arguments: [(240, 160), (320, 400)])
  func framesAndStrips(width: Int, height: Int) throws {
    let layout = try FrameLayout(
      width: width, height: height, format: .bayer(.rggb, bits: 12), blackLevel: 256)
    let sensor = try #require(MeasuredSensor(named: "canon-eos-5d"))
    let lamp = try #require(MeasuredLamp(named: "D65"))
    var setup = SimulatedScene.Setup(sensor: sensor, lamp: lamp, seed: 3, size: (width, height))
    setup.format = layout.format
    var bytes: [UInt8] = []
    SimulatedScene(setup).render(
      frame: 0, gains: Gains(red: 1, green: 1, blue: 1), exposure: 1, into: &bytes)
    let whole = try #require(try SceneLight(bytes.span, layout: layout))
    let strips = try SceneLight(layout: layout) { rows in
      Array(bytes[rows.lowerBound * layout.bytesPerRow..<rows.upperBound * layout.bytesPerRow])
    }
    #expect(strips == whole)
    let miss = SIMD2(whole.red, whole.blue) - sensor.response(to: lamp.spectrum).logRatios
    #expect((miss * miss).sum().squareRoot() < 3 * whole.standardError, "\(miss)")
    let small = try layout.withRows(16)
    #expect(try SceneLight(bytes.span, layout: small) == nil)
  }

  /// The stated errors are those of scenes, on the whole.
  @Test func errorsOfScenes() throws {
    var squares: [Double] = []
    for seed in 1...150 as ClosedRange<UInt64> {
      let series = Self.series(seed, .motifs)
      guard series.isRaw else { continue }
      for picture in series.pictures {
        let scene = try #require(SceneLight(colors: picture.colors))
        let miss = SIMD2(scene.red, scene.blue) - picture.white.logRatios
        squares.append((miss * miss).sum() / (2 * scene.standardError * scene.standardError))
      }
    }
    let within = squares.filter { $0 < 2 }.count
    #expect(squares.count > 1000)
    let mean = squares.reduce(0, +) / Double(squares.count)
    #expect(mean > 0.4 && mean < 1, "\(mean)")
    #expect(100 * within > 85 * squares.count, "\(within) of \(squares.count)")
  }
}
