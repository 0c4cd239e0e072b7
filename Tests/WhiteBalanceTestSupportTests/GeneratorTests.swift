import ColorScience
import Testing
import WhiteBalance

@testable import WhiteBalanceTestSupport

struct GeneratorTests {
  @Test func decimalForms() {
    let known: [(Double, Int, Int)] = [
      (0, 1, -1 + 1), (5000, 1, 3), (1234.5, 5, -1), (-0.07, 1, -2), (1e22, 1, 22),
      (1.5e-9, 2, -10),
    ]
    for (value, digits, position) in known {
      let form = DecimalForm(value)
      #expect(form.digits == digits && (value == 0 || form.lastPosition == position), "\(value)")
    }
  }

  /// If a property fails from some number on, the simplest number has the fewest digits and then is
  /// the nearest to the simplest number of all.
  @Test(arguments: [
    (1600.0, 2000.0), (0.25, 1), (4999.5, 5000), (-1, 1e-9), (12_345.678, 20_000),
  ])
  func theSimplestNumber(from limit: Double, simplest: Double) throws {
    let numbers = Generator<Double>.number(in: -1e6...1e6, simplest: 0)
    let found = try #require(
      numbers.counterexample { $0 > limit || $0 == limit && limit > 0 ? "above" : nil })
    #expect(limit < 0 ? found.value == 0 : found.value == simplest, "\(found)")
  }

  @Test func theSimplestPairAndFiltered() throws {
    let pairs = zip(
      Generator<Int>.integer(in: 0...1000, simplest: 0), .integer(in: 0...1000, simplest: 0))
    let found = try #require(pairs.counterexample { $0 + $1 >= 100 && $1 >= 7 ? "large" : nil })
    #expect(found.value.0 + found.value.1 == 100 && found.value.1 >= 7, "\(found)")
    let odd = Generator<Int>.integer(in: 0...1000, simplest: 0).filter { !$0.isMultiple(of: 2) }
    #expect(try #require(odd.counterexample { $0 > 10 ? "large" : nil }).value % 2 == 1)
  }

  @Test func theSameSeedGivesTheSame() {
    func values(_ seed: UInt64) -> [String] {
      var random = SeededRandom(seed: seed)
      return (0..<20).map { _ in "\(Generator<Chromaticity>.chromaticities.draw(&random).value)" }
    }
    #expect(values(5) == values(5))
    #expect(values(5) != values(6))
  }

  @Test func aCounterexampleSaysHowToSeeItAgain() throws {
    let numbers = Generator<Double>.number(in: 0...1, simplest: 0).filter { $0 != 1 }
    let check: (Double) -> String? = { $0 > 0.9 ? "too large" : nil }
    let found = try #require(numbers.counterexample { check($0) })
    let trials = try #require(found.trials)
    let again = try #require(numbers.counterexample(trials) { check($0) })
    #expect(again.path == found.path)
    #expect("\(found)".contains("trials: Trials(count: 1, seed: "))
    #expect("\(found)".contains("too large"))
  }

  @Test func edgeCasesAreAlwaysTried() {
    var seen: [Gains] = []
    _ = Generator<Gains>.gains.counterexample(Trials(count: 0)) {
      seen.append($0)
      return nil
    }
    #expect(seen.contains { $0.red.isNaN } && seen.contains { $0.blue == 0 })
    #expect(seen.contains { $0.green == 4 } && seen.contains { $0.green == 1e12 })
  }

  @Test func aFailureIsOneIssueThatNamesTheCounterexample() {
    withKnownIssue {
      forAll(.temperatures()) { $0 > 2000 }
    } matching: {
      "\($0)".contains("counterexample: 2000.0") && "\($0)".contains("edge case")
    }
    withKnownIssue {
      expect(PlantedBugs.swapped, keeps: Law.all)
    } matching: {
      "\($0)".contains("warm light needs blue")
    }
  }

  /// Cameras of the prior scatter around the fitted average.
  @Test func camerasScatter() {
    var red: [Double] = []
    let light = StandardIlluminant.d65.chromaticity
    _ = Generator<MatrixCameraModel>.cameras.counterexample(Trials(count: 500)) {
      red.append(logarithm($0.gains(for: light)!.relativeToGreen.red))
      return nil
    }
    let mean = red.reduce(0, +) / Double(red.count)
    let variance = red.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(red.count - 1)
    #expect(abs(variance.squareRoot() - 0.3) < 0.03)
  }
}
