import ColorScience
import Testing

@testable import CameraProfiles

/// The number of observations that laws of different forms need, and how well they are known then.
struct ExposureSweepTests {
  private let control = ControlDescription(
    id: .exposureTime, minimum: 1, maximum: 5000, defaultValue: 160)
  private let reference = 160

  /// Observes values whose light, relative to that at the reference, is neither clipped nor dark.
  private func swept(
    _ light: (_ value: Int) -> Double
  ) -> (law: ControlLaw?, looks: Int, seen: ClosedRange<Int>) {
    let level = 0.2
    var sweep = ExposureSweep(of: control, reference: reference, level: level)
    var (looks, seen) = (0, reference...reference)
    while let batch = sweep.next() {
      for value in batch.values where sweep.isWanted(value) {
        looks += 1
        let relative = light(value) / light(reference)
        let isVisible = relative * level < 1 && relative * level > 0.002
        if isVisible { seen = min(value, seen.lowerBound)...max(value, seen.upperBound) }
        sweep.add(value, light: isVisible ? relative : nil)
      }
    }
    return (sweep.law, looks, seen)
  }

  private func error(
    _ law: ControlLaw, _ seen: ClosedRange<Int>, _ light: (Int) -> Double
  ) -> Double {
    seen.map { abs(logarithm(law.gain(at: $0) * light(reference) / light($0))) }.max() ?? 0
  }

  @Test func aProportionNeedsFewValues() throws {
    let (law, looks, seen) = swept { Double($0) }
    #expect(looks <= 8)
    #expect(error(try #require(law), seen) { Double($0) } < 0.001)
  }

  /// Between the values that show a curve, stairs would stay hidden.
  @Test func stairsAreTraced() throws {
    func light(_ value: Int) -> Double {
      power(1.15, (logarithm(Double(value)) / logarithm(1.15)).rounded(.down))
    }
    let (_, looks, _) = swept(light)
    #expect(looks > 40)
  }
}
