import ColorScience
import Testing
import WhiteBalanceTestSupport

/// A conversion whose tint has the other sign, in both directions, so that its round trip is right.
/// This test is to fail.
@Test func theConversionKeepsTheLaws() {
  let wrong = TemperatureTintConversion(
    reading: { xy in
      TemperatureAndTint(xy).map { TemperatureAndTint(temperature: $0.temperature, tint: -$0.tint) }
    },
    chromaticity: { Chromaticity(TemperatureAndTint(temperature: $0.temperature, tint: -$0.tint)) })
  expect(wrong, keeps: Law.all)
}
