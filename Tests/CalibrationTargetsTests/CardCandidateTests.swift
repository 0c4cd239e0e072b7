import ColorScience
import Testing
import WhiteBalance

@testable import CalibrationTargets

struct CardCandidateTests {
  /// A frame of 40 × 40 cells of a single gray.
  private static func grid() throws -> CellGrid {
    let layout = try FrameLayout(width: 80, height: 80, format: .rgb8)
    return try CellGrid([UInt8](repeating: 100, count: layout.byteCount).span, layout: layout)
  }

  /// A surface of the cells for which `isCovered` is `true`.
  private static func candidate(_ isCovered: (Int, Int) -> Bool) throws -> CardCandidate {
    let mask = CellMask(
      columns: 40, rows: 40, cells: (0..<1600).map { isCovered($0 % 40, $0 / 40) })
    return CardCandidate(
      mask, grid: try grid(), neutrals: PlausibleNeutrals(isBalanced: true), bright: 0)
  }

  /// The quality of a gray and bright surface is that of its outline; the score of a quarter of the
  /// frame is a quarter of that.
  @Test func scores() throws {
    let card = try Self.candidate { x, y in 10..<30 ~= x && 10..<30 ~= y }
    #expect(abs(card.quality - 1) < 0.01)
    #expect(abs(card.score / card.quality - 0.25) < 1e-12)
  }

  /// A rectangle has an outline of 1. Without a corner the outline falls in proportion to the
  /// missing area, down to 0 at 65 % of the rectangle around the surface.
  @Test func missingCorners() throws {
    func lacking(_ columns: Int, of rows: Int) throws -> Double {
      try Self.candidate { x, y in
        10..<30 ~= x && 10..<30 ~= y && !(x < 10 + columns && y < 10 + rows)
      }.outline
    }
    #expect(abs(try lacking(0, of: 0) - 1) < 1e-12)
    // 40, 100 and 140 of 400 cells are missing; the whole rectangle is still the smallest around
    // the others.
    #expect(abs(try lacking(4, of: 10) - (0.9 - 0.65) / 0.35) < 1e-12)
    #expect(abs(try lacking(10, of: 10) - (0.75 - 0.65) / 0.35) < 1e-12)
    #expect(abs(try lacking(10, of: 14)) < 1e-12)
    #expect(try lacking(10, of: 16) == 0)
  }

  /// A surface that covers 40 % of the 156 cells of the border has no outline.
  @Test func cellsOnTheRim() throws {
    // Along the upper edge a surface of 32 columns has 32 cells of the border; one of the whole
    // width has 40, and two for each further row.
    let some = try Self.candidate { x, y in 4..<36 ~= x && y < 30 }
    #expect(abs(some.outline - (1 - 32.0 / 156 / 0.4)) < 1e-12)
    let more = try Self.candidate { _, y in y < 12 }
    #expect(abs(more.outline - (1 - (40.0 + 22) / 156 / 0.4)) < 1e-12)
    #expect(try Self.candidate { _, y in y < 13 }.outline == 0)
  }

  /// Less than 8 % of the bright level of the frame reduces the quality.
  @Test func darkSurfaces() throws {
    let grid = try Self.grid()
    let green = grid.cells[0].logLinear.y
    let mask = CellMask(
      columns: 40, rows: 40, cells: (0..<1600).map { 10..<30 ~= $0 % 40 && 10..<30 ~= $0 / 40 })
    func quality(_ share: Double) -> Double {
      CardCandidate(
        mask, grid: grid, neutrals: PlausibleNeutrals(isBalanced: true),
        bright: green - logarithm(share)
      ).quality
    }
    let full = quality(1)
    #expect(abs(quality(0.081) - full) < 1e-12)
    #expect(abs(quality(0.04) / full - 0.5) < 1e-12)
  }

  @Test func overlaps() throws {
    let card = try Self.candidate { x, y in 10..<30 ~= x && 5..<15 ~= y }
    for (x, y, isCovered) in [
      (10, 5, true), (9, 5, false), (29, 14, true), (30, 14, false), (10, 4, false),
      (10, 15, false),
    ] {
      for (width, height) in [(0, 0), (1, 1), (4, 2), (5, 7)] {
        let rectangle = PixelRectangle(
          x: x - width / 2, y: y - height / 2, width: width, height: height)
        #expect(card.overlaps(rectangle) == isCovered)
      }
    }
  }
}
