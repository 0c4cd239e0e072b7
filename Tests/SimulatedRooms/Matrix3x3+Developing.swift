internal import ColorScience
internal import WhiteBalance

extension Matrix3x3 {
  /// The matrix from a camera's balanced responses to the patches of a chart to linear sRGB: the
  /// one with rows that sum to 1 and the least squares of the differences.
  init(developing seen: [SIMD3<Double>], under light: SpectralDistribution) {
    let white = light.xyz.vector / light.xyz.y
    let rgb = RGBColorSpace.sRGB
    let reference = rgb.toXYZ * SIMD3(1, 1, 1)
    let wanted = ColorChart.classicFrom2014.colors(under: light).map {
      rgb.fromXYZ * ($0.vector / white * reference)
    }
    let rows = (0..<3).map { channel -> SIMD3<Double> in
      // Of red − green and blue − green, whose weights are free.
      var (xx, xy, yy, x, y) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for (seen, wanted) in zip(seen, wanted) {
        let (red, blue) = (seen.x - seen.y, seen.z - seen.y)
        let rest = wanted[channel] - seen.y
        (xx, xy, yy) = (xx + red * red, xy + red * blue, yy + blue * blue)
        (x, y) = (x + red * rest, y + blue * rest)
      }
      let determinant = xx * yy - xy * xy
      let (red, blue) = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant)
      return SIMD3(red, 1 - red - blue, blue)
    }
    self = Matrix3x3(rows[0], rows[1], rows[2])
  }
}
