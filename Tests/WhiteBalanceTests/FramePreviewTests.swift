import Testing
import WhiteBalance

struct FramePreviewTests {
  /// 4×3 cells of red 100, green 200, blue 50 of 255, the last cell half as bright.
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
    // IEC 61966-2-1: half of the light is coded as 188 of 255.
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

  @Test func itIsSmall() throws {
    let layout = try FrameLayout(width: 4000, height: 2, format: .rgb8)
    let frame = try Frame(layout: layout, bytes: [UInt8](repeating: 9, count: 24000))
    let preview = try frame.preview(gains: Gains(red: 1, blue: 1), rectangle: layout.bounds)
    #expect((preview.layout.width, preview.layout.height) == (1000, 1))
  }

  /// Lines lie at round numbers of the frame's pixels, and are as neutral as what they cross.
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
