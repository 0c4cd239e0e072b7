/// Outlines over a preview: white lines inside black ones.
struct PreviewOutlines {
  let width, height: Int
  /// The width of a pixel of the preview, in pixels of the frame.
  let unit: Int

  /// Draws the outline of a rectangle on 8-bit red, green and blue without gaps.
  func draw(_ rectangle: PixelRectangle, on picture: inout [UInt8]) {
    let columns = (rectangle.x / unit, (rectangle.x + rectangle.width - 1) / unit)
    let rows = (rectangle.y / unit, (rectangle.y + rectangle.height - 1) / unit)
    for row in max(0, rows.0 - 1)...min(height - 1, rows.1 + 1) {
      for column in max(0, columns.0 - 1)...min(width - 1, columns.1 + 1) {
        let distance = min(column - columns.0, columns.1 - column, row - rows.0, rows.1 - row)
        if distance <= 1 { set(column, row, to: distance < 0 ? 0 : 255, on: &picture) }
      }
    }
  }

  /// Draws polygons, whose corners are in pixels of the frame.
  func draw(_ polygons: [[SIMD2<Double>]], on picture: inout [UInt8]) {
    for (shade, reach) in [(UInt8(0), 1), (255, 0)] {
      for polygon in polygons {
        for (index, start) in polygon.enumerated() {
          let end = polygon[(index + 1) % polygon.count]
          for place in places(from: start / Double(unit), to: end / Double(unit)) {
            dot(place, reach: reach, shade: shade, on: &picture)
          }
        }
      }
    }
  }

  /// The places of a line, at most one pixel apart, that are inside the preview.
  private func places(from start: SIMD2<Double>, to end: SIMD2<Double>) -> [SIMD2<Double>] {
    let side = end - start
    let count = max(1, Int(max(abs(side.x), abs(side.y)).rounded(.up)))
    return (0...count).map { start + side * (Double($0) / Double(count)) }.filter {
      $0.x >= 0 && $0.y >= 0 && $0.x < Double(width) && $0.y < Double(height)
    }
  }

  private func dot(
    _ place: SIMD2<Double>, reach: Int, shade: UInt8, on picture: inout [UInt8]
  ) {
    let (column, row) = (Int(place.x), Int(place.y))
    for y in max(0, row - reach)...min(height - 1, row + reach) {
      for x in max(0, column - reach)...min(width - 1, column + reach) {
        set(x, y, to: shade, on: &picture)
      }
    }
  }

  private func set(_ column: Int, _ row: Int, to shade: UInt8, on picture: inout [UInt8]) {
    for channel in 0..<3 { picture[3 * (row * width + column) + channel] = shade }
  }
}
