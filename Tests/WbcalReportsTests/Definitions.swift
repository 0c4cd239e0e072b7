import ColorScience
import Foundation
import Testing
import WhiteBalance

// Computes the page's numbers from their definitions, independently of the code that made the page.

func expect(
  _ text: String, _ value: Double, decimals: Int, slack: Double = 1e-6,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let printed = try #require(
    Double(text.replacingOccurrences(of: "−", with: "-")), sourceLocation: sourceLocation)
  let unit = pow(10, Double(-decimals))
  #expect(
    abs(printed - value) <= (0.5 + slack) * unit + 1e-12, "\(text), expected \(value)",
    sourceLocation: sourceLocation)
  let fraction = text.split(separator: ".").dropFirst().first?.count ?? 0
  #expect(fraction == decimals, sourceLocation: sourceLocation)
}

func combined(_ model: MatrixCameraModel) -> [[Double]] {
  model.matrix.rows.enumerated().map { index, row in
    (0..<3).map { row[$0] * model.unitCalibration.vector[index] }
  }
}

func product(_ m: [[Double]], _ v: [Double]) -> [Double] {
  m.map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] }
}

/// Solves by Gauss–Jordan elimination; the matrices of cameras need no pivoting.
func solved(_ m: [[Double]], _ v: [Double]) -> [Double] {
  var a = m.enumerated().map { $1 + [v[$0]] }
  for i in 0..<3 {
    a[i] = a[i].map { [pivot = a[i][i]] in $0 / pivot }
    for k in 0..<3 where k != i {
      a[k] = zip(a[k], a[i]).map { [factor = a[k][i]] in $0 - factor * $1 }
    }
  }
  return a.map { $0[3] }
}

/// Returns the correlated color temperature by its definition, with a golden-section search over
/// Planck's law.
func nearestBlackBody(x: Double, y: Double) -> (mired: Double, duv: Double) {
  func uv(_ c: Chromaticity) -> (Double, Double) {
    let d = -2 * c.x + 12 * c.y + 3
    return (4 * c.x / d, 6 * c.y / d)
  }
  let p = uv(Chromaticity(x: x, y: y))
  func offset(_ mired: Double) -> (du: Double, dv: Double, distance: Double) {
    let b = uv(Chromaticity(SpectralDistribution.planckian(kelvin: 1e6 / mired).xyz))
    let (du, dv) = (p.0 - b.0, p.1 - b.1)
    return (du, dv, (du * du + dv * dv).squareRoot())
  }
  var (low, high) = (50.0, 600.0)
  let ratio = (5.0.squareRoot() - 1) / 2
  for _ in 0..<60 {
    let left = high - ratio * (high - low)
    let right = low + ratio * (high - low)
    if offset(left).distance < offset(right).distance { high = right } else { low = left }
  }
  let mired = (low + high) / 2
  let nearest = offset(mired)
  return (mired, nearest.dv >= 0 ? nearest.distance : -nearest.distance)
}
