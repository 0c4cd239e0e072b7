import ColorScience
import WhiteBalanceTestSupport

for law in Law<TemperatureTintConversion>.all {
  precondition(law.violation(by: .exact) == nil)
}
