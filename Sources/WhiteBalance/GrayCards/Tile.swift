import ColorScience

/// The mean of a tile, without dust and hot pixels.
struct Tile {
  /// The number of samples in the mean.
  var count: Int
  /// The column and row of the tile's middle, in pixels of the region.
  var middle: SIMD2<Double>
  /// The mean linear red, green and blue.
  var mean: SIMD3<Double>
  /// The variance of `mean` that follows from the scatter of the samples.
  var meanVariance: SIMD3<Double>
  /// The mean square of the error that rounding to codes leaves in `mean`.
  var roundingError: SIMD3<Double>
  /// The amount by which `mean` is too dark because noise is cut off at white.
  var cutOff: SIMD3<Double>

  /// ln(red/green) and ln(blue/green) of the mean.
  var logRatios: SIMD2<Double> { LinearRGB(mean).logRatios }

  /// The variances of `logRatios`.
  var ratioVariance: SIMD2<Double> {
    let relative = (meanVariance + roundingError + cutOff * cutOff) / (mean * mean)
    return SIMD2(relative.x + relative.y, relative.z + relative.y)
  }

  /// Returns `nil` if no sample is within the bounds.
  init?(
    _ summation: any FrameSummation, _ sums: FrameSums, center: SIMD4<Float>, steps: SIMD4<Float>,
    middle: SIMD2<Double>
  ) {
    guard sums.used > 0 else { return nil }
    self.middle = middle
    let (red, green, blue) = summation.channels(sums)
    count = sums.used
    mean = SIMD3(red.mean, green.mean, blue.mean)
    let variance = SIMD3(red.variance, green.variance, blue.variance)
    meanVariance = variance / SIMD3(Double(red.count), Double(green.count), Double(blue.count))
    roundingError = .zero
    cutOff = .zero
    let samples = summation.samples
    let white = samples.linear(Double(samples.clippedFrom))
    for channel in 0..<3 {
      let lane = channel == 2 ? 3 : channel
      let width = samples.codeStep(Double(center[lane]), step: Double(steps[lane]))
      if width > 0 {
        roundingError[channel] = roundingVariance(variance[channel], codeWidth: width)
      }
      // Cutting off a normal distribution at z standard deviations above its mean lowers the mean
      // by φ(z) standard deviations.
      let distance = white - mean[channel]
      guard variance[channel] > 0, distance * distance < 16 * variance[channel] else { continue }
      let density = exponential(-distance * distance / (2 * variance[channel]))
      cutOff[channel] = (variance[channel] / (2 * .pi)).squareRoot() * density
    }
  }
}

extension [Tile] {
  /// The mean of the logarithms of red/green and blue/green, and its variance.
  var meanLogRatios: (value: SIMD2<Double>, variance: SIMD2<Double>) {
    let count = Double(Swift.max(1, count))
    let sum = reduce((SIMD2<Double>.zero, SIMD2<Double>.zero)) { sum, tile in
      let relative = (tile.meanVariance / count + tile.roundingError) / (tile.mean * tile.mean)
      return (
        sum.0 + tile.logRatios,
        sum.1 + SIMD2(relative.x + relative.y, relative.z + relative.y)
      )
    }
    return (sum.0 / count, sum.1 / count)
  }

  /// Returns `true` if the colors of the tiles darker and brighter than the mean differ by more
  /// than `share` and their noise.
  func changesColorWithBrightness(by share: Double) -> Bool {
    let mean = reduce(0) { $0 + $1.mean.y } / Double(Swift.max(1, count))
    let (dark, bright) = (
      filter { $0.mean.y < mean }.meanLogRatios, filter { $0.mean.y >= mean }.meanLogRatios
    )
    let difference = dark.value - bright.value
    let limit = share + 3 * (dark.variance + bright.variance).squareRoot()
    return abs(difference.x) > limit.x || abs(difference.y) > limit.y
  }

  /// The change of the logarithm of green for each column and for each row: the mean of the middle
  /// half of the differences between neighbors, so that the edge of a shadow does not count as a
  /// gradient.
  var brightnessGradient: SIMD2<Double> {
    var gradient = SIMD2<Double>.zero
    for axis in 0..<2 {
      let inLines = sorted {
        ($0.middle[1 - axis], $0.middle[axis]) < ($1.middle[1 - axis], $1.middle[axis])
      }
      let slopes = zip(inLines, inLines.dropFirst()).compactMap { tile, next -> Double? in
        guard tile.middle[1 - axis] == next.middle[1 - axis] else { return nil }
        let distance = next.middle[axis] - tile.middle[axis]
        return (logarithm(next.mean.y) - logarithm(tile.mean.y)) / distance
      }.sorted()
      let half = slopes[(slopes.count / 4)..<(slopes.count - slopes.count / 4)]
      gradient[axis] = half.reduce(0, +) / Double(Swift.max(1, half.count))
    }
    return gradient
  }

  /// The medians of red, green and blue.
  var typicalMean: LinearRGB {
    let medians = (0..<3).map { channel in isEmpty ? 0 : map { $0.mean[channel] }.median }
    return LinearRGB(red: medians[0], green: medians[1], blue: medians[2])
  }

  /// Returns the tiles whose color agrees with that of most tiles; a smudge or a hair may fill a
  /// whole tile.
  ///
  /// - Parameter spread: the largest difference that rounding causes between tiles of one color
  ///   (`BlockMeans.spread`).
  func withoutOutliers(spread: SIMD2<Double> = .zero) -> [Tile] {
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
        5 * 1.4826 * values.map { abs($0 - center) }.median, 5 * noise, 0.005,
        1.1 * spread[component])
      for index in values.indices where abs(values[index] - center) > limit {
        keep[index] = false
      }
    }
    return indices.filter { keep[$0] }.map { self[$0] }
  }

  /// The range of the tiles' colors from the 5th to the 95th percentile that the pixels' noise
  /// alone causes, increased by half because neighbors share noise.
  var scatterOfNoise: Double {
    if isEmpty { return 0 }
    let variances = map(\.ratioVariance)
    let largest = Swift.max(variances.map(\.x).median, variances.map(\.y).median)
    return 1.5 * 3.3 * largest.squareRoot()
  }
}
