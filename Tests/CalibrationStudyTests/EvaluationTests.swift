import ColorScience
import SimulatedScenes
import Testing
import WhiteBalance

@testable import wbcal_calibration_study

/// What `make evaluate` prints, held to its bounds: each public camera left out of its prior.
struct EvaluationTests {
  private static func check(
    _ found: [Prediction], _ median: Double, _ high: Double,
    where contains: (MeasuredLamp) -> Bool = { _ in true }
  ) {
    let percent = found.filter { contains($0.lamp) }.map(\.percent)
    #expect(!percent.isEmpty)
    #expect(percentile(percent, 0.5) <= median)
    #expect(percentile(percent, 0.95) <= high)
  }

  @Test func fourShots() throws {
    #expect(publicLamps.count == 108)
    let shots = ["A", "D65", "FL2", "FL11"]
    let known = try predictions(shots: shots, classKnown: true)
    #expect(known.count == 28 * 104)
    Self.check(known, 2.1, 12.8)
    Self.check(known, 0.3, 1.2, where: isThermalOrDaylight)
    Self.check(known, 1.4, 3.5) { $0.name.hasPrefix("LED-B") }
    Self.check(known, 1.8, 6.3) { $0.technology == .fluorescent }
    let unknown = try predictions(shots: shots, classKnown: false)
    Self.check(unknown, 3.4, 12.1)
    #expect(unknown.allSatisfy { $0.percent <= 25 })
  }

  @Test func fewerShots() throws {
    Self.check(
      try predictions(shots: ["A", "D65"], classKnown: true), 0.3, 1.1,
      where: isThermalOrDaylight)
    Self.check(try predictions(shots: ["D65"], classKnown: true), 3.9, 15.1)
    Self.check(try predictions(shots: ["LED-B1", "LED-B5"], classKnown: true), 1.3, 3.3) {
      $0.name.hasPrefix("LED-B")
    }
  }

  /// Noise of 0.5 %, and 0.0015 in the x and y that lights are given by, cost little.
  @Test func shotsWithErrors() throws {
    func median(_ errors: ShotErrors, seeds: Int) throws -> Double {
      let found = try predictions(
        shots: ["A", "D65", "FL2", "FL11"], classKnown: true, errors: errors, seeds: seeds)
      return percentile(found.map(\.percent), 0.5)
    }
    let base = try median(ShotErrors(isInLabel: true), seeds: 1)
    let errors = ShotErrors(noise: 0.005, chromaticity: 0.0015, isInLabel: true)
    #expect(try median(errors, seeds: 6) - base <= 0.3)
  }

  /// Cameras that the prior does not know are believed under lamps rightly named, and wrong names
  /// seen.
  @Test(arguments: [true, false])
  func shotsThatContradict(isNamed: Bool) throws {
    for count in [2, 5] {
      let found = try agreement(shots: count, sets: 3, isNamed: isNamed)
      #expect(found.honest.allSatisfy { $0 <= Calibration.limit })
      #expect(Agreement.share(of: found.honest, above: Calibration.doubt) <= 0.03)
      let seen = Agreement.share(of: found.wrong, above: Calibration.doubt)
      #expect(seen >= (isNamed ? 0.85 : 0.6) - (count == 2 ? 0.2 : 0))
    }
  }

  /// Stated intervals of 95 % hold between 90 and 98 % of the time, for every class and number of
  /// shots.
  @Test(arguments: evaluatedShots.map(\.names))
  func intervals(shots: [String]) throws {
    let known = try predictions(shots: shots, classKnown: true, errors: .expected)
    for lightClass in LightClass.allCases {
      let share = coverage(known.filter { $0.lightClass == lightClass })
      #expect((0.9...0.98).contains(share), "\(lightClass)")
    }
    let unknown = try predictions(shots: shots, classKnown: false, errors: .expected)
    #expect((0.9...0.98).contains(coverage(unknown)))
  }

  @Test func thereAndBack() throws {
    let found = try roundTrips(lights: 200)
    for trips in [found.classified, found.interpolated] {
      #expect(trips.unique > 28 * 150)
      #expect(trips.ambiguous == 0 && trips.lost == 0)
      #expect(trips.worst <= 1e-12 && trips.worstGain <= 1e-12)
    }
  }

  /// The generated source files hold the data's figures.
  @Test func theStoredPriorIsThatOfTheData() {
    let stored = CameraPrior.publicCameras.channels
    #expect(stored.count == publicChannels.count, "run make prior")
    for (camera, expected) in zip(stored, publicChannels) {
      for (channel, values) in zip(camera, expected) {
        #expect(zip(channel, values).allSatisfy { abs($0 - $1) <= 0.51e-7 }, "run make prior")
      }
    }
    let lamps = ReferenceLamps.notCIE
    #expect(lamps.count == publicReferenceLamps.count, "run make prior")
    for (lamp, (name, expected)) in zip(lamps, publicReferenceLamps) {
      let peak = expected.power.max()!
      #expect(lamp.technology == expected.technology, "\(name)")
      #expect(abs(lamp.chromaticity.x - expected.chromaticity.x) <= 1e-9, "\(name)")
      #expect(abs(lamp.chromaticity.y - expected.chromaticity.y) <= 1e-9, "\(name)")
      #expect(
        zip(lamp.power, expected.power).allSatisfy { abs($0 - $1 / peak) <= 0.51e-6 }, "\(name)")
    }
  }

  @Test func percentiles() {
    #expect(percentile([3, 1, 2], 0.5) == 2)
    #expect(percentile([0, 10], 0.95) == 9.5)
    #expect(percentile([], 0.5).isNaN)
  }
}
