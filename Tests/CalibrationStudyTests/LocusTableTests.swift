import Foundation
import Testing

@testable import ColorScience
@testable import wbcal_calibration_study

struct LocusTableTests {
  @Test func everyBitOfTheTable() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Reference/CIE_xyz_1931_2deg.csv")
    let table = LocusTable(observer: try String(contentsOf: url, encoding: .utf8))
    #expect(
      table.coefficients.map(\.bitPattern) == PlanckianLocusTable.coefficients, "run make locus")
    #expect(table.nodes.map(\.bitPattern) == PlanckianLocusTable.nodes, "run make locus")
  }

  /// 1/3, e and √2 to 32 digits, split into two doubles by other means.
  @Test func twiceThePrecision() {
    let third = DoubleDouble(1) / DoubleDouble(3)
    #expect(third.high == 1.0 / 3 && abs(third.low - 1.850371707708594e-17) < 1e-32)
    let e = DoubleDouble.exp(DoubleDouble(1))
    #expect(e.high == 2.718281828459045 && abs(e.low - 1.4456468917292502e-16) < 1e-29)
    let root = DoubleDouble(2).squareRoot
    #expect(root.high == 2.0.squareRoot() && abs(root.low + 9.667293313452913e-17) < 1e-31)
    let product = DoubleDouble.exp(DoubleDouble(15)) * DoubleDouble.exp(DoubleDouble(25))
    let ratio = DoubleDouble.exp(DoubleDouble(40)) / product
    #expect(abs((ratio - DoubleDouble(1)).double) < 1e-27)
  }
}
