import ColorScience

/// A measure of how well 24 colors match those of a ColorChecker Classic, under any lamp and in any
/// camera's channels.
///
/// A camera's red/green and blue/green of a surface are approximately ratios of linear functions of
/// its sRGB, with three unknowns each. They are found by least squares. The brightness of a patch,
/// and so a shadow, does not affect them.
struct ChartColors {
  /// The explained fraction of the variance of ln(red/green) and ln(blue/green), up to 1.
  let colorMatch: Double
  /// The fraction of the variance of the patches' brightness that their reflectance and a gradient
  /// of the illumination explain, up to 1.
  let brightnessMatch: Double

  /// The patches in linear sRGB, with white 1.
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

  /// The green of the average public camera for each patch, computed from linear sRGB.
  static let green = reference.map { ($0 * SIMD3(0.07, 0.70, 0.23)).sum() }

  /// The deviations of ln(red/green) and ln(blue/green) of each patch from the values expected from
  /// the others, the larger of the two; `nil` for a clipped patch.
  private(set) var deviations = [Double?](repeating: nil, count: 24)

  /// - Parameter colors: linear red, green and blue, and the fraction that is clipped.
  init(_ colors: [SIMD4<Double>], _ floor: Double) {
    // A clipped patch has no valid color.
    let used = colors.indices.filter { colors[$0].w < 0.05 }
    guard used.count >= 10 else {
      (colorMatch, brightnessMatch) = (0, 0)
      return
    }
    let measured = used.map { pointwiseMax(colors[$0], SIMD4(repeating: floor)) }
    let reference = used.map { Self.reference[$0] }
    let green = used.map { Self.green[$0] }
    var (unexplained, spread) = (0.0, 0.0)
    var least = Double.infinity
    for channel in [0, 2] {
      let ratios = measured.map { $0[channel] / $0.y }
      let residuals = Self.residuals(zip(ratios, green).map { $0 * $1 }, reference)
      let logs = ratios.map(logarithm)
      unexplained += residuals.reduce(0) { $0 + min($1 * $1, 0.25) }
      for (patch, residual) in zip(used, residuals) {
        deviations[patch] = max(deviations[patch] ?? 0, abs(residual))
      }
      let channelSpread = Self.variance(logs)
      spread += channelSpread
      least = min(least, channelSpread)
    }
    let count = Double(used.count)
    colorMatch = least < 0.02 ? 0 : 1 - unexplained / count / spread
    let expected = green.map(logarithm)
    let brightness = zip(measured, expected).map { logarithm($0.y) - $1 }
    let places = used.map { SIMD3(Double($0 % 6), Double($0 / 6), 1) }
    let plane = Self.leastSquares(places, brightness, weights: nil) ?? .zero
    let uneven = zip(places, brightness).map { $1 - ($0 * plane).sum() }
    brightnessMatch = 1 - Self.variance(uneven) / Self.variance(expected)
  }

  /// Returns the logarithms of m·reference over the values, for the best-fitting m.
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

  /// Returns the x whose products with the rows are nearest to the values.
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
