import ColorScience

/// Estimates gains from a gray card.
///
/// ```swift
/// import ColorScience
///
/// func cardGains(_ bytes: [UInt8]) throws -> Gains {
///   let layout = try FrameLayout(width: 1920, height: 1080, format: .bgra8, transfer: .sRGB)
///   let estimator = GrayCardEstimator(region: .center(0.5))
///   return try estimator.estimate(bytes.span, layout: layout).accepted().gains
/// }
/// ```
///
/// The caller asserts that the region shows one neutral surface under one light.
///
/// Linear values are averaged after the black level is subtracted, without clipped pixels, dust and
/// hot pixels. A gradient of light over the card does no harm. <doc:GrayCardEstimation> says how,
/// and what was measured.
public struct GrayCardEstimator: Hashable, Sendable {
  /// The part of the frame that shows the card.
  public enum Region: Hashable, Sendable, CustomStringConvertible {
    /// The centered rectangle with this fraction, above 0 and up to 1, of width and height.
    case center(Double)
    /// A rectangle of pixels.
    case rectangle(PixelRectangle)

    /// `center:F`, or `X,Y,W,H` in pixels.
    public var description: String {
      switch self {
      case .center(let share): "center:\(share)"
      case .rectangle(let r): "\(r.x),\(r.y),\(r.width),\(r.height)"
      }
    }
  }

  /// The part of the frame that shows the card; the centered half of width and height by default.
  public var region: Region
  /// The linear value, relative to white, at and below which a pixel or a tile's median is dark.
  public var darkLevel = 0.002
  /// The share of clipped pixels above which the card is refused. Leaving them out biases the mean
  /// towards dark, by 5 % of the noise at this share.
  public var acceptedClippedShare = 0.02
  /// The share of dark pixels above which the card is refused.
  public var acceptedDarkShare = 0.5
  /// The `nonuniformity` above which the card is refused.
  public var acceptedNonuniformity = 0.6
  /// The `colorVariation` above which the card is refused.
  public var acceptedColorVariation = 0.2
  /// The share of the tiles that may differ in color from the others, and be left out.
  public var acceptedOutlierShare = 0.25
  /// The pixels that must be left to average.
  public var neededPixels = 64

  /// An estimator for a region.
  public init(region: Region = .center(0.5)) { self.region = region }

  /// The region in pixels of a frame.
  public func rectangle(in layout: FrameLayout) -> PixelRectangle {
    switch region {
    case .rectangle(let rectangle): return rectangle
    case .center(let fraction):
      precondition(
        fraction > 0 && fraction <= 1, "the share of the center is above 0 and at most 1")
      let width = Int((Double(layout.width) * fraction).rounded())
      let height = Int((Double(layout.height) * fraction).rounded())
      return PixelRectangle(
        x: (layout.width - width) / 2, y: (layout.height - height) / 2, width: width, height: height
      )
    }
  }

  /// The estimate from a frame.
  ///
  /// - Throws: `FrameError` where the region is not inside the frame.
  public func estimate(_ frame: Frame) throws(FrameError) -> GrayCardEstimate {
    try estimate(frame.bytes.span, layout: frame.layout)
  }

  /// The estimate from the bytes of a frame.
  ///
  /// Complexity: O(pixels of the region), and memory for a few hundred samples.
  ///
  /// - Throws: `FrameError` where the bytes are too few or the region is not inside the frame.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout
  ) throws(FrameError) -> GrayCardEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: rectangle(in: layout))
    let summation = samples.summation
    var counts = PixelCounts.none
    var tiles: [Tile] = []
    let (across, down) = Self.tileGrid(columns: samples.columns, rows: samples.rows)
    for row in 0..<down {
      for column in 0..<across {
        let tile = readTile(
          summation, bytes,
          columns: samples.columns * column / across..<samples.columns * (column + 1) / across,
          rows: samples.rows * row / down..<samples.rows * (row + 1) / down, counts: &counts)
        if let tile { tiles.append(tile) }
      }
    }
    return summary(of: tiles, counts: counts, samples)
  }

  /// The number of tiles across and down: at most 16, each of at least 8 samples.
  private static func tileGrid(columns: Int, rows: Int) -> (Int, Int) {
    (min(16, max(1, columns / 8)), min(16, max(1, rows / 8)))
  }

  private func readTile(
    _ summation: any FrameSummation, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>,
    counts: inout PixelCounts
  ) -> Tile? {
    let samples = summation.samples
    func sums(_ bounds: CodeBounds) -> FrameSums {
      var sums = FrameSums()
      summation.add(bytes, rows: rows, columns: columns, bounds, to: &sums)
      return sums
    }
    var bounds = CodeBounds(samples)
    bounds.low = SIMD4(repeating: samples.firstCode(above: darkLevel))
    let all = sums(bounds)
    counts += PixelCounts(all, summation)
    guard all.used + all.below >= 4,
      let typical = TypicalCodes(samples, bytes, columns: columns, rows: rows),
      samples.light(Double(typical.center.min())) > darkLevel
    else { return nil }
    let unit = samples.layout.format.unit
    return Tile(
      summation, sums(typical.bounds), center: typical.center,
      middle: SIMD2(
        Double(unit.columns * (columns.lowerBound + columns.upperBound)),
        Double(unit.rows * (rows.lowerBound + rows.upperBound))) / 2)
  }

  private func summary(
    of all: [Tile], counts: PixelCounts, _ samples: LinearSamples
  ) -> GrayCardEstimate {
    var counts = counts
    let tiles = all.withoutOutliers()
    let used = tiles.reduce(0) { $0 + $1.count }
    counts.used = used * samples.pixelsPerSample
    let sum = tiles.reduce(SIMD3<Double>.zero) { $0 + $1.mean * Double($1.count) }
    var response = LinearRGB(used > 0 ? sum / Double(used) : .zero)
    // In a color filter array red and blue lie beside green, where a gradient makes them brighter
    // or darker.
    let shift = (tiles.brightnessGradient * samples.redOffset).sum()
    response.red *= exponential(-shift)
    response.blue *= exponential(shift)
    let green = tiles.map { $0.mean.y }
    let mean = green.reduce(0, +) / Double(max(1, green.count))
    let nonuniformity = tiles.isEmpty ? 0 : green.percentileRange / mean
    // Many outliers are not a smudge but another surface, and then the colors of all tiles count.
    let differs = Double(all.count - tiles.count) > acceptedOutlierShare * Double(all.count)
    let color = (differs ? all : tiles).map(\.logRatios)
    let variation = max(color.map(\.x).percentileRange, color.map(\.y).percentileRange)

    var refusals = refusals(for: counts)
    if nonuniformity > acceptedNonuniformity {
      refusals.append(.uneven(nonuniformity: nonuniformity))
    }
    if differs || variation > acceptedColorVariation {
      refusals.append(.mixedColors(variation: variation))
    }
    return GrayCardEstimate(
      response: response, gains: Gains(neutralizing: response), pixels: counts,
      nonuniformity: nonuniformity, colorVariation: variation,
      standardError: standardError(of: tiles, response: response), refusals: refusals)
  }

  /// The reasons in the pixels themselves not to trust their mean: clipped, dark, or too few.
  package func refusals(for pixels: PixelCounts) -> [GrayCardEstimate.Refusal] {
    var refusals: [GrayCardEstimate.Refusal] = []
    let total = Double(pixels.total)
    if Double(pixels.clipped) > acceptedClippedShare * total {
      let worst = max(pixels.redClipped, pixels.greenClipped, pixels.blueClipped)
      // Green is what people watch; name it where channels tie.
      let channel: ColorChannel =
        pixels.greenClipped == worst ? .green : pixels.redClipped == worst ? .red : .blue
      refusals.append(.clipped(channel, share: Double(worst) / total))
    }
    if Double(pixels.dark) > acceptedDarkShare * total {
      refusals.append(.dark(share: Double(pixels.dark) / total))
    }
    // Pixels that are all clipped or dark are too few as well, but that is not the reason.
    if pixels.used < neededPixels, refusals.isEmpty {
      refusals.append(.tooFewPixels(used: pixels.used, needed: neededPixels))
    }
    return refusals
  }

  /// The larger of two errors: what the pixels' noise leaves in the mean, and what the scatter of
  /// the tiles says, which also sees noise that neighbors share and color that varies over the
  /// card. The first includes what rounding to codes leaves where noise is too small to dither it.
  private func standardError(
    of tiles: [Tile], response: LinearRGB
  ) -> GrayCardEstimate.StandardError {
    let used = Double(tiles.reduce(0) { $0 + $1.count })
    guard used > 0 else { return .init(red: 0, blue: 0) }
    let variance = tiles.reduce(SIMD3<Double>.zero) { sum, tile in
      let share = Double(tile.count) / used
      return sum + share * share * tile.meanVariance + share * tile.roundingError
    }
    let relative = variance / (response.vector * response.vector)
    let pixel = SIMD2(relative.x + relative.y, relative.z + relative.y)
    var tile = SIMD2<Double>.zero
    if tiles.count >= 4 {
      let color = tiles.map(\.logRatios)
      let count = Double(color.count)
      let mean = color.reduce(.zero, +) / count
      tile = color.reduce(.zero) { $0 + ($1 - mean) * ($1 - mean) } / (count * (count - 1))
    }
    return .init(red: max(pixel.x, tile.x).squareRoot(), blue: max(pixel.y, tile.y).squareRoot())
  }
}
