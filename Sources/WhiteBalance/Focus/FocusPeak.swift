internal import ColorScience

/// The peak of a sharpness curve.
///
/// The width of a blur grows with the distance from the best position as the hypotenuse of a
/// triangle does, and the square root of the sharpness is inversely proportional to the square of
/// the width. Its inverse is therefore nearly a parabola, which is fitted by least squares.
package struct FocusPeak {
  /// The best value, and its standard deviation.
  package var value, error: Double
  /// The sharpness at the peak, and its standard deviation.
  package var sharpness, sharpnessError: Double

  /// The fraction of the largest sharpness above which a sample is used.
  private static let share = 0.3
  /// The relative error without noise, because the curve is not an exact parabola.
  private static let modelError = 0.02

  private init(value: Double, error: Double, sharpness: Double, sharpnessError: Double) {
    (self.value, self.error) = (value, error)
    (self.sharpness, self.sharpnessError) = (sharpness, sharpnessError)
  }

  /// Fits a peak to samples in the order of their values; `nil` if they have no significant peak.
  ///
  /// - Parameter unit: The unit of values for the fit, about their distance.
  package init?(_ samples: [(value: Int, measure: FocusMeasure)], unit: Double) {
    guard let top = samples.max(by: { $0.measure.sharpness < $1.measure.sharpness }),
      top.measure.sharpness > 0
    else { return nil }
    let used = samples.filter { _, measure in
      measure.sharpness > max(Self.share * top.measure.sharpness, 3 * measure.standardError)
    }
    guard used.count >= 3 else {
      // A narrower peak lies between its neighbors.
      guard let first = used.first?.value, let last = used.last?.value,
        let below = samples.last(where: { $0.value < first }),
        let above = samples.first(where: { $0.value > last }),
        [below, above].allSatisfy({ top.measure.differs(from: $0.measure, byMoreThan: 0.3) })
      else { return nil }
      let weight = used.reduce(0) { $0 + $1.measure.sharpness }
      self.init(
        value: used.reduce(0) { $0 + Double($1.value) * $1.measure.sharpness } / weight,
        error: Double(above.value - below.value) / 8, sharpness: top.measure.sharpness,
        sharpnessError: top.measure.standardError)
      return
    }
    var normal = [[Double]](repeating: [0, 0, 0], count: 3)
    var right = [0.0, 0, 0]
    let points = used.map { value, measure in
      let root = measure.sharpness.squareRoot()
      let relative = measure.standardError / measure.sharpness
      let error = (relative * relative + Self.modelError * Self.modelError).squareRoot() / 2 / root
      return (x: Double(value - top.value) / unit, y: 1 / root, weight: 1 / (error * error))
    }
    for point in points {
      let row = [1, point.x, point.x * point.x]
      for i in 0..<3 {
        right[i] += point.weight * row[i] * point.y
        for j in 0..<3 { normal[i][j] += point.weight * row[i] * row[j] }
      }
    }
    guard let factor = CholeskyFactor(normal) else { return nil }
    let fit = factor.solve(right)
    guard fit[2] > 0 else { return nil }
    var chiSquare = 0.0
    for point in points {
      let miss = point.y - (fit[0] + point.x * (fit[1] + point.x * fit[2]))
      chiSquare += point.weight * miss * miss
    }
    let scatter = max(1, chiSquare / Double(max(1, points.count - 3)))
    func error(_ slope: [Double]) -> Double {
      let solved = factor.solve(slope)
      return (scatter * zip(slope, solved).reduce(0) { $0 + $1.0 * $1.1 }).squareRoot()
    }
    let x = -fit[1] / (2 * fit[2])
    let inverse = fit[0] + x * fit[1] / 2
    guard inverse > 0 else { return nil }
    let sharpness = 1 / (inverse * inverse)
    self.init(
      value: Double(top.value) + x * unit,
      error: unit * error([0, -1 / (2 * fit[2]), -x / fit[2]]),
      sharpness: sharpness, sharpnessError: 2 * error([1, x, x * x]) / inverse * sharpness)
  }
}

extension FocusMeasure {
  /// Indicates whether two measures differ significantly, and by more than a fraction of the
  /// larger.
  package func differs(from other: FocusMeasure, byMoreThan share: Double = 0.01) -> Bool {
    let variance = standardError * standardError + other.standardError * other.standardError
    return abs(sharpness - other.sharpness)
      > max(5 * variance.squareRoot(), share * max(sharpness, other.sharpness))
  }
}
