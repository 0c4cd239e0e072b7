import ColorScience

/// The means of a compressed frame's blocks in a plane, and what their rounding leaves in the mean
/// of them all.
///
/// Each block's mean is a multiple of a step, to which an encoder rounded it. Where neighbors
/// differ by noise of more than half a step, the errors are independent: step²/12 over the number
/// of blocks. Where they do not, blocks of one level have one error, as samples that are rounded
/// alike do (`roundingVariance`); those of different levels do not share it. A decoder then rounds
/// samples to whole codes, and noise within blocks, which would dither that, may be lost. How far
/// the means end up beside the levels shows it.
///
/// The errors that an estimate makes over surfaces of random colors, at qualities 50 to 95 and
/// noise of up to 2 codes, have a root mean square of 0.6 to 1.6 of the standard error that is
/// stated with this (`JPEGRoundingTests`). Two errors are not in it. An encoder that cuts off
/// instead of rounding is wrong by half a step more. And noise that compression removes is averaged
/// before the tone curve instead of after it: where that was 4 codes, means of light come out 0.1
/// to 0.3 % lower.
struct BlockMeans {
  private let step: Double
  /// Blocks that were looked at, and pairs of neighbors among them.
  private var count = 0, pairs = 0
  /// Squares of the differences between neighbors, added up.
  private var differences = 0.0
  /// The variances of samples within blocks, added up.
  private var scatter = 0.0
  /// The distances of means from the nearest level, added up.
  private var distances = 0.0
  private var levels: [Int: Int] = [:]

  /// What the arithmetic of encoders and decoders may leave, in codes; that of libjpeg-turbo does.
  private static let arithmetic = 0.04

  /// The mean square of the error, in codes.
  private var variance: Double {
    let least = Self.arithmetic * Self.arithmetic
    guard step > 0 else { return 0 }
    guard count > 0 else { return least + roundingVariance(0, codeWidth: step) }
    let blocks = Double(count)
    // Half of the mean square of differences is a variance, and a gradient hardly counts in it.
    let between = pairs > 0 ? differences / Double(2 * pairs) : 0
    // How many levels share the blocks, if each had as many.
    let shared = blocks * blocks / levels.values.reduce(0.0) { $0 + Double($1 * $1) }
    let distance = distances / blocks
    return least + step * step / 12 / blocks + roundingVariance(between, codeWidth: step) / shared
      + max(distance * distance, roundingVariance(scatter / blocks) / shared)
  }

  private init(step: Double) { self.step = step }

  /// The variances that rounding leaves in ln(red/green) and ln(blue/green) of a response; zero of
  /// a frame that was not compressed.
  static func variance(
    of response: LinearRGB, _ samples: LinearSamples, _ bytes: Span<UInt8>
  ) -> SIMD2<Double> {
    let layout = samples.layout
    guard let rounding = layout.blockRounding, let chroma = layout.format.chroma,
      let slopes = ratioSlopes(of: response, samples)
    else { return .zero }
    func means(_ step: Double, _ plane: FrameLayout.Plane, across: Int, down: Int) -> Double {
      var means = BlockMeans(step: step)
      let region = samples.region
      means.add(
        bytes, plane,
        columns: (region.x / across)..<((region.x + region.width) / across),
        rows: (region.y / down)..<((region.y + region.height) / down))
      return means.variance
    }
    let (across, down) = chroma.sharing
    let luma = FrameLayout.Plane(offset: 0, bytesPerRow: layout.bytesPerRow)
    let codes = SIMD3(
      means(rounding.luma, luma, across: 1, down: 1),
      means(rounding.cb, layout.chroma[0], across: across, down: down),
      means(rounding.cr, layout.chroma[1], across: across, down: down))
    return (0..<3).reduce(.zero) { $0 + codes[$1] * slopes[$1] * slopes[$1] }
  }

  /// By how much ln(red/green) and ln(blue/green) of blocks of one color may differ, where they are
  /// rounded to neighboring levels; zero of a frame that was not compressed.
  static func spread(of response: LinearRGB, _ samples: LinearSamples) -> SIMD2<Double> {
    guard let rounding = samples.layout.blockRounding,
      let slopes = ratioSlopes(of: response, samples)
    else { return .zero }
    return zip(slopes, [rounding.luma, rounding.cb, rounding.cr]).reduce(.zero) { sum, plane in
      let change = plane.0 * plane.1
      return sum + pointwiseMax(change, -change)
    }
  }

  /// The changes of ln(red/green) and ln(blue/green) for each code of luma, of Cb and of Cr.
  private static func ratioSlopes(
    of response: LinearRGB, _ samples: LinearSamples
  ) -> [SIMD2<Double>]? {
    let layout = samples.layout
    guard layout.format.chroma?.planeCount == 2, response.isPositive else { return nil }
    let light = response.vector
    let range = layout.whiteLevel - layout.blackLevel
    var slopes = SIMD3<Double>.zero
    for channel in 0..<3 {
      let code = layout.blackLevel + range * layout.transfer.encoded(light[channel])
      slopes[channel] = samples.codeStep(code, step: 1) / light[channel]
    }
    let rows = layout.encoding.rows
    return [SIMD3(repeating: rows.luma), rows.cb, rows.cr].map { row in
      let change = slopes * row
      return SIMD2(change.x - change.y, change.z - change.y)
    }
  }

  /// Adds the blocks that lie within some columns and rows of a plane.
  private mutating func add(
    _ bytes: Span<UInt8>, _ plane: FrameLayout.Plane, columns: Range<Int>, rows: Range<Int>
  ) {
    guard step > 0 else { return }
    let last = (columns.upperBound / 8, rows.upperBound / 8)
    let first = ((columns.lowerBound + 7) / 8, (rows.lowerBound + 7) / 8)
    guard first.0 < last.0, first.1 < last.1 else { return }
    for row in first.1..<last.1 {
      var before: Double?
      for column in first.0..<last.0 {
        var (sum, squares) = (0, 0)
        for y in 0..<8 {
          let start = plane.offset + (8 * row + y) * plane.bytesPerRow + 8 * column
          for x in 0..<8 {
            let code = Int(bytes[start + x])
            sum += code
            squares += code * code
          }
        }
        let mean = Double(sum) / 64
        // Means are rounded from the middle code on.
        let level = ((mean - 128) / step).rounded()
        levels[Int(level), default: 0] += 1
        distances += mean - 128 - step * level
        scatter += Double(squares) / 64 - mean * mean
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
