import Testing

@testable import WhiteBalance

/// Every pixel of pictures with axes is compared with a second drawing of the labels.
struct PreviewAxesTests {
  private static let digits = [
    "### .#. ### ### #.# ### ### ### ### ###",
    "#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#",
    "#.# .#. ### ### ### ### ### .#. ### ###",
    "#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#",
    "### ### ### ### ..# ### ### .#. ### ###",
  ]

  /// Returns the rows of a number, with `true` for black and a margin on all sides.
  private static func label(_ number: Int, scale: Int) -> [[Bool]] {
    let glyphs = "\(number)".map { Int("\($0)")! }
    let lines = digits.map { line -> [Bool] in
      let pixels = line.map { $0 == "#" }
      var row = [false]
      for glyph in glyphs { row += pixels[4 * glyph..<4 * glyph + 3] + [false] }
      return row
    }
    let margin = [[Bool](repeating: false, count: 4 * glyphs.count + 1)]
    let all: [[Bool]] = margin + lines + margin
    return all.flatMap { line -> [[Bool]] in
      let wide = line.flatMap { [Bool](repeating: $0, count: scale) }
      return [[Bool]](repeating: wide, count: scale)
    }
  }

  /// Returns a lighter value for a dark one, and a darker one for a light one.
  private static func shaded(_ value: UInt8) -> UInt8 {
    value < 128 ? value / 2 + 64 : value / 2
  }

  private static func drawn(
    on picture: [UInt8], width: Int, height: Int, unit: Int, spacing: Int, scale: Int
  ) -> [UInt8] {
    var picture = picture
    let places = (1...20).map { $0 * spacing }.filter { $0 < max(width, height) * unit }
    for y in 0..<height {
      for x in 0..<width {
        let crossed =
          (places.contains { $0 / unit == x } ? 1 : 0)
          + (places.contains { $0 / unit == y } ? 1 : 0)
        for index in 3 * (y * width + x)..<3 * (y * width + x) + 3 {
          for _ in 0..<crossed { picture[index] = shaded(picture[index]) }
        }
      }
    }
    for place in places {
      let label = label(place, scale: scale)
      let (wide, high) = (label[0].count, label.count)
      let (left, top) = (place / unit - wide / 2, place / unit - high / 2)
      var corners: [(x: Int, y: Int)] = []
      if left + wide <= width { corners.append((left, 0)) }
      if top + high <= height { corners.append((0, top)) }
      for corner in corners {
        for (row, line) in label.enumerated() where corner.y + row < height {
          for (column, isBlack) in line.enumerated() {
            let index = 3 * ((corner.y + row) * width + corner.x + column)
            for channel in 0..<3 { picture[index + channel] = isBlack ? 0 : 255 }
          }
        }
      }
    }
    return picture
  }

  @Test(arguments: [
    // The label of 100 just fits on either axis, and just does not fit.
    (width: 107, height: 104, unit: 1, spacing: 50, scale: 1), (106, 103, 1, 50, 1),
    // A line would be just after the last row, and after the last column.
    (200, 50, 1, 50, 1), (50, 200, 1, 50, 1),
    // The picture is lower than a label.
    (60, 5, 1, 20, 1),
    // Two labels of three digits are 26 pixels wide, which are 78 pixels of the frame.
    (320, 20, 3, 100, 1),
    // A 16th of the width is 50, and one more at the last width.
    (800, 12, 1, 50, 1), (815, 12, 1, 50, 1), (816, 12, 1, 100, 1),
    // From 480 pixels on, labels are twice as large.
    (480, 480, 1, 100, 2), (480, 479, 1, 50, 1), (481, 480, 2, 200, 2),
  ])
  func everyPixel(width: Int, height: Int, unit: Int, spacing: Int, scale: Int) {
    let plain = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 3) }
    var picture = plain
    PreviewAxes(width: width, height: height, unit: unit).draw(on: &picture)
    let expected = Self.drawn(
      on: plain, width: width, height: height, unit: unit, spacing: spacing, scale: scale)
    #expect(picture == expected, "\(zip(picture, expected).enumerated().first { $1.0 != $1.1 }!)")
  }
}
