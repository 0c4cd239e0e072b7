import ColorScience

/// How well 24 colors are those of a ColorChecker Classic, under whatever light and in whatever
/// camera's channels.
///
/// A camera's red/green and blue/green of a surface are nearly ratios of linear functions of its
/// sRGB: three unknowns each, found by least squares, which the brightness of a patch, and so a
/// shadow, does not touch.
struct ChartColors {
  /// The share of the variance of ln(red/green) and ln(blue/green) that is explained, up to 1.
  let colorMatch: Double
  /// The share of the variance of the patches' brightness that is explained, by their reflectance
  /// and a gradient of the light, up to 1.
  let brightnessMatch: Double

  /// The patches in linear sRGB, white 1.
  private static let reference: [SIMD3<Double>] = {
    let light = StandardIlluminant.d65.spectrum
    let white = light.xyz.y
    return ColorChart.classicBefore2014.patches.map { patch in
      let seen = SpectralDistribution(
        first: 380, step: 5,
        values: (0..<81).map { index in
          let wavelength = 380 + 5 * Double(index)
          return light[wavelength] * patch.reflectance[wavelength]
        })
      return RGBColorSpace.sRGB.fromXYZ * seen.xyz.vector / white
    }
  }()

  /// The green of the average public camera, from linear sRGB.
  static let green = reference.map { ($0 * SIMD3(0.07, 0.70, 0.23)).sum() }

  /// How far ln(red/green) and ln(blue/green) of each patch are from those that the others ask for,
  /// the larger of both; `nil` for a patch that is clipped.
  private(set) var deviations = [Double?](repeating: nil, count: 24)

  /// - Parameter colors: linear red, green and blue, and the share that is clipped.
  init(_ colors: [SIMD4<Double>], _ floor: Double) {
    // A clipped patch has no color.
    let used = colors.indices.filter { colors[$0].w < 0.05 }
    guard used.count >= 10 else {
      (colorMatch, brightnessMatch) = (0, 0)
      return
    }
    let light = used.map { pointwiseMax(colors[$0], SIMD4(repeating: floor)) }
    let reference = used.map { Self.reference[$0] }
    let green = used.map { Self.green[$0] }
    var (left, spread) = (0.0, 0.0)
    var least = Double.infinity
    for channel in [0, 2] {
      let ratios = light.map { $0[channel] / $0.y }
      let residuals = Self.residuals(zip(ratios, green).map { $0 * $1 }, reference)
      let logs = ratios.map(logarithm)
      left += residuals.reduce(0) { $0 + min($1 * $1, 0.25) }
      for (patch, residual) in zip(used, residuals) {
        deviations[patch] = max(deviations[patch] ?? 0, abs(residual))
      }
      let channelSpread = Self.variance(logs)
      spread += channelSpread
      least = min(least, channelSpread)
    }
    let count = Double(used.count)
    colorMatch = least < 0.02 ? 0 : 1 - left / count / spread
    let expected = green.map(logarithm)
    let brightness = zip(light, expected).map { logarithm($0.y) - $1 }
    let places = used.map { SIMD3(Double($0 % 6), Double($0 / 6), 1) }
    let plane = Self.leastSquares(places, brightness, weights: nil) ?? .zero
    let uneven = zip(places, brightness).map { $1 - ($0 * plane).sum() }
    brightnessMatch = 1 - Self.variance(uneven) / Self.variance(expected)
  }

  /// The logarithms of m·reference over the values, for the m that fits best.
  private static func residuals(_ values: [Double], _ reference: [SIMD3<Double>]) -> [Double] {
    var weights = [Double](repeating: 1, count: values.count)
    var residuals = weights
    for _ in 0..<3 {
      let rows = zip(reference, values).map { $0 / $1 }
      let ones = [Double](repeating: 1, count: values.count)
      guard let m = leastSquares(rows, ones, weights: weights) else { break }
      for index in values.indices {
        residuals[index] = logarithm(max((m * rows[index]).sum(), 0.05))
        weights[index] = 1 / (1 + residuals[index] * residuals[index] / 0.04)
      }
    }
    return residuals
  }

  /// The x for which the products with the rows are nearest to the values.
  static func leastSquares(
    _ rows: [SIMD3<Double>], _ values: [Double], weights: [Double]?
  ) -> SIMD3<Double>? {
    var columns = [SIMD3<Double>](repeating: .zero, count: 3)
    var right = SIMD3<Double>.zero
    for (index, row) in rows.enumerated() {
      let weight = weights?[index] ?? 1
      for column in 0..<3 { columns[column] += weight * row[column] * row }
      right += weight * values[index] * row
    }
    return Matrix3x3(columns: columns[0], columns[1], columns[2]).inverse.map { $0 * right }
  }

  private static func variance(_ values: [Double]) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
  }
}
