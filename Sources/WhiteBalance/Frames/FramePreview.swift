import ColorScience

extension Frame {
  /// Returns a small picture for viewing: 8-bit sRGB, at most 1280 pixels wide.
  ///
  /// The gains are applied, and the brightest hundredth becomes white. The rectangle is drawn as a
  /// white line inside a black one, and so are the polygons, whose corners are in pixels of the
  /// frame. `axes` draws a grid labeled with the frame's pixel coordinates.
  package func preview(
    gains: Gains, rectangle: PixelRectangle?, polygons: [[SIMD2<Double>]] = [], axes: Bool = false
  ) throws(FrameError) -> Frame {
    let samples = try LinearSamples(layout: layout, region: layout.bounds)
    let scale = max(1, (samples.columns + 1279) / 1280)
    // The frame may have fewer rows than one pixel of the preview covers, but not fewer columns.
    let (width, height) = (samples.columns / scale, max(1, samples.rows / scale))
    var colors: [SIMD3<Double>] = []
    let span = bytes.span
    for row in 0..<height {
      for column in 0..<width {
        var sum = SIMD3<Double>.zero
        for y in row * scale..<min((row + 1) * scale, samples.rows) {
          for x in column * scale..<(column + 1) * scale {
            sum += SIMD3(samples.sample(span, column: x, row: y).linear)
          }
        }
        colors.append(sum * gains.vector)
      }
    }
    let brightest = colors.map { $0.max() }.sorted()
    let white = max(brightest[brightest.count * 99 / 100], .leastNormalMagnitude)
    let steps = 1024.0
    let codes = stride(from: 0, through: steps, by: 1).map {
      UInt8((255 * TransferFunction.sRGB.encoded($0 / steps)).rounded())
    }
    var picture: [UInt8] = []
    for color in colors {
      for channel in 0..<3 {
        picture.append(codes[Int(max(0, min(1, color[channel] / white)) * steps)])
      }
    }
    let unit = scale * (samples.pixelsPerSample == 4 ? 2 : 1)
    if axes { PreviewAxes(width: width, height: height, unit: unit).draw(on: &picture) }
    if let rectangle {
      let columns = (rectangle.x / unit, (rectangle.x + rectangle.width - 1) / unit)
      let rows = (rectangle.y / unit, (rectangle.y + rectangle.height - 1) / unit)
      for row in max(0, rows.0 - 1)...min(height - 1, rows.1 + 1) {
        for column in max(0, columns.0 - 1)...min(width - 1, columns.1 + 1) {
          let distance = min(column - columns.0, columns.1 - column, row - rows.0, rows.1 - row)
          guard distance <= 1 else { continue }
          let shade: UInt8 = distance < 0 ? 0 : 255
          for channel in 0..<3 { picture[3 * (row * width + column) + channel] = shade }
        }
      }
    }
    for (shade, reach) in [(UInt8(0), 1), (255, 0)] {
      for polygon in polygons {
        for (index, start) in polygon.enumerated() {
          let from = start / Double(unit)
          let side = polygon[(index + 1) % polygon.count] / Double(unit) - from
          let count = max(1, Int(max(abs(side.x), abs(side.y)).rounded(.up)))
          for step in 0...count {
            let place = from + side * (Double(step) / Double(count))
            guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height)
            else { continue }
            let (column, row) = (Int(place.x), Int(place.y))
            for y in max(0, row - reach)...min(height - 1, row + reach) {
              for x in max(0, column - reach)...min(width - 1, column + reach) {
                for channel in 0..<3 { picture[3 * (y * width + x) + channel] = shade }
              }
            }
          }
        }
      }
    }
    return try Frame(
      layout: try FrameLayout(width: width, height: height, format: .rgb8, transfer: .sRGB),
      bytes: picture)
  }
}
