import Testing
import WhiteBalanceTestSupport

@testable import ColorScience

struct BatchTests {
  /// Seeded points: near the locus, everywhere, far away, and without an answer.
  private static func points(_ count: Int, seed: UInt64) -> (x: [Double], y: [Double]) {
    var random = SeededRandom(seed: seed)
    var (x, y): ([Double], [Double]) = ([], [])
    for index in 0..<count {
      switch index % 4 {
      case 0, 1:
        let xy = Chromaticity(
          CorrelatedColorTemperature(
            mired: -500 + 4500 * random.uniform(), duv: 0.2 * random.uniform() - 0.09))
        x.append(xy.x)
        y.append(xy.y)
      case 2:
        x.append(random.uniform())
        y.append(random.uniform())
      default:
        x.append([.nan, .infinity, 1.5, 0.3, 1e6, -0.2][index / 4 % 6])
        y.append([0.3, 0, 0.12, 1e9][index / 24 % 4])
      }
    }
    return (x, y)
  }

  @Test func inverseIsTheScalarOne() {
    for count in [0, 1, 63, 64, 65, 5000] {
      let (x, y) = Self.points(count, seed: 3)
      var mired = [Double](repeating: 7, count: count)
      var duv = mired
      var a = mired.mutableSpan
      var b = duv.mutableSpan
      PlanckianLocus(constant: .codata2018).correlatedColorTemperatures(
        x: x.span, y: y.span, mired: &a, duv: &b)
      for index in 0..<count {
        let one = PlanckianLocus(constant: .codata2018).correlatedColorTemperature(
          of: Chromaticity(x: x[index], y: y[index]))
        #expect(mired[index].isNaN == (one == nil) && duv[index].isNaN == (one == nil))
        if let one { #expect(mired[index] == one.mired && duv[index] == one.duv) }
      }
    }
  }

  /// Conversions to temperature and tint, and of types other than `Double`, give the single
  /// conversions, rounded.
  @Test(arguments: [0, 1, 255, 256, 257, 3000])
  func otherUnitsAndTypes(count: Int) {
    expectSingleConversions(of: Float.self, count: count)
    expectSingleConversions(of: Double.self, count: count)
  }

  private func expectSingleConversions<Scalar: BinaryFloatingPoint>(
    of type: Scalar.Type, count: Int
  ) {
    let locus = PlanckianLocus(constant: .codata2018)
    let points = Self.points(count, seed: 5)
    let (x, y) = (points.x.map { Scalar($0) }, points.y.map { Scalar($0) })
    let xy = zip(x, y).map { Chromaticity(x: Double($0), y: Double($1)) }
    let temperatures = xy.map { CorrelatedColorTemperature($0, on: locus) }
    let tints = xy.map { TemperatureAndTint($0, on: locus) }
    func expect(_ values: [Scalar], _ expected: [Double?]) {
      #expect(values.count == expected.count)
      for (value, expected) in zip(values, expected.map { Scalar($0 ?? .nan) }) {
        #expect(value == expected || (value.isNaN && expected.isNaN))
      }
    }
    func converted(
      _ body: (inout MutableSpan<Scalar>, inout MutableSpan<Scalar>) -> Void
    ) -> (first: [Scalar], second: [Scalar]) {
      var (first, second) = (x, y)
      do {
        var a = first.mutableSpan
        var b = second.mutableSpan
        body(&a, &b)
      }
      return (first, second)
    }

    let (mired, duv) = converted {
      locus.correlatedColorTemperatures(x: x.span, y: y.span, mired: &$0, duv: &$1)
    }
    expect(mired, temperatures.map(\.?.mired))
    expect(duv, temperatures.map(\.?.duv))
    let (kelvin, tint) = converted {
      locus.temperaturesAndTints(x: x.span, y: y.span, temperature: &$0, tint: &$1)
    }
    expect(kelvin, tints.map(\.?.temperature))
    expect(tint, tints.map(\.?.tint))

    let backFromMired = zip(mired, duv).map {
      Chromaticity(CorrelatedColorTemperature(mired: Double($0), duv: Double($1)), on: locus)
    }
    let one = converted {
      locus.chromaticities(mired: mired.span, duv: duv.span, x: &$0, y: &$1)
    }
    expect(one.first, backFromMired.map(\.x))
    expect(one.second, backFromMired.map(\.y))
    let backFromKelvin = zip(kelvin, tint).map {
      Chromaticity(TemperatureAndTint(temperature: Double($0), tint: Double($1)), on: locus)
    }
    let other = converted {
      locus.chromaticities(temperature: kelvin.span, tint: tint.span, x: &$0, y: &$1)
    }
    expect(other.first, backFromKelvin.map(\.x))
    expect(other.second, backFromKelvin.map(\.y))
  }

  @Test func unequalLengths() async {
    await #expect(processExitsWith: .failure) {
      let (x, y) = ([0.3, 0.4], [0.3])
      var mired = x
      var duv = x
      var a = mired.mutableSpan
      var b = duv.mutableSpan
      PlanckianLocus().correlatedColorTemperatures(x: x.span, y: y.span, mired: &a, duv: &b)
    }
    await #expect(processExitsWith: .failure) {
      let (x, y) = ([0.3, 0.4], [0.3])
      var temperature = x
      var tint = x
      var a = temperature.mutableSpan
      var b = tint.mutableSpan
      PlanckianLocus().temperaturesAndTints(x: x.span, y: y.span, temperature: &a, tint: &b)
    }
  }

  /// Most points must not need the slow path.
  @Test func theFastLaneIsTaken() {
    // The last points lie in the last piece.
    let count = 1024
    let mired = (0..<count).map { 1 + 1998 * Double($0) / Double(count) }
    let duv = mired.map { _ in 0.03 }
    var x = [Double](repeating: 0, count: count)
    var y = x
    var a = x.mutableSpan
    var b = y.mutableSpan
    PlanckianLocus().chromaticities(mired: mired.span, duv: duv.span, x: &a, y: &b)
    for index in 0..<count {
      let one = Chromaticity(CorrelatedColorTemperature(mired: mired[index], duv: duv[index]))
      #expect(x[index] == one.x && y[index] == one.y)
    }
    unsafe withUnsafeTemporaryAllocation(byteCount: InverseBlock.byteCount, alignment: 16) {
      scratch in
      let block = unsafe InverseBlock(scratch.baseAddress!)
      for start in stride(from: 0, to: count, by: 64) {
        for index in 0..<64 {
          let p = UCS1960(Chromaticity(x: x[start + index], y: y[start + index]))
          (block.u[index], block.v[index]) = (p.u, p.v)
        }
        block.solve(64)
        for index in 0..<64 {
          #expect(!block.duv[index].isNaN, "\(mired[start + index]) mired")
        }
      }
    }
  }
}
