import ColorScience

/// The means of a compressed frame's blocks in one plane, and the error that their rounding leaves
/// in the mean of all blocks.
///
/// An encoder rounds each block's mean to a multiple of a step. If neighbors differ by noise of
/// more than half a step, the errors are independent, and the variance of the mean is step²/12 over
/// the number of blocks. Otherwise all blocks of one level have the same error, like samples that
/// are rounded alike (`roundingVariance`), while blocks of different levels have different errors.
/// A decoder then rounds samples to whole codes, and noise within blocks, which would dither this
/// rounding, may be lost. The distance of the means from the levels shows this error.
///
/// The errors of estimates of surfaces of random colors, at qualities 50 to 95 and noise of up to 2
/// codes, have a root mean square of 0.6 to 1.6 of the standard error that is stated with this
/// (`JPEGRoundingTests`). Two errors are not included. An encoder that truncates instead of
/// rounding adds an error of half a step. And noise that compression removes is averaged before the
/// tone curve instead of after it: with noise of 4 codes, linear means come out 0.1 to 0.3 % lower.
struct BlockMeans {
  private let step: Double
  /// The number of blocks, and of pairs of neighbors among them.
  private var count = 0, pairs = 0
  /// The sum of the squared differences between neighbors.
  private var differences = 0.0
  /// The sum of the variances of samples within blocks.
  private var scatter = 0.0
  /// The sum of the means' distances from the nearest level.
  private var distances = 0.0
  private var levels: [Int: Int] = [:]

  /// The possible error of the arithmetic of encoders and decoders, in codes, as in libjpeg-turbo.
  private static let arithmetic = 0.04

  /// The mean square of the error, in squared codes.
  private var variance: Double {
    let least = Self.arithmetic * Self.arithmetic
    guard step > 0 else { return 0 }
    guard count > 0 else { return least + roundingVariance(0, codeWidth: step) }
    let blocks = Double(count)
    // Half of the mean square of the differences is a variance that a gradient hardly affects.
    let between = pairs > 0 ? differences / Double(2 * pairs) : 0
    let distance = distances / blocks
    return least + step * step / 12 / blocks
      + roundingVariance(between, codeWidth: step) / sharedLevels
      + max(distance * distance, roundingVariance(meanScatter) / sharedLevels)
  }

  /// The variance of the samples within a block, averaged over all blocks.
  private var meanScatter: Double { count > 0 ? scatter / Double(count) : 0 }

  /// The effective number of levels: that of equally frequent levels with the same sum of squared
  /// shares.
  private var sharedLevels: Double {
    guard count > 0 else { return 1 }
    return Double(count * count) / levels.values.reduce(0.0) { $0 + Double($1 * $1) }
  }

  private init(step: Double) { self.step = step }

  /// Returns the variances that rounding adds to ln(red/green) and ln(blue/green) of a response;
  /// zero for a frame that was not compressed.
  static func variance(
    of response: LinearRGB, _ samples: LinearSamples, _ bytes: Span<UInt8>
  ) -> SIMD2<Double> {
    let layout = samples.layout
    guard let rounding = layout.blockRounding, let slopes = ratioSlopes(of: response, samples)
    else { return .zero }
    let (across, down) = (layout.format.chroma ?? rounding.chroma)?.sharing ?? (1, 1)
    let region = samples.region
    let (columns, rows) = (region.x..<region.x + region.width, region.y..<region.y + region.height)
    guard let places = layout.format.bytePlaces else {
      func means(_ step: Double, _ plane: FrameLayout.Plane, across: Int, down: Int) -> Double {
        var means = BlockMeans(step: step)
        means.add(
          columns.lowerBound / across..<columns.upperBound / across,
          rows.lowerBound / down..<rows.upperBound / down, width: 8, height: 8
        ) { column, row in Double(bytes[plane.offset + row * plane.bytesPerRow + column]) }
        return means.variance
      }
      let luma = FrameLayout.Plane(offset: 0, bytesPerRow: layout.bytesPerRow)
      let codes = SIMD3(
        means(rounding.luma, luma, across: 1, down: 1),
        means(rounding.cb, layout.chroma[0], across: across, down: down),
        means(rounding.cr, layout.chroma[1], across: across, down: down))
      return (0..<3).reduce(.zero) { $0 + codes[$1] * slopes.codes[$1] * slopes.codes[$1] }
    }
    // Luma and chroma are recomputed from the decoded red, green and blue.
    func means(_ step: Double, _ weights: SIMD3<Double>, across: Int, down: Int) -> BlockMeans {
      var means = BlockMeans(step: step)
      let middle = abs(weights.sum()) < 0.5 ? 128.0 : 0
      means.add(columns, rows, width: 8 * across, height: 8 * down) { column, row in
        let start = row * layout.bytesPerRow + column * places.step
        return middle + weights.x * Double(bytes[start + places.red])
          + weights.y * Double(bytes[start + places.green])
          + weights.z * Double(bytes[start + places.blue])
      }
      return means
    }
    let weights = Self.encoding.weights
    let luma = means(rounding.luma, weights.luma, across: 1, down: 1)
    let cb = means(rounding.cb, weights.cb, across: across, down: down)
    let cr = means(rounding.cr, weights.cr, across: across, down: down)
    let codes = SIMD3(luma.variance, cb.variance, cr.variance)
    // A decoder rounds the contribution of chroma to a channel separately.
    let added = Self.encoding.rows
    let channels = (0..<3).map { channel in
      roundingVariance(
        cb.meanScatter * added.cb[channel] * added.cb[channel]
          + cr.meanScatter * added.cr[channel] * added.cr[channel])
        / min(cb.sharedLevels, cr.sharedLevels) * slopes.channels[channel]
        * slopes.channels[channel]
    }
    return (0..<3).reduce(SIMD2(channels[0] + channels[1], channels[2] + channels[1])) {
      $0 + codes[$1] * slopes.codes[$1] * slopes.codes[$1]
    }
  }

  /// Returns the largest differences of ln(red/green) and ln(blue/green) between blocks of one
  /// color that are rounded to neighboring levels; zero for a frame that was not compressed.
  static func spread(of response: LinearRGB, _ samples: LinearSamples) -> SIMD2<Double> {
    guard let rounding = samples.layout.blockRounding,
      let slopes = ratioSlopes(of: response, samples)
    else { return .zero }
    return zip(slopes.codes, [rounding.luma, rounding.cb, rounding.cr]).reduce(.zero) {
      sum, plane in
      let change = plane.0 * plane.1
      return sum + pointwiseMax(change, -change)
    }
  }

  /// Returns the changes of ln(red/green) and ln(blue/green) for a code of luma, of Cb and of Cr,
  /// and the change of each channel's logarithm for one of its own codes.
  private static func ratioSlopes(
    of response: LinearRGB, _ samples: LinearSamples
  ) -> (codes: [SIMD2<Double>], channels: SIMD3<Double>)? {
    let layout = samples.layout
    let isPlanar = layout.format.chroma?.planeCount == 2
    guard isPlanar || layout.format.bytePlaces != nil, response.isPositive else { return nil }
    let linear = response.vector
    let range = layout.whiteLevel - layout.blackLevel
    var slopes = SIMD3<Double>.zero
    for channel in 0..<3 {
      let code = layout.blackLevel + range * layout.transfer.encoded(linear[channel])
      slopes[channel] = samples.codeStep(code, step: 1) / linear[channel]
    }
    let rows = (isPlanar ? layout.encoding : Self.encoding).rows
    let codes = [SIMD3(repeating: rows.luma), rows.cb, rows.cr].map { row in
      let change = slopes * row
      return SIMD2(change.x - change.y, change.z - change.y)
    }
    return (codes, slopes)
  }

  /// The encoding of JPEG files.
  private static let encoding = LumaChromaEncoding(matrix: .bt601, range: .full)

  /// Adds the blocks that lie inside the given columns and rows.
  private mutating func add(
    _ columns: Range<Int>, _ rows: Range<Int>, width: Int, height: Int,
    code: (_ column: Int, _ row: Int) -> Double
  ) {
    guard step > 0 else { return }
    let last = (columns.upperBound / width, rows.upperBound / height)
    let first = (
      (columns.lowerBound + width - 1) / width, (rows.lowerBound + height - 1) / height
    )
    guard first.0 < last.0, first.1 < last.1 else { return }
    let samples = Double(width * height)
    for row in first.1..<last.1 {
      var before: Double?
      for column in first.0..<last.0 {
        var (sum, squares) = (0.0, 0.0)
        for y in height * row..<height * (row + 1) {
          for x in width * column..<width * (column + 1) {
            let code = code(x, y)
            sum += code
            squares += code * code
          }
        }
        let mean = sum / samples
        // Means are rounded relative to the middle code.
        let level = ((mean - 128) / step).rounded()
        levels[Int(level), default: 0] += 1
        distances += mean - 128 - step * level
        scatter += squares / samples - mean * mean
        count += 1
        if let before {
          differences += (mean - before) * (mean - before)
          pairs += 1
        }
        before = mean
      }
    }
  }
}
