import ColorScience
import Testing
import WhiteBalance

struct FramePreviewTests {
  /// Returns 4×3 cells of red 100, green 200, blue 50 of 255; the last cell is half as bright.
  private func frame() throws -> Frame {
    let layout = try FrameLayout(width: 8, height: 6, format: .bayer(.rggb, bits: 8))
    let bytes = (0..<48).map { index -> UInt8 in
      let (row, column) = (index / 8, index % 8)
      let value: UInt8 = [100, 200, 50][row % 2 + column % 2]
      return row >= 4 && column >= 6 ? value / 2 : value
    }
    return try Frame(layout: layout, bytes: bytes)
  }

  @Test func cellsAreBalancedAndCoded() throws {
    let preview = try frame().preview(gains: Gains(red: 2, blue: 4), rectangle: nil)
    #expect(preview.layout.format == .rgb8)
    #expect((preview.layout.width, preview.layout.height) == (4, 3))
    #expect(preview.bytes[..<33].allSatisfy { $0 == 255 })
    // IEC 61966-2-1 encodes half of the light as 188 of 255.
    #expect(preview.bytes[33...].allSatisfy { $0 == 188 })
  }

  @Test func theRectangleIsDrawnInTwoColors() throws {
    let plain = try Frame(
      layout: try FrameLayout(width: 12, height: 12, format: .rgb8),
      bytes: [UInt8](repeating: 128, count: 432))
    let preview = try plain.preview(
      gains: Gains(red: 1, blue: 0.5), rectangle: PixelRectangle(x: 2, y: 3, width: 8, height: 7))
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(preview.bytes[3 * (12 * y + x)..<3 * (12 * y + x) + 3])
    }
    #expect(pixel(1, 5) == [0, 0, 0])
    #expect(pixel(2, 5) == [255, 255, 255])
    #expect(pixel(9, 5) == [255, 255, 255])
    #expect(pixel(10, 5) == [0, 0, 0])
    #expect(pixel(6, 2) == [0, 0, 0])
    #expect(pixel(9, 9) == [255, 255, 255])
    #expect(pixel(10, 10) == [0, 0, 0])
    #expect(pixel(6, 6) == [255, 255, 188])
    #expect(pixel(0, 0) == [255, 255, 188])
  }

  /// Of 2050 pixels, 20 are brighter than the one that becomes white, which is the brightest of
  /// 1025 equal steps.
  @Test func theBrightestHundredthIsWhite() throws {
    let steps = (0...1024).map { 32 * $0 }
    let reds = steps + [Int](repeating: 65_535, count: 20) + [Int](repeating: 0, count: 1005)
    let layout = try FrameLayout(width: 41, height: 50, format: .rgb16, whiteLevel: 65_536)
    let bytes = reds.flatMap { red -> [UInt8] in [UInt8(red & 255), UInt8(red >> 8), 0, 0, 0, 0] }
    let preview = try Frame(layout: layout, bytes: bytes).preview(
      gains: Gains(red: 1, blue: 1), rectangle: nil)
    for (index, red) in reds.enumerated() {
      let light = min(1, Double(red) / 32_768)
      let code = light <= 0.003_130_8 ? 12.92 * light : 1.055 * power(light, 1 / 2.4) - 0.055
      let expected = [UInt8((255 * code).rounded()), 0, 0]
      #expect(Array(preview.bytes[3 * index..<3 * index + 3]) == expected, "\(red)")
    }
  }

  /// Every other block of 3×3 pixels has a single white pixel; the last row is not a whole block.
  @Test func blocksAreSummed() throws {
    let (width, height) = (2562, 7)
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for block in 0..<854 * 2 where (block + block / 854) % 2 == 1 {
      let x = block % 854 * 3 + block / 2 % 3
      let y = block / 854 * 3 + block / 6 % 3
      for channel in 0..<3 { bytes[3 * (y * width + x) + channel] = 255 }
    }
    let layout = try FrameLayout(width: width, height: height, format: .rgb8)
    let preview = try Frame(layout: layout, bytes: bytes).preview(
      gains: Gains(red: 1, blue: 1), rectangle: nil)
    #expect((preview.layout.width, preview.layout.height) == (854, 2))
    for block in 0..<854 * 2 {
      let expected: UInt8 = (block + block / 854) % 2 == 1 ? 255 : 0
      #expect(preview.bytes[3 * block] == expected, "\(block)")
    }
  }

  @Test(arguments: [(1280, 1280), (1281, 640), (2560, 1280), (2561, 853)])
  func widths(width: Int, expected: Int) throws {
    let layout = try FrameLayout(width: width, height: 1, format: .rgb8)
    let preview = try Frame(layout: layout, bytes: [UInt8](repeating: 9, count: 3 * width))
      .preview(gains: Gains(red: 1, blue: 1), rectangle: nil)
    #expect((preview.layout.width, preview.layout.height) == (expected, 1))
    #expect(preview.bytes.allSatisfy { $0 == 255 })
  }

  /// Values below the black level count as zero, and a picture without light stays black.
  @Test func blackFrames() throws {
    for (codes, expected) in [([20, 50, 60], [0, 0, 255]), ([7, 50, 50], [0, 0, 0])] {
      let layout = try FrameLayout(width: 1, height: 1, format: .rgb8, blackLevel: 50)
      let preview = try Frame(layout: layout, bytes: codes.map { UInt8($0) }).preview(
        gains: Gains(red: 1, blue: 1), rectangle: nil)
      #expect(preview.bytes.map { Int($0) } == expected)
    }
  }

  /// A black line is drawn around two white ones, as far as they are in the picture.
  @Test func rectanglesAtTheEdges() throws {
    func lines(_ layout: FrameLayout, _ rectangle: PixelRectangle) throws -> [String] {
      let preview = try Frame(
        layout: layout, bytes: [UInt8](repeating: 99, count: layout.byteCount)
      )
      .preview(gains: Gains(red: 1, blue: 0.5), rectangle: rectangle)
      let width = preview.layout.width
      return (0..<preview.layout.height).map { y in
        (0..<width).map { x in
          switch Array(preview.bytes[3 * (y * width + x)..<3 * (y * width + x) + 3]) {
          case [0, 0, 0]: "#"
          case [255, 255, 255]: "o"
          case [255, 255, 188]: "."
          default: "?"
          }
        }.joined()
      }
    }
    let plain = try FrameLayout(width: 10, height: 8, format: .rgb8)
    #expect(
      try lines(plain, PixelRectangle(x: 0, y: 0, width: 7, height: 6)) == [
        "ooooooo#..",
        "ooooooo#..",
        "oo...oo#..",
        "oo...oo#..",
        "ooooooo#..",
        "ooooooo#..",
        "########..",
        "..........",
      ])
    // Cells of 2×2 pixels: columns 3 to 9 and rows 2 to 7.
    let cells = try FrameLayout(width: 20, height: 16, format: .bayer(.rggb, bits: 8))
    #expect(
      try lines(cells, PixelRectangle(x: 7, y: 5, width: 13, height: 11)) == [
        "..........",
        "..########",
        "..#ooooooo",
        "..#ooooooo",
        "..#oo...oo",
        "..#oo...oo",
        "..#ooooooo",
        "..#ooooooo",
      ])
  }

  @Test func itIsSmall() throws {
    let layout = try FrameLayout(width: 4000, height: 2, format: .rgb8)
    let frame = try Frame(layout: layout, bytes: [UInt8](repeating: 9, count: 24000))
    let preview = try frame.preview(gains: Gains(red: 1, blue: 1), rectangle: layout.bounds)
    #expect((preview.layout.width, preview.layout.height) == (1000, 1))
  }

  /// Lines are at round numbers of the frame's pixels and change all channels alike.
  @Test func axes() throws {
    for (size, unit, lines) in [(200, 1, [50, 100, 150]), (2600, 3, [500, 1000, 1500])] {
      let layout = try FrameLayout(width: size, height: size, format: .rgb8)
      let frame = try Frame(
        layout: layout, bytes: [UInt8](repeating: 90, count: layout.byteCount))
      let preview = try frame.preview(
        gains: Gains(red: 1, blue: 1), rectangle: nil, axes: true)
      let width = preview.layout.width
      #expect(width == size / unit)
      // A row between two lines, away from the labels.
      let row = 3 * width * (lines[0] * 3 / 2 / unit)
      let shades = (0..<width).map { Array(preview.bytes[row + 3 * $0..<row + 3 * $0 + 3]) }
      #expect(shades.allSatisfy { Set($0).count == 1 })
      let drawn = shades.indices.filter { $0 > width / 8 && shades[$0] != [255, 255, 255] }
      #expect(drawn.prefix(lines.count).elementsEqual(lines.map { $0 / unit }), "\(drawn)")
      // Labels are black on white, along the upper edge.
      let edge = preview.bytes[..<(3 * width * 7)]
      #expect(edge.contains(0))
    }
  }
}
