extension SpectralDistribution {
  /// Interpolates the table at finer steps by Sprague's polynomials of the fifth degree, which CIE
  /// recommends for equally spaced tables.
  ///
  /// The polynomials pass through the tabulated values, where slope and curvature are continuous.
  /// Next to narrow lines they overshoot, even below zero.
  ///
  /// Domain: any division into equal parts; `nil` for fewer than six values. Error: polynomials of
  /// the fourth degree are reproduced exactly, within rounding; 1e-12 from colour-science 0.4.7 on
  /// FL2 (`SpragueInterpolationTests`). Complexity: O(values × parts). Source: CIE 167:2005,
  /// equations V to VII; Westland, Ripamonti and Cheung, Computational Colour Science Using MATLAB,
  /// 2nd ed., 2012.
  ///
  /// - Parameter parts: the number of parts into which each step is divided.
  /// - Precondition: `parts` is positive.
  public func interpolatedBySprague(parts: Int) -> SpectralDistribution? {
    precondition(parts > 0, "`parts` must be positive")
    guard values.count >= 6 else { return nil }
    let start = Self.outside(values.prefix(6))
    let end = Self.outside(values.suffix(6).reversed())
    let v = [start.second, start.first] + values + [end.first, end.second]
    var fine: [Double] = []
    fine.reserveCapacity((values.count - 1) * parts + 1)
    for i in 2..<v.count - 3 {
      let (p, q, r, s, t, u) = (v[i - 2], v[i - 1], v[i], v[i + 1], v[i + 2], v[i + 3])
      let c1 = (2 * p - 16 * q + 16 * s - 2 * t) / 24
      let c2 = (-p + 16 * q - 30 * r + 16 * s - t) / 24
      let c3 = (-9 * p + 39 * q - 70 * r + 66 * s - 33 * t + 7 * u) / 24
      let c4 = (13 * p - 64 * q + 126 * r - 124 * s + 61 * t - 12 * u) / 24
      let c5 = (-5 * p + 25 * q - 50 * r + 50 * s - 25 * t + 5 * u) / 24
      for part in 0..<parts {
        let x = Double(part) / Double(parts)
        fine.append(r + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5)))))
      }
    }
    fine.append(values[values.count - 1])
    return SpectralDistribution(first: firstWavelength, step: step / Double(parts), values: fine)
  }

  /// Returns the values one and two steps beyond an end of the table, from the six values at that
  /// end.
  private static func outside(_ end: some Collection<Double>) -> (first: Double, second: Double) {
    func sum(_ weights: [Double]) -> Double {
      zip(end, weights).reduce(0) { $0 + $1.0 * $1.1 } / 209
    }
    return (sum([508, -540, 488, -367, 144, -24]), sum([884, -1960, 3033, -2648, 1080, -180]))
  }
}
