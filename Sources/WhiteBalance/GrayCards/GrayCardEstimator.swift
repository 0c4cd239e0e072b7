import ColorScience

/// Estimates gains from a gray card: the region is asserted to be one neutral surface under one
/// light.
///
/// Light is averaged after the black level is subtracted; pixels with a clipped channel are left
/// out. Against dust and hot pixels the region is divided into tiles: in each, pixels whose code
/// lies more than 4 robust standard deviations (and, of integers, 2.5 codes) from the tile's median
/// in any channel are left out; of the tiles, those that are dark and those whose color differs
/// from the others'. What remains is averaged, so that a gradient of light over the card, which all
/// channels share, does no harm. Single dark pixels are kept: to leave out one side of the noise
/// would bias the mean.
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
  /// The linear light, relative to white, at and below which a pixel or a tile's median is dark.
  public var darkLevel = 0.002
  /// The share of clipped pixels above which the card is refused: what clips is left out, so the
  /// rest would be biased towards dark, by 5 % of the noise at this share.
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
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    let samples = try LinearSamples(layout: layout, region: rectangle(in: layout))
    var summation = FrameSummation(samples)
    var counts = PixelCounts.none
    counts.total = samples.columns * samples.rows * samples.pixelsPerSample
    var tiles: [Tile] = []
    let (across, down) = Self.tileGrid(columns: samples.columns, rows: samples.rows)
    for row in 0..<down {
      for column in 0..<across {
        let tile = readTile(
          &summation, bytes,
          columns: samples.columns * column / across..<samples.columns * (column + 1) / across,
          rows: samples.rows * row / down..<samples.rows * (row + 1) / down, counts: &counts)
        if let tile { tiles.append(tile) }
      }
    }
    return summary(of: tiles, counts: counts, samples)
  }

  /// Tiles of at least 64 samples, at most 16 a side.
  private static func tileGrid(columns: Int, rows: Int) -> (Int, Int) {
    (min(16, max(1, columns / 8)), min(16, max(1, rows / 8)))
  }

  private func readTile(
    _ summation: inout FrameSummation, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>,
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
    let above = summation.above(all)
    counts.clipped += all.above * samples.pixelsPerSample
    counts.dark += all.below * samples.pixelsPerSample
    counts.redClipped += above.red * samples.pixelsPerSample
    counts.greenClipped += above.green * samples.pixelsPerSample
    counts.blueClipped += above.blue * samples.pixelsPerSample
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
    // Red and blue of a filter array are seen beside green, where a gradient makes them another.
    let shift = (tiles.brightnessGradient * samples.redOffset).sum()
    response.red *= exponential(-shift)
    response.blue *= exponential(shift)
    let green = tiles.map { $0.mean.y }
    let mean = green.reduce(0, +) / Double(max(1, green.count))
    let nonuniformity = tiles.isEmpty ? 0 : green.percentileRange / mean
    // Many outliers are no smudge but another surface, and then all tiles count.
    let differs = Double(all.count - tiles.count) > acceptedOutlierShare * Double(all.count)
    let color = (differs ? all : tiles).map(\.logRatios)
    let variation = max(color.map(\.x).percentileRange, color.map(\.y).percentileRange)

    var refusals: [GrayCardEstimate.Refusal] = []
    let total = Double(counts.total)
    if Double(counts.clipped) > acceptedClippedShare * total {
      let worst = max(counts.redClipped, counts.greenClipped, counts.blueClipped)
      // Green is what people watch; name it where channels tie.
      let channel: ColorChannel =
        counts.greenClipped == worst ? .green : counts.redClipped == worst ? .red : .blue
      refusals.append(.clipped(channel, share: Double(worst) / total))
    }
    if Double(counts.dark) > acceptedDarkShare * total {
      refusals.append(.dark(share: Double(counts.dark) / total))
    }
    // Where all is clipped or dark, that is what to tell.
    if counts.used < neededPixels, refusals.isEmpty {
      refusals.append(.tooFewPixels(used: counts.used, needed: neededPixels))
    }
    if nonuniformity > acceptedNonuniformity {
      refusals.append(.uneven(nonuniformity: nonuniformity))
    }
    if differs || variation > acceptedColorVariation {
      refusals.append(.mixedColors(variation: variation))
    }
    return GrayCardEstimate(
      response: response, pixels: counts,
      nonuniformity: nonuniformity, colorVariation: variation,
      standardError: standardError(of: tiles, response: response), refusals: refusals)
  }

  /// The larger of what the pixels' noise and what the tiles' scatter say: the second also sees
  /// noise that neighbors share, and color that varies over the card. To the first is added what
  /// rounding to codes leaves of the mean's error where the noise is too small to dither it.
  private func standardError(
    of tiles: [Tile], response: LinearRGB
  ) -> GrayCardEstimate.StandardError {
    let used = Double(tiles.reduce(0) { $0 + $1.count })
    guard used > 0 else { return .init(red: 0, blue: 0) }
    let variance = tiles.reduce(SIMD3<Double>.zero) { sum, tile in
      let share = Double(tile.count) / used
      return sum + share * share * tile.meanVariance + share * tile.roundingVariance
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
    return .init(
      red: max(pixel.x, tile.x).squareRoot(), blue: max(pixel.y, tile.y).squareRoot())
  }
}

/// What the codes of a tile's pixels are like, by some of them.
private struct TypicalCodes {
  /// Medians of red, green, green and blue.
  var center: SIMD4<Float>
  /// Beyond these lie dust, hairs and hot pixels.
  var bounds: CodeBounds

  /// `nil` if there is hardly a pixel that is not clipped.
  init?(_ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>) {
    // Medians of a hundred samples or two are good enough to find what does not belong.
    let count = columns.count * rows.count
    var step = max(1, count / 128)
    // A step that the width divides would see a few columns only.
    if step % columns.count == 0 { step += 1 }
    var lanes = [[Float]](repeating: [], count: 4)
    for lane in 0..<4 { lanes[lane].reserveCapacity(256) }
    for index in stride(from: 0, to: count, by: step) {
      let codes = samples.codes(
        bytes, column: columns.lowerBound + index % columns.count,
        row: rows.lowerBound + index / columns.count)
      guard codes.max() < samples.clippedFrom else { continue }
      lanes[0].append(codes.x)
      lanes[1].append(codes.y)
      lanes[2].append(codes.z)
      lanes[3].append(codes.w)
    }
    guard lanes[0].count >= 4 else { return nil }
    var center = SIMD4<Float>.zero
    var limit = SIMD4<Float>.zero
    for lane in 0..<4 {
      // Out of a color filter both greens are one.
      if lane == 2, samples.pixelsPerSample == 1 {
        center[2] = center[1]
        limit[2] = limit[1]
        continue
      }
      let middle = lanes[lane].median
      center[lane] = middle
      for index in lanes[lane].indices { lanes[lane][index] = abs(lanes[lane][index] - middle) }
      // 1.4826·MAD is the standard deviation of a normal distribution.
      limit[lane] = 4 * 1.4826 * lanes[lane].median
    }
    // Where most pixels have one and the same code their deviation is zero, and the next is no
    // dust.
    if samples.layout.format.isInteger { limit = pointwiseMax(limit, SIMD4(repeating: 2.5)) }
    self.center = center
    bounds = CodeBounds(low: center - limit, high: center + limit)
  }
}

/// The mean of a tile, dust and hot pixels left out.
private struct Tile {
  var count: Int
  /// Column and row of its middle, in the region.
  var middle: SIMD2<Double>
  var mean: SIMD3<Double>
  /// The variance of `mean` that the scatter of its samples tells.
  var meanVariance: SIMD3<Double>
  /// The mean square of the error that rounding to codes leaves in the mean, however many samples.
  var roundingVariance: SIMD3<Double>

  /// Red and blue against green, as natural logarithms.
  var logRatios: SIMD2<Double> {
    SIMD2(logarithm(mean.x / mean.y), logarithm(mean.z / mean.y))
  }

  /// The variances of `logRatios`.
  var ratioVariance: SIMD2<Double> {
    let relative = (meanVariance + roundingVariance) / (mean * mean)
    return SIMD2(relative.x + relative.y, relative.z + relative.y)
  }

  /// `nil` where nothing was used.
  init?(
    _ summation: FrameSummation, _ sums: FrameSums, center: SIMD4<Float>, middle: SIMD2<Double>
  ) {
    guard sums.used > 0 else { return nil }
    self.middle = middle
    let (red, green, blue) = summation.channels(sums)
    count = sums.used
    mean = SIMD3(red.mean, green.mean, blue.mean)
    let variance = SIMD3(red.variance, green.variance, blue.variance)
    meanVariance =
      variance / SIMD3(Double(red.count), Double(green.count), Double(blue.count))
    // A normal distribution of σ codes, rounded, has a mean that is off by up to exp(−2π²σ²)/π
    // codes (B. Widrow, I. Kollár: Quantization Noise, 2008); rounding itself adds 1/12 to the
    // variance.
    roundingVariance = .zero
    for channel in 0..<3 {
      let width = summation.samples.codeStep(Double(center[channel == 2 ? 3 : channel]))
      guard width > 0 else { continue }
      let inCodes = variance[channel] / (width * width)
      let bias = width * exponential(-2 * .pi * .pi * max(0, inCodes - 1 / 12)) / .pi
      roundingVariance[channel] = bias * bias / 2
    }
  }
}

extension [Tile] {
  /// How the logarithm of green changes by column and by row: least squares over the tiles.
  fileprivate var brightnessGradient: SIMD2<Double> {
    let count = Double(Swift.max(1, count))
    let middle = reduce(SIMD2.zero) { $0 + $1.middle } / count
    let brightness = map { logarithm($0.mean.y) }
    let mean = brightness.reduce(0, +) / count
    var (xx, xy, yy, x, y) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (tile, value) in zip(self, brightness) {
      let d = tile.middle - middle
      xx += d.x * d.x
      xy += d.x * d.y
      yy += d.y * d.y
      x += d.x * (value - mean)
      y += d.y * (value - mean)
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-9 * xx * yy else { return .zero }
    return SIMD2(yy * x - xy * y, xx * y - xy * x) / determinant
  }

  /// The tiles whose color agrees with that of the others: a smudge or a hair may fill a whole
  /// tile.
  fileprivate func withoutOutliers() -> [Tile] {
    guard count >= 8 else { return self }
    let ratios = map(\.logRatios)
    let errors = map(\.ratioVariance)
    var keep = [Bool](repeating: true, count: count)
    for component in 0..<2 {
      let values = ratios.map { $0[component] }
      let center = values.median
      // Of few tiles the scatter is uncertain; their noise tells how large it must be.
      let noise = errors.map { $0[component] }.median.squareRoot()
      let limit = Swift.max(
        5 * 1.4826 * values.map { abs($0 - center) }.median, 5 * noise, 0.005)
      for index in values.indices where abs(values[index] - center) > limit {
        keep[index] = false
      }
    }
    return indices.filter { keep[$0] }.map { self[$0] }
  }
}

extension [Double] {
  /// The distance between the 5th and the 95th percentile; 0 for fewer than two values.
  fileprivate var percentileRange: Double {
    guard count > 1 else { return 0 }
    let ordered = sorted()
    let margin = count / 20
    return ordered[count - 1 - margin] - ordered[margin]
  }
}

extension Array where Element: BinaryFloatingPoint {
  /// The middle value, or the mean of the two in the middle; the array must not be empty.
  fileprivate var median: Element {
    var values = self
    let upper = values.moveIntoPlace(count / 2)
    guard count % 2 == 0 else { return upper }
    return (values[..<(count / 2)].max()! + upper) / 2
  }

  /// The value that would be at an index of the sorted array; smaller ones end up before it (C. A.
  /// R. Hoare: Algorithm 65, 1961).
  private mutating func moveIntoPlace(_ index: Int) -> Element {
    var (low, high) = (0, count - 1)
    while low < high {
      let pivot = self[index]
      var (left, right) = (low, high)
      while left <= right {
        while self[left] < pivot { left += 1 }
        while pivot < self[right] { right -= 1 }
        if left <= right {
          swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if right < index { low = left }
      if index < left { high = right }
    }
    return self[index]
  }
}
