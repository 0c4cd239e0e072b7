import ColorScience
import Testing
import WhiteBalance

@testable import CalibrationTargets

struct CellMaskTests {
  /// A mask from rows of text in which `#` is a covered cell.
  private static func mask(_ rows: String...) -> CellMask {
    CellMask(
      columns: rows[0].count, rows: rows.count, cells: rows.joined().map { $0 == "#" })
  }

  /// Cells that share only a corner are not connected.
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

  /// A hole has no cell on the border.
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

  /// Parts two cells wide are removed, and parts three cells wide stay unchanged.
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
    // Three of four cells, and five cells in a diagonal rectangle of 4√2 + 1 by 1.
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

  /// The cells around a cell, including itself, that are in the grid.
  private static func square(_ cell: Int, _ mask: CellMask) -> [Int] {
    mask.cells.indices.filter {
      abs($0 / mask.columns - cell / mask.columns) <= 1
        && abs($0 % mask.columns - cell % mask.columns) <= 1
    }
  }

  /// The parts of a set of cells that are connected by their sides.
  private static func parts(_ cells: [Int], columns: Int) -> [Set<Int>] {
    var left = Set(cells)
    var parts: [Set<Int>] = []
    while let first = left.first {
      var part: Set = [first]
      while true {
        let more = left.filter { cell in
          !part.contains(cell)
            && part.contains {
              abs($0 / columns - cell / columns) + abs($0 % columns - cell % columns) == 1
            }
        }
        if more.isEmpty { break }
        part.formUnion(more)
      }
      left.subtract(part)
      parts.append(part)
    }
    return parts
  }

  /// All properties of every mask of 4×3 cells equal their definitions.
  @Test func everySmallMask() {
    let (columns, rows) = (4, 3)
    let rectangles = (0..<columns).flatMap { x in
      (0..<rows).flatMap { y in
        (1...columns - x).flatMap { width in
          (1...rows - y).map { PixelRectangle(x: x, y: y, width: width, height: $0) }
        }
      }
    }
    func cells(_ rectangle: PixelRectangle) -> [Int] {
      (0..<columns * rows).filter {
        rectangle.x..<rectangle.x + rectangle.width ~= $0 % columns
          && rectangle.y..<rectangle.y + rectangle.height ~= $0 / columns
      }
    }
    func isRim(_ cell: Int) -> Bool {
      cell / columns % (rows - 1) == 0 || cell % columns % (columns - 1) == 0
    }
    for bits in 0..<1 << (columns * rows) {
      let isCovered = (0..<columns * rows).map { bits >> $0 & 1 == 1 }
      let mask = CellMask(columns: columns, rows: rows, cells: isCovered)
      let covered = isCovered.indices.filter { isCovered[$0] }
      #expect(mask.covered == covered && mask.count == covered.count)
      #expect(mask.borderCount == covered.count { isRim($0) })
      let places = covered.map { $0 % columns }
      #expect(mask.columnCount == (places.max() ?? -1) - (places.min() ?? 0) + 1)

      let parts = Self.parts(covered, columns: columns)
      #expect(Set(mask.components().map { Set($0.covered) }) == Set(parts))
      #expect(mask.largestComponent().count == parts.map(\.count).max() ?? 0)

      let kept = covered.filter { Self.square($0, mask).allSatisfy { isCovered[$0] } }
      #expect(Set(mask.opened().covered) == Set(kept.flatMap { Self.square($0, mask) }))

      let holes = Self.parts(isCovered.indices.filter { !isCovered[$0] }, columns: columns)
        .filter { !$0.contains { isRim($0) } }
      for limit in 0...2 {
        let filled = holes.filter { $0.count <= limit }.flatMap { $0 }
        #expect(Set(mask.fillingHoles(upTo: limit).covered) == Set(covered + filled))
      }

      let inside = rectangles.filter { cells($0).allSatisfy { isCovered[$0] } }
      let largest = mask.largestRectangle()
      #expect(largest.map { $0.width * $0.height } == inside.map { $0.width * $0.height }.max())
      if let largest { #expect(inside.contains(largest)) }
    }
  }

  /// Rectangularity equals the ratio to the areas of rectangles around a slanted strip, in 33
  /// directions whose slopes are multiples of 1/16.
  @Test func slantedStrips() {
    for step in 0..<40 {
      let angle = Double(step) / 40 * Double.pi
      let (x, y) = (cosine(angle), sine(angle))
      let mask = CellMask(
        columns: 30, rows: 26,
        cells: (0..<30 * 26).map { cell in
          let (dx, dy) = (Double(cell % 30) - 14, Double(cell / 30) - 12)
          return abs(x * dx + y * dy) < 11 && abs(x * dy - y * dx) < 5
        })
      let areas = (-16...16).map { sixteenths -> Double in
        let direction = arctangent(Double(sixteenths), 16)
        let (c, s) = (cosine(direction), sine(direction))
        let along = mask.covered.map { c * Double($0 % 30) + s * Double($0 / 30) }
        let across = mask.covered.map { c * Double($0 / 30) - s * Double($0 % 30) }
        return (along.max()! - along.min()! + 1) * (across.max()! - across.min()! + 1)
      }
      #expect(abs(mask.rectangularity - Double(mask.count) / areas.min()!) < 1e-12, "\(step)")
    }
  }
}
