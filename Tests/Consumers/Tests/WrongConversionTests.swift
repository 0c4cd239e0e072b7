import ColorScience
import Testing
import WhiteBalanceTestSupport

/// Tests a conversion whose tint has the opposite sign in both directions, so that its round trip
/// is correct. This test must fail.
@Test func theConversionKeepsTheLaws() {
  let wrong = TemperatureTintConversion(
    reading: { xy in
      TemperatureAndTint(xy).map { TemperatureAndTint(temperature: $0.temperature, tint: -$0.tint) }
    },
    chromaticity: { Chromaticity(TemperatureAndTint(temperature: $0.temperature, tint: -$0.tint)) })
  expect(wrong, keeps: Law.all)
}
