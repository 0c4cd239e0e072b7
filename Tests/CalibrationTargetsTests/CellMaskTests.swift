import Testing
import WhiteBalance

@testable import CalibrationTargets

struct CellMaskTests {
  /// Rows of a picture in which `#` is covered.
  private static func mask(_ rows: String...) -> CellMask {
    CellMask(
      columns: rows[0].count, rows: rows.count, cells: rows.joined().map { $0 == "#" })
  }

  /// Corners do not hang together.
  @Test func parts() {
    let mask = Self.mask(
      "##..#",
      "#...#",
      ".#..#",
      ".##..")
    #expect(mask.components().map(\.count).sorted() == [3, 3, 3])
    #expect(mask.count == 9)
    let apart = mask.components { a, b in abs(a - b) == 1 }
    #expect(apart.map(\.count).sorted() == [1, 1, 1, 1, 1, 2, 2])
    #expect(
      Self.mask("##.", "..#").largestComponent().cells == Self.mask("##.", "...").cells)
  }

  /// A hole has no cell on the rim.
  @Test func holes() {
    let mask = Self.mask(
      "######",
      "#.#..#",
      "###..#",
      "######",
      "##.###",
      "##.###")
    #expect(mask.fillingHoles(upTo: 0).cells == mask.cells)
    #expect(mask.fillingHoles(upTo: 1).count == mask.count + 1)
    #expect(mask.fillingHoles(upTo: 3).count == mask.count + 1)
    #expect(mask.fillingHoles(upTo: 4).count == mask.count + 5)
    for rim in [
      Self.mask("###", "#.#", "#.#"), Self.mask("#.#", "#.#", "###"),
      Self.mask("###", "..#", "###"), Self.mask("###", "#..", "###"),
    ] {
      #expect(rim.fillingHoles(upTo: 9).cells == rim.cells)
    }
  }

  @Test func rims() {
    #expect(Self.mask("####", "####", "####").borderCount == 10)
    #expect(Self.mask("#...", "....", "...#").borderCount == 2)
    #expect(Self.mask("....", ".##.", "....").borderCount == 0)
    #expect(Self.mask("....", "#..#", "....").borderCount == 2)
    #expect(Self.mask(".##.", "....", ".##.").borderCount == 4)
  }

  /// What is two cells wide goes, what is three stays whole.
  @Test func opening() {
    let mask = Self.mask(
      "........",
      ".###....",
      ".#######",
      ".#######",
      "........")
    let opened = Self.mask(
      "........",
      ".###....",
      ".###....",
      ".###....",
      "........")
    #expect(mask.opened().cells == opened.cells)
  }

  @Test func rectangles() throws {
    #expect(Self.mask("....", ".##.", ".##.").rectangularity == 1)
    #expect(Self.mask("...", "...").rectangularity == 0)
    // Three of four cells, and five in a diagonal rectangle of 4√2 + 1 by 1.
    #expect(Self.mask("#.", "##").rectangularity == 0.75)
    let diagonal = Self.mask("#....", ".#...", "..#..", "...#.", "....#").rectangularity
    #expect(abs(diagonal - 5 / (4 * 2.0.squareRoot() + 1)) < 1e-12)
    #expect(Self.mask("....").largestRectangle() == nil)
    let mask = Self.mask(
      "#.####",
      "#.####",
      "######",
      "###..#")
    #expect(mask.largestRectangle() == PixelRectangle(x: 2, y: 0, width: 4, height: 3))
    #expect(
      Self.mask("..##", "####", "####").largestRectangle()
        == PixelRectangle(x: 0, y: 1, width: 4, height: 2))
  }
}
