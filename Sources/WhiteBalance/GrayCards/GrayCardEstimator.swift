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
/// The region must show one neutral surface under one light.
///
/// Linear values are averaged after the black level is subtracted, without clipped pixels, dust and
/// hot pixels. A gradient of light over the card has no effect. <doc:GrayCardEstimation> describes
/// the method and its measured accuracy.
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
  package var darkLevel = 0.002
  /// The share of clipped pixels above which a tile is excluded. In other tiles only the clipped
  /// pixels are excluded, which lowers the mean, by 5 % of the noise at this share; the stated
  /// error includes that.
  private static let acceptedClippedShare = 0.02
  /// The share of the tiles that may be clipped; they are excluded.
  private static let acceptedClippedTiles = 0.4
  /// The share of the tiles that may be clipped in total. Beyond `acceptedClippedTiles`, they must
  /// have only one clipped channel, and a ratio of the others that shows the same card under more
  /// of the same light.
  private static let acceptedTilesOfOneChannel = 0.7
  /// The share of dark pixels above which the card is refused.
  private static let acceptedDarkShare = 0.5
  /// The `nonuniformity` above which the card is refused if its color changes with the brightness.
  private static let acceptedNonuniformity = 0.6
  /// The accepted difference in color between the darker and the brighter half of an uneven card,
  /// beyond the noise: a natural logarithm.
  private static let acceptedColorChange = 0.02
  /// The `colorVariation` beyond the noise above which the card is refused.
  package static let acceptedColorVariation = 0.2
  /// The standard error of a ratio of channels due to compression above which the card is refused.
  private static let acceptedCompressionError = 0.02
  /// The share of the tiles that may differ in color from the others; they are excluded.
  private static let acceptedOutlierShare = 0.25
  /// The number of usable pixels that is needed.
  package var neededPixels = 64

  /// Creates an estimator for a region.
  public init(region: Region = .center(0.5)) { self.region = region }

  /// Returns the region in pixels of a frame.
  public func rectangle(in layout: FrameLayout) -> PixelRectangle {
    switch region {
    case .rectangle(let rectangle): return rectangle
    case .center(let fraction):
      precondition(
        fraction > 0 && fraction <= 1, "`fraction` must be above 0 and at most 1")
      let width = Int((Double(layout.width) * fraction).rounded())
      let height = Int((Double(layout.height) * fraction).rounded())
      return PixelRectangle(
        x: (layout.width - width) / 2, y: (layout.height - height) / 2, width: width, height: height
      )
    }
  }

  /// Estimates gains from a frame.
  ///
  /// - Throws: `FrameError` if the region is not inside the frame.
  public func estimate(_ frame: Frame) throws(FrameError) -> GrayCardEstimate {
    try estimate(frame.bytes.span, layout: frame.layout)
  }

  /// Estimates gains from the bytes of a frame.
  ///
  /// Complexity: O(pixels of the region), and memory for a few thousand samples.
  ///
  /// - Throws: `FrameError` if there are too few bytes or the region is not inside the frame.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout
  ) throws(FrameError) -> GrayCardEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: rectangle(in: layout))
    let summation = samples.summation
    // Pixels can be counted without their linear values, and codes are summed faster.
    var codes = layout
    codes.transfer = .linear
    let counting = try LinearSamples(of: bytes, layout: codes, region: samples.region).summation
    var counts = PixelCounts.none
    var tiles: [Tile] = []
    var clippedTiles = 0
    var partlyClipped: [OneChannelClipped] = []
    var notDark = CodeBounds(samples)
    notDark.low = SIMD4(repeating: samples.firstCode(above: darkLevel))
    var steps = CodeSteps(samples)
    var saturation = Saturation(samples, acceptedShare: Self.acceptedClippedShare)
    let (across, down) = Self.tileGrid(columns: samples.columns, rows: samples.rows)
    for row in 0..<down {
      for column in 0..<across {
        let columns = samples.columns * column / across..<samples.columns * (column + 1) / across
        let rows = samples.rows * row / down..<samples.rows * (row + 1) / down
        let all = PixelCounts(sums(counting, bytes, columns, rows, notDark), counting)
        counts += all
        if Double(all.clipped) > Self.acceptedClippedShare * Double(all.total) {
          clippedTiles += 1
          let tile = OneChannelClipped(
            all, samples, bytes, columns: columns, rows: rows,
            acceptedShare: Self.acceptedClippedShare)
          if let tile { partlyClipped.append(tile) }
          continue
        }
        guard all.used + all.dark >= 4 * samples.pixelsPerSample,
          let typical = TypicalCodes(samples, bytes, columns: columns, rows: rows),
          samples.linear(Double(typical.center.min())) > darkLevel
        else { continue }
        saturation.add(typical, columns: columns, rows: rows)
        let step = steps.steps(at: typical, bytes)
        let unit = layout.format.unit
        let tile = Tile(
          summation, sums(summation, bytes, columns, rows, typical.bounds(steps: step)),
          center: typical.center, steps: step,
          middle: SIMD2(
            Double(unit.columns * (columns.lowerBound + columns.upperBound)),
            Double(unit.rows * (rows.lowerBound + rows.upperBound))) / 2)
        if let tile { tiles.append(tile) }
      }
    }
    let count = Double(across * down)
    let ofThisCard = partlyClipped.count { $0.fits(tiles.typicalMean) }
    let isClipped =
      Double(clippedTiles - ofThisCard) > Self.acceptedClippedTiles * count
      || Double(clippedTiles) > Self.acceptedTilesOfOneChannel * count
      || Double(clippedTiles) > Self.acceptedClippedTiles * count && tiles.count < 16
    return summary(
      of: tiles, counts: counts, samples, bytes, isClipped: isClipped,
      saturation: isClipped ? nil : saturation.refusal(bytes))
  }

  /// Returns the numbers of tiles across and down: at most 16, each of at least 8 samples.
  private static func tileGrid(columns: Int, rows: Int) -> (Int, Int) {
    (min(16, max(1, columns / 8)), min(16, max(1, rows / 8)))
  }

  private func sums(
    _ summation: any FrameSummation, _ bytes: Span<UInt8>, _ columns: Range<Int>,
    _ rows: Range<Int>, _ bounds: CodeBounds
  ) -> FrameSums {
    var sums = FrameSums()
    summation.add(bytes, rows: rows, columns: columns, bounds, to: &sums)
    return sums
  }

  private func summary(
    of all: [Tile], counts: PixelCounts, _ samples: LinearSamples, _ bytes: Span<UInt8>,
    isClipped: Bool, saturation: GrayCardEstimate.Refusal?
  ) -> GrayCardEstimate {
    var counts = counts
    let tiles = all.withoutOutliers(spread: 2 * BlockMeans.spread(of: all.typicalMean, samples))
    let used = tiles.reduce(0) { $0 + $1.count }
    counts.used = used * samples.pixelsPerSample
    let sum = tiles.reduce(SIMD3<Double>.zero) { $0 + $1.mean * Double($1.count) }
    var response = LinearRGB(used > 0 ? sum / Double(used) : .zero)
    // In a color filter array, red and blue are offset from green, so that a gradient makes them
    // brighter or darker.
    let shift = (tiles.brightnessGradient * samples.redOffset).sum()
    response.red *= exponential(-shift)
    response.blue *= exponential(shift)
    let green = tiles.map { $0.mean.y }
    let mean = green.reduce(0, +) / Double(green.count)
    let nonuniformity = tiles.isEmpty ? 0 : green.percentileRange / mean
    // Many outliers are not a smudge but another surface; then the colors of all tiles count.
    let differs = Double(all.count - tiles.count) > Self.acceptedOutlierShare * Double(all.count)
    let counted = differs ? all : tiles
    let color = counted.map(\.logRatios)
    let variation = max(color.map(\.x).percentileRange, color.map(\.y).percentileRange)

    let blockError = BlockMeans.variance(of: response, samples, bytes)
    var refusals = refusals(for: counts, isClipped: isClipped)
    if let saturation { refusals.append(saturation) }
    if nonuniformity > Self.acceptedNonuniformity,
      tiles.changesColorWithBrightness(by: Self.acceptedColorChange)
    {
      refusals.append(.uneven(nonuniformity: nonuniformity))
    }
    if differs || variation > Self.acceptedColorVariation + counted.scatterOfNoise {
      refusals.append(.mixedColors(variation: variation))
    }
    let compressionError = max(blockError.x, blockError.y).squareRoot()
    if compressionError > Self.acceptedCompressionError {
      refusals.append(.coarse(error: compressionError))
    }
    let relative = relativeVariance(of: tiles, response: response)
    return GrayCardEstimate(
      response: response, gains: Gains(neutralizing: response), pixels: counts,
      nonuniformity: nonuniformity, colorVariation: variation,
      standardError: standardError(of: tiles, relative, blockError: blockError),
      refusals: refusals, channelErrors: LinearRGB(relative.squareRoot()))
  }

  /// Returns the reasons not to trust a mean that follow from the pixel counts alone: clipped,
  /// dark, or too few pixels.
  ///
  /// - Parameters:
  ///   - pixels: the counts of the region's pixels.
  ///   - isClipped: `true` if too many pixels are clipped; `nil` determines it from their share.
  package func refusals(
    for pixels: PixelCounts, isClipped: Bool? = nil
  ) -> [GrayCardEstimate.Refusal] {
    var refusals: [GrayCardEstimate.Refusal] = []
    let total = Double(pixels.total)
    if isClipped ?? (Double(pixels.clipped) > Self.acceptedClippedShare * total) {
      let worst = max(pixels.redClipped, pixels.greenClipped, pixels.blueClipped)
      // Users watch green; it is named if channels tie.
      let channel: ColorChannel =
        pixels.greenClipped == worst ? .green : pixels.redClipped == worst ? .red : .blue
      refusals.append(.clipped(channel, share: Double(worst) / total))
    }
    if Double(pixels.dark) > Self.acceptedDarkShare * total {
      refusals.append(.dark(share: Double(pixels.dark) / total))
    }
    // If all pixels are clipped or dark there are also too few, but that is not the reason.
    if pixels.used < neededPixels, refusals.isEmpty {
      refusals.append(.tooFewPixels(used: pixels.used, needed: neededPixels))
    }
    return refusals
  }

  /// Returns the larger of two standard errors: the one that follows from the pixels' noise, and
  /// the one that follows from the scatter of the tiles, which also includes noise that neighbors
  /// share and color that varies over the card. The first includes the error of rounding to codes
  /// if the noise is too small to dither it, and the loss of noise that is cut off at white. The
  /// error from rounding a compressed frame's blocks is added, because tiles may share it.
  private func standardError(
    of tiles: [Tile], _ relative: SIMD3<Double>, blockError: SIMD2<Double>
  ) -> GrayCardEstimate.StandardError {
    guard !tiles.isEmpty else { return .init(red: 0, blue: 0) }
    let pixel = SIMD2(relative.x + relative.y, relative.z + relative.y)
    var tile = SIMD2<Double>.zero
    if tiles.count >= 4 {
      let color = tiles.map(\.logRatios)
      let count = Double(color.count)
      let mean = color.reduce(.zero, +) / count
      tile = color.reduce(.zero) { $0 + ($1 - mean) * ($1 - mean) } / (count * (count - 1))
    }
    let variance = pointwiseMax(pixel, tile) + blockError
    return .init(red: variance.x.squareRoot(), blue: variance.y.squareRoot())
  }

  /// Returns the variance of each channel's mean that follows from the pixels' noise, relative to
  /// the square of the mean.
  private func relativeVariance(of tiles: [Tile], response: LinearRGB) -> SIMD3<Double> {
    let used = Double(tiles.reduce(0) { $0 + $1.count })
    guard used > 0 else { return .zero }
    var noise = SIMD3<Double>.zero
    var cutOff = SIMD3<Double>.zero
    for tile in tiles {
      let share = Double(tile.count) / used
      noise += share * share * tile.meanVariance + share * tile.roundingError
      cutOff += share * tile.cutOff
    }
    noise += cutOff * cutOff
    return noise / (response.vector * response.vector)
  }
}
