import ColorScience

/// Reads pixels, or 2×2 cells of a color filter array, as linear light.
struct LinearSamples {
  /// Pixels that one sample stands for: 1, or the 4 of a cell.
  let pixelsPerSample: Int
  /// Samples in a row of the region.
  let columns: Int
  /// Rows of samples in the region.
  let rows: Int

  /// The linear light of every stored value: black 0, white 1.
  private let light: [Float]
  private let clippedFrom: Int
  private let layout: FrameLayout
  private let origin: Int
  /// Byte offsets, from the start of a sample, of its red, greens and blue.
  private let red, green, green2, blue: Int
  private let step: (column: Int, row: Int)

  init(layout: FrameLayout, region: PixelRectangle) throws(FrameError) {
    let bytes = layout.format.bytesPerSample
    let unit = if case .bayer = layout.format.arrangement { 2 } else { 1 }
    // Written so that no sum can overflow, whatever the numbers.
    guard region.x >= 0, region.y >= 0, region.width >= unit, region.height >= unit,
      region.width <= layout.width, region.height <= layout.height,
      region.x <= layout.width - region.width, region.y <= layout.height - region.height
    else { throw .region(region, width: layout.width, height: layout.height) }
    switch layout.format.arrangement {
    case .interleaved(let r, let g, let b, let samples):
      (red, green, green2, blue) = (r * bytes, g * bytes, g * bytes, b * bytes)
      step = (samples * bytes, layout.bytesPerRow)
      pixelsPerSample = 1
    case .bayer(let pattern):
      func offset(_ column: Int, _ row: Int) -> Int { column * bytes + row * layout.bytesPerRow }
      let at = pattern.shifted(columns: region.x, rows: region.y).redPosition
      red = offset(at.column, at.row)
      green = offset(1 - at.column, at.row)
      green2 = offset(at.column, 1 - at.row)
      blue = offset(1 - at.column, 1 - at.row)
      step = (2 * bytes, 2 * layout.bytesPerRow)
      pixelsPerSample = 4
    }
    columns = region.width / unit
    rows = region.height / unit
    origin =
      region.y * layout.bytesPerRow + region.x * layout.format.samplesPerPixel * bytes
    self.layout = layout
    let range = layout.whiteLevel - layout.blackLevel
    light = (0...layout.format.maximumValue).map {
      Float(layout.transfer.linear((Double($0) - layout.blackLevel) / range))
    }
    // A sample that cannot rise any more is clipped, whatever the white level says.
    clippedFrom = Int(
      max(0, min(layout.whiteLevel.rounded(.up), Double(layout.format.maximumValue))))
  }

  /// The distance in light between neighboring codes, at a sample's light.
  func codeStep(_ sample: SIMD3<Float>) -> SIMD3<Float> {
    var step = SIMD3<Float>.zero
    for channel in 0..<3 {
      // The table rises, so the code of a value is where it would be inserted.
      var low = 0
      var high = light.count - 2
      while low < high {
        let middle = (low + high) / 2
        if light[middle + 1] < sample[channel] { low = middle + 1 } else { high = middle }
      }
      step[channel] = light[low + 1] - light[low]
    }
    return step
  }

  /// A sample's linear light, and which of its channels are clipped.
  struct Sample {
    var light: SIMD3<Float>
    var redClipped: Bool
    var greenClipped: Bool
    var blueClipped: Bool
  }

  /// The sample in a column and row of the region.
  func sample(_ bytes: Span<UInt8>, column: Int, row: Int) -> Sample {
    let start = origin + row * step.row + column * step.column
    let r = value(bytes, start + red)
    let g = value(bytes, start + green)
    let g2 = value(bytes, start + green2)
    let b = value(bytes, start + blue)
    return Sample(
      light: SIMD3(light[r], (light[g] + light[g2]) / 2, light[b]),
      redClipped: r >= clippedFrom, greenClipped: max(g, g2) >= clippedFrom,
      blueClipped: b >= clippedFrom)
  }

  private func value(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    if layout.format.bytesPerSample == 1 { return Int(bytes[offset]) }
    // Bits above the format's would index past the table.
    return (Int(bytes[offset]) | Int(bytes[offset + 1]) << 8) & layout.format.maximumValue
  }
}
