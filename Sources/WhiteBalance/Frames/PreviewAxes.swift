/// A grid over a preview, labeled with the frame's pixel coordinates along its edges.
struct PreviewAxes {
  private let width, height: Int
  /// The width of a pixel of the preview, in pixels of the frame.
  private let unit: Int
  /// The width of a pixel of a digit, in pixels of the preview.
  private let scale: Int

  init(width: Int, height: Int, unit: Int) {
    (self.width, self.height, self.unit) = (width, height, unit)
    scale = max(1, min(width, height) / 240)
  }

  /// Draws on 8-bit red, green and blue without gaps.
  func draw(on picture: inout [UInt8]) {
    let spacing = spacing
    let places = stride(from: spacing, to: max(width, height) * unit, by: spacing)
    for place in places.map({ $0 / unit }) {
      // A line changes all channels alike, so that neutral pixels stay neutral.
      if place < width { for y in 0..<height { shade(place, y, of: &picture) } }
      if place < height { for x in 0..<width { shade(x, place, of: &picture) } }
    }
    for place in places {
      let digits = "\(place)".utf8.map { Int($0) - 48 }
      // The labels of the two edges do not overlap, because the spacing is at least two labels.
      let (wide, high) = (size(ofDigits: digits.count), 7 * scale)
      let (x, y) = (place / unit - wide / 2, place / unit - high / 2)
      if x + wide <= width { label(digits, x: x, y: 0, on: &picture) }
      if y + high <= height, wide <= width { label(digits, x: 0, y: y, on: &picture) }
    }
  }

  /// The number of the frame's pixels between lines: 1, 2 or 5 times a power of ten, and at least
  /// the width of two labels and a 16th of the longer side.
  private var spacing: Int {
    let side = max(width, height)
    let least = max(2 * size(ofDigits: "\(side * unit)".utf8.count), side / 16) * unit
    var power = 1
    while true {
      for digit in [1, 2, 5] where digit * power >= least { return digit * power }
      power *= 10
    }
  }

  /// The width of a label, which has a margin of one digit pixel on every side.
  private func size(ofDigits count: Int) -> Int { (4 * count + 1) * scale }

  private func shade(_ x: Int, _ y: Int, of picture: inout [UInt8]) {
    for index in 3 * (y * width + x)..<3 * (y * width + x) + 3 {
      picture[index] = picture[index] / 2 + (picture[index] < 128 ? 64 : 0)
    }
  }

  private func label(_ digits: [Int], x: Int, y: Int, on picture: inout [UInt8]) {
    for row in 0..<7 * scale where y + row < height {
      for column in 0..<size(ofDigits: digits.count) {
        let place = (x: column / scale - 1, y: row / scale - 1)
        // A digit has three columns. In the fourth, the gap, the shift is −1: to the left, so that
        // the lowest bit is 0.
        let isInk =
          place.x >= 0 && 0..<5 ~= place.y
          && Self.font[digits[place.x / 4]][place.y] >> (2 - place.x % 4) & 1 == 1
        for channel in 0..<3 {
          picture[3 * ((y + row) * width + x + column) + channel] = isInk ? 0 : 255
        }
      }
    }
  }

  /// Five rows of three pixels for each digit.
  private static let font: [[UInt8]] = [
    [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 7, 1, 7], [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7], [7, 4, 7, 5, 7], [7, 1, 2, 2, 2], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7],
  ]
}
