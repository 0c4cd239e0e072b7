import ColorScience
import Testing
import WhiteBalance

@testable import CalibrationTargets

struct CardCandidateTests {
  /// A frame of 40 × 40 cells, all of one gray.
  private static func grid() throws -> CellGrid {
    let layout = try FrameLayout(width: 80, height: 80, format: .rgb8)
    return try CellGrid([UInt8](repeating: 100, count: layout.byteCount).span, layout: layout)
  }

  /// A surface of these cells.
  private static func candidate(_ isCovered: (Int, Int) -> Bool) throws -> CardCandidate {
    let mask = CellMask(
      columns: 40, rows: 40, cells: (0..<1600).map { isCovered($0 % 40, $0 / 40) })
    return CardCandidate(
      mask, grid: try grid(), neutrals: PlausibleNeutrals(isBalanced: true), bright: 0)
  }

  /// What is gray and bright has all of the quality that its outline leaves; a quarter of the frame
  /// scores a quarter of that.
  @Test func scores() throws {
    let card = try Self.candidate { x, y in 10..<30 ~= x && 10..<30 ~= y }
    #expect(abs(card.quality - 1) < 0.01)
    #expect(abs(card.score / card.quality - 0.25) < 1e-12)
  }

  /// A rectangle has all of a card's outline; one that lacks a corner has as much less as it covers
  /// less, down to none at 65 % of the rectangle around it.
  @Test func missingCorners() throws {
    func lacking(_ columns: Int, of rows: Int) throws -> Double {
      try Self.candidate { x, y in
        10..<30 ~= x && 10..<30 ~= y && !(x < 10 + columns && y < 10 + rows)
      }.outline
    }
    #expect(abs(try lacking(0, of: 0) - 1) < 1e-12)
    // Of 400 cells 40, 100 and 140; the whole rectangle is still the smallest around the others.
    #expect(abs(try lacking(4, of: 10) - (0.9 - 0.65) / 0.35) < 1e-12)
    #expect(abs(try lacking(10, of: 10) - (0.75 - 0.65) / 0.35) < 1e-12)
    #expect(abs(try lacking(10, of: 14)) < 1e-12)
    #expect(try lacking(10, of: 16) == 0)
  }
}
