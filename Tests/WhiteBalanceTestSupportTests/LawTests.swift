import ColorScience
import Testing
import WhiteBalance

@testable import WhiteBalanceTestSupport

struct LawTests {
  typealias ConversionLaw = Law<TemperatureTintConversion>

  /// `make soak` sets ten million trials.
  @Test func thisPackageKeepsAll() {
    expect(.exact, keeps: ConversionLaw.all)
    expect(GainConversion(PlantedBugs.camera), keeps: Law<GainConversion>.all)
  }

  @Test func camerasKeepTheLawsOfGains() {
    forAll(.cameras, trials: Trials(count: 50)) { camera in
      Law<GainConversion>.all.allSatisfy {
        $0.violation(by: GainConversion(camera), Trials(count: 100)) == nil
      }
    }
  }

  /// A method whose error is within its claim is accepted.
  @Test func aMethodWithinItsClaim() {
    expect(
      PlantedBugs.robertson, keeps: ConversionLaw.all, trials: Trials(count: 5000))
  }

  private var mcCamy: TemperatureTintConversion {
    TemperatureTintConversion(
      mired: 160...350, tints: 0...0, tolerance: (mired: 1, tint: 1),
      reading: { TemperatureAndTint(temperature: mcCamyKelvin($0), tint: 0) },
      chromaticity: { Chromaticity($0) })
  }

  /// A conversion without tint keeps all laws within its claim, and its measured worst error can be
  /// claimed.
  @Test func aMethodWithoutTint() throws {
    var method = mcCamy
    expect(method, keeps: ConversionLaw.all)
    let worst = method.worstErrors(Trials(count: 5000))
    #expect(worst.mired > 0.1 && worst.mired < 1 && worst.tint < 1e-9)
    method.tolerance.mired = worst.mired / 2
    let law = ConversionLaw.agreesWithTheDefinition
    let violation = try #require(law.violation(by: method, Trials(count: 5000)))
    #expect(violation.contains("instead of TemperatureAndTint(temperature: "))
    #expect(violation.contains("the claim allows at most \(worst.mired / 2)"))
    method.tolerance.mired = worst.mired * 1.01
    #expect(law.violation(by: method, Trials(count: 5000)) == nil)
  }

  /// A conversion that clamps its temperature is still detected.
  @Test func aMethodWithoutTintThatClamps() {
    var method = mcCamy
    let reading = method.reading
    method.reading = { xy in
      reading(xy).map { TemperatureAndTint(temperature: max($0.temperature, 4000), tint: 0) }
    }
    #expect(ConversionLaw.noClamping.violation(by: method) != nil)
  }

  private func mcCamyKelvin(_ xy: Chromaticity) -> Double {
    let n = (xy.x - 0.3320) / (0.1858 - xy.y)
    return 449 * n * n * n + 3525 * n * n + 6823.3 * n + 5520.33
  }

  /// Tests the laws that find each bug, and the simplest counterexample.
  @Test(arguments: [
    (
      PlantedBugs.misprint, ConversionLaw.agreesWithTheDefinition,
      "TemperatureAndTint(temperature: 3000.0, tint: 0.0)"
    ),
    (
      PlantedBugs.flippedSign, ConversionLaw.signOfTint,
      "TemperatureAndTint(temperature: 1000.0, tint: 1.0)"
    ),
    (PlantedBugs.clamped, ConversionLaw.noClamping, "Chromaticity(x: 0.3, y: 0.2)"),
    (PlantedBugs.jump, ConversionLaw.noJumps, "4000.0"),
  ])
  func aPlantedBug(
    conversion: TemperatureTintConversion, law: ConversionLaw, simplest: String
  ) throws {
    let calls = Calls()
    let text = try #require(law.violation(by: calls.counted(conversion)))
    #expect(text.hasPrefix("broken law “\(law)”: "))
    #expect(text.contains("counterexample: \(simplest)"), "\(text)")
    #expect(calls.count < 250)
  }

  @Test(arguments: [
    (PlantedBugs.swapped, Law<GainConversion>.warmLightNeedsBlue, "[5000.0, "),
    (
      PlantedBugs.clampedGains, Law<GainConversion>.gainsLeadBack,
      "TemperatureAndTint(temperature: "
    ),
  ])
  func aPlantedBugOfGains(
    conversion: GainConversion, law: Law<GainConversion>, simplest: String
  ) throws {
    let calls = Calls()
    let text = try #require(law.violation(by: calls.counted(conversion)))
    #expect(text.contains("counterexample: \(simplest)"), "\(text)")
    #expect(calls.count < 50)
  }

  /// NaN is within no tolerance.
  @Test func whatIsNoNumber() {
    var lost = GainConversion(PlantedBugs.camera)
    lost.chromaticity = { _ in Chromaticity(x: .nan, y: .nan) }
    #expect(Law.noClampedGains.violation(by: lost) != nil)
    var negative = GainConversion(PlantedBugs.camera)
    negative.gains = { $0.x < 0.2 ? Gains(red: -1, blue: 2) : nil }
    #expect(Law.noClampedGains.violation(by: negative) != nil)
    // A NaN result for a NaN input counts as no answer.
    var honest = GainConversion(PlantedBugs.camera)
    let gains = honest.gains
    honest.gains = { $0.isFinite ? gains($0) : Gains(red: .nan, blue: .nan) }
    expect(honest, keeps: Law<GainConversion>.all)
  }

  /// A curve, which has no tint and no lights beyond its ends, keeps its claims.
  @Test func aCurveWithinItsClaim() throws {
    let curve = try CurveCameraModel(points: [
      .init(kelvin: 2800, red: 0.9, blue: 0.4), .init(kelvin: 4600, red: 0.6, blue: 0.67),
      .init(kelvin: 7500, red: 0.45, blue: 0.8),
    ])
    expect(
      GainConversion(curve, mired: 1e6 / 7499...1e6 / 2801, tints: 0...0, tolerance: 1e-6),
      keeps: Law<GainConversion>.all)
  }

  /// A conversion whose errors reach its claim in both directions and add up is accepted.
  @Test func errorsThatAdd() {
    var lazy = TemperatureTintConversion.exact
    lazy.tolerance.tint = 0.4
    lazy.chromaticity = {
      Chromaticity(
        TemperatureAndTint(temperature: $0.temperature, tint: $0.tint + ($0.tint > 0 ? 0.3 : -0.3)))
    }
    lazy.reading = {
      TemperatureAndTint($0).map {
        TemperatureAndTint(temperature: $0.temperature, tint: $0.tint + ($0.tint > 0 ? 0.3 : -0.3))
      }
    }
    expect(
      lazy, keeps: [.agreesWithTheDefinition, .inversePair, .tintAcrossTheLocus, .signOfTint],
      trials: Trials(count: 2000))
  }
}
