import ColorScience
import Testing

@testable import WhiteBalance

struct ReferenceLampsTests {
  /// Thermal light is that of 1800…3500 K in steps of 100, daylight that of 4000…20 000 K in steps
  /// of 12.5 mired.
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
