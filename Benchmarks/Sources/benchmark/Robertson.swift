import ColorScience

/// Robertson's method (1968) as usually implemented: 31 isotherms as slopes, and interpolation.
struct Robertson {
  private var rows: [(mired: Double, u: Double, v: Double, slope: Double)]

  init() {
    let mireds =
      Array(stride(from: 0.0, through: 100, by: 10))
      + Array(stride(from: 125.0, through: 600, by: 25))
    rows = mireds.map { mired in
      let on = UCS1960(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0)))
      let off = UCS1960(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0.01)))
      return (mired, on.u, on.v, (off.v - on.v) / (off.u - on.u))
    }
  }

  /// Returns the temperature in kelvin; NaN outside the table.
  func temperature(x: Double, y: Double) -> Double {
    let denominator = -2 * x + 12 * y + 3
    let (u, v) = (4 * x / denominator, 6 * y / denominator)
    var last = 0.0
    for (index, row) in rows.enumerated() {
      let distance =
        ((v - row.v) - row.slope * (u - row.u)) / (1 + row.slope * row.slope).squareRoot()
      if index > 0, (last < 0) != (distance < 0) {
        let before = rows[index - 1]
        return 1e6 / (before.mired + last / (last - distance) * (row.mired - before.mired))
      }
      last = distance
    }
    return .nan
  }
}
