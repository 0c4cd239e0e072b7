import ColorScience
import Testing

@testable import WhiteBalance

struct ReferenceLampsTests {
  /// Lights are usable from 1800 to 20,000 K and up to 0.03 from the locus.
  @Test(arguments: [
    (1801.0, 0.0, true), (1799, 0, false), (19_990, 0, true), (20_010, 0, false),
    (5000, 0.0299, true), (5000, 0.0301, false), (5000, -0.0299, true), (5000, -0.0301, false),
  ])
  func usableLights(kelvin: Double, duv: Double, isUsable: Bool) {
    let light = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv))
    #expect(ReferenceLamps.isUsable(light) == isUsable)
  }

  @Test func lightsWithoutATemperature() {
    #expect(!ReferenceLamps.isUsable(Chromaticity(x: .nan, y: 0.3)))
  }

  /// The real lamps are all illuminants of CIE except E, which no lamp is, and those too far from
  /// the locus.
  @Test func realLamps() {
    let usable = StandardIlluminant.all.filter {
      $0.name != "E" && ReferenceLamps.isUsable(Chromaticity($0.spectrum.xyz))
    }
    #expect(ReferenceLamps.real.count == usable.count + ReferenceLamps.notCIE.count)
    #expect(ReferenceLamps.all.count == ReferenceLamps.real.count + 18 + 17)
  }

  /// Thermal light has 1800…3500 K in steps of 100 K; daylight has 4000…20,000 K in steps of 12.5
  /// mired.
  @Test func idealLamps() throws {
    let ideal = ReferenceLamps.all.dropFirst(ReferenceLamps.real.count)
    let mired = try ideal.map {
      (
        technology: $0.technology,
        value: try #require(CorrelatedColorTemperature($0.chromaticity)).mired
      )
    }
    let thermal = mired.filter { $0.technology == .thermal }.map(\.value)
    #expect(thermal.count == 18)
    for (step, value) in thermal.enumerated() {
      #expect(abs(1e6 / value - 1800 - 100 * Double(step)) < 1)
    }
    let daylight = mired.filter { $0.technology == .daylight }.map(\.value)
    #expect(daylight.count == 17)
    for (step, value) in daylight.enumerated() {
      #expect(abs(value - 50 - 12.5 * Double(step)) < 1)
    }
  }
}
