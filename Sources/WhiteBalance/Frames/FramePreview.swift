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
    let outlines = PreviewOutlines(width: width, height: height, unit: unit)
    if let rectangle { outlines.draw(rectangle, on: &picture) }
    outlines.draw(polygons, on: &picture)
    return try Frame(
      layout: try FrameLayout(width: width, height: height, format: .rgb8, transfer: .sRGB),
      bytes: picture)
  }
}
