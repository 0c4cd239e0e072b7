import ColorScience
import Testing

struct EvoluteTests {
  /// A point of the wedge and both its answers, as published with the definition of the tangents.
  @Test func bothAnswersInTheWedge() throws {
    let xy = Chromaticity(x: 0.3, y: 0.12)
    let locus = PlanckianLocus()
    let all = locus.correlatedColorTemperatures(of: xy)
    try #require(all.count == 2)
    #expect(abs(all[0].mired - -181.6) <= 0.06 && abs(all[0].duv - -0.1467) <= 6e-5)
    #expect(abs(all[1].mired - 435.5) <= 0.06 && abs(all[1].duv - -0.1713) <= 6e-5)
    #expect(locus.correlatedColorTemperature(of: xy) == all[0])
    for one in all {
      #expect(!locus.isUnique(one))
      let back = Chromaticity(one)
      #expect(abs(back.x - xy.x) <= 1e-14 && abs(back.y - xy.y) <= 1e-14)
    }
  }

  /// Temperature jumps where the nearer answer changes, and `isUnique(_:)` is false on both sides.
  @Test func theJump() throws {
    let locus = PlanckianLocus(constant: .codata2018)
    let found = try stride(from: 0.22, through: 0.57, by: 0.0005).map {
      try #require(locus.correlatedColorTemperature(of: Chromaticity(x: $0, y: 0)))
    }
    let jumps = zip(found, found.dropFirst()).filter { abs($0.mired - $1.mired) > 100 }
    try #require(jumps.count == 1)
    for side in [jumps[0].0, jumps[0].1] { #expect(!locus.isUnique(side)) }
  }

  @Test(arguments: [(0.3127, 0.3290), (0.25, 0.20), (0.7, 0.1), (0.15, 0.06), (0.0366, 0.0001)])
  func oneAnswerElsewhere(x: Double, y: Double) throws {
    let xy = Chromaticity(x: x, y: y)
    let all = PlanckianLocus().correlatedColorTemperatures(of: xy)
    try #require(all.count == 1)
    #expect(PlanckianLocus().isUnique(all[0]))
    let one = try #require(CorrelatedColorTemperature(xy))
    #expect(abs(all[0].mired - one.mired) <= 1e-10 && abs(all[0].duv - one.duv) <= 1e-15)
  }

  @Test func noneWhereThereIsNoAnswer() {
    for xy in [Chromaticity(x: 1.5, y: 0), Chromaticity(x: .nan, y: 0)] {
      #expect(PlanckianLocus().correlatedColorTemperatures(of: xy).isEmpty)
    }
  }
}
