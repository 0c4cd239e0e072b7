import ColorScience

/// The mean of a tile, dust and hot pixels left out.
struct Tile {
  /// The samples that the mean is of.
  var count: Int
  /// The column and row of its middle, in pixels of the region.
  var middle: SIMD2<Double>
  /// The mean linear red, green and blue.
  var mean: SIMD3<Double>
  /// The variance of `mean` that follows from the scatter of the samples.
  var meanVariance: SIMD3<Double>
  /// The mean square of the error that rounding to codes leaves in `mean`.
  var roundingError: SIMD3<Double>

  /// ln(red/green) and ln(blue/green) of the mean.
  var logRatios: SIMD2<Double> { LinearRGB(mean).logRatios }

  /// The variances of `logRatios`.
  var ratioVariance: SIMD2<Double> {
    let relative = (meanVariance + roundingError) / (mean * mean)
    return SIMD2(relative.x + relative.y, relative.z + relative.y)
  }

  /// `nil` if no sample lies within the bounds.
  init?(
    _ summation: any FrameSummation, _ sums: FrameSums, center: SIMD4<Float>, middle: SIMD2<Double>
  ) {
    guard sums.used > 0 else { return nil }
    self.middle = middle
    let (red, green, blue) = summation.channels(sums)
    count = sums.used
    mean = SIMD3(red.mean, green.mean, blue.mean)
    let variance = SIMD3(red.variance, green.variance, blue.variance)
    meanVariance = variance / SIMD3(Double(red.count), Double(green.count), Double(blue.count))
    roundingError = .zero
    for channel in 0..<3 {
      let width = summation.samples.codeStep(Double(center[channel == 2 ? 3 : channel]))
      guard width > 0 else { continue }
      roundingError[channel] = roundingVariance(variance[channel], codeWidth: width)
    }
  }
}

extension [Tile] {
  /// How the logarithm of green changes for each column and for each row: least squares over the
  /// tiles.
  var brightnessGradient: SIMD2<Double> {
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

  /// The tiles whose color agrees with that of most; a smudge or a hair may fill a whole tile.
  func withoutOutliers() -> [Tile] {
    guard count >= 8 else { return self }
    let ratios = map(\.logRatios)
    let errors = map(\.ratioVariance)
    var keep = [Bool](repeating: true, count: count)
    for component in 0..<2 {
      let values = ratios.map { $0[component] }
      let center = values.median
      // The scatter of few tiles is uncertain; their noise is a lower bound.
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
