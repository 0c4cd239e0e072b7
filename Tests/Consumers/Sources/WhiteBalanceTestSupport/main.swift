import ColorScience
import WhiteBalanceTestSupport

// A conversion with a mistake, and one without.
let magenta = TemperatureTintConversion(
  reading: { xy in TemperatureAndTint(xy).map { .init(temperature: $0.temperature, tint: -$0.tint) }
  },
  chromaticity: { Chromaticity(TemperatureAndTint(temperature: $0.temperature, tint: -$0.tint)) })
let law = Law<TemperatureTintConversion>.signOfTint
precondition(law.violation(by: magenta)?.hasPrefix("broken law “sign of tint”: ") == true)
precondition(law.violation(by: .exact) == nil)
