#if GenICam
import CameraProfiles
import Testing

@testable import GenICam

struct NodeScaleTests {
  @Test func numbersWithoutIncrementsHaveFineSteps() {
    let scale = NodeScale(lowest: 0.5, increment: nil, fine: 1e-4)
    #expect(scale.range(0.5, 4) == (5000, 40000))
    #expect(scale.value(1.4545) == 14545)
    #expect(abs(scale.number(14545) - 1.4545) < 1e-12)
  }

  @Test func incrementsThatAreMultiplesOfTheUnitAreSteps() {
    let scale = NodeScale(lowest: 20, increment: 10, fine: 1)
    #expect(scale.step == 10)
    #expect(scale.range(20, 1_000_000) == (20, 1_000_000))
    #expect(scale.range(20, 999) == (20, 990))
    #expect(scale.range(25, 999) == (30, 990))
  }

  @Test func otherIncrementsAreUnits() {
    let scale = NodeScale(lowest: 0.5, increment: 0.0078125, fine: 1e-4)
    #expect(scale.step == 1)
    #expect(scale.range(0.5, 4) == (64, 512))
    #expect(scale.number(128) == 1)
  }

  @Test func boundsOfSinglePrecisionStayInside() {
    let scale = NodeScale(lowest: 0.1, increment: nil, fine: 1e-4)
    #expect(scale.range(Double(Float(0.1)), Double(Float(3.9999))) == (1000, 39999))
  }

  @Test func increaseOfAFinerIncrementIsLeftToTheCamera() {
    let scale = NodeScale(lowest: 0, increment: 1e-6, fine: 1e-4)
    #expect(scale.step == 1)
    #expect(scale.unit == 1e-4)
  }

  @Test func hugeBoundsFitIn32Bits() {
    let (low, high) = NodeScale(lowest: -1e300, increment: nil, fine: 1).range(-1e300, 1e300)
    #expect(low >= Int(Int32.min) && high <= Int(UInt32.max))
  }

  @Test func aDefaultIsOnAStep() {
    let control = NodeControl(
      id: .redBalance, node: "BalanceRatio", selection: nil,
      values: .numbers(.float, NodeScale(lowest: 0.5, increment: 3e-4, fine: 1e-4), usual: 1),
      governor: nil, enabler: nil)
    let description = control.description(0.5, 4)
    #expect(description.step == 3 && description.defaultValue == 9998)
    #expect(description.isValid(description.defaultValue))
  }
}
#endif
