import ColorScience
import WhiteBalance

/// A perspective map of the plane.
struct Homography: Hashable, Sendable {
  let matrix: Matrix3x3
  // The rows of the matrix: a finder applies a map a million times, and the matrix product is in
  // another module.
  private let x, y, z: SIMD3<Double>

  init(_ matrix: Matrix3x3) {
    self.matrix = matrix
    let rows = matrix.rows
    (x, y, z) = (rows[0], rows[1], rows[2])
  }

  func apply(_ place: SIMD2<Double>) -> SIMD2<Double> {
    let depth = z.x * place.x + z.y * place.y + z.z
    return SIMD2(
      x.x * place.x + x.y * place.y + x.z, y.x * place.x + y.y * place.y + y.z) / depth
  }

  var inverse: Homography? { matrix.inverse.map { Homography($0) } }

  /// The map that takes four or more points nearest to others; `nil` if they lie on a line.
  ///
  /// It minimizes the squares of u·(g·x + h·y + 1) − (a·x + b·y + c), and v likewise (R. Hartley,
  /// A. Zisserman: Multiple View Geometry, 2004, 4.1), in normalized coordinates.
  init?(_ pairs: [(from: SIMD2<Double>, to: SIMD2<Double>)]) {
    guard pairs.count >= 4 else { return nil }
    let from = Self.normalization(pairs.map(\.from)), to = Self.normalization(pairs.map(\.to))
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 8)
    var right = [Double](repeating: 0, count: 8)
    for pair in pairs {
      let (p, q) = (from.apply(pair.from), to.apply(pair.to))
      for (row, value) in [
        ([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y], q.x),
        ([0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y], q.y),
      ] {
        for i in 0..<8 {
          right[i] += row[i] * value
          for j in 0...i { normal[i][j] += row[i] * row[j] }
        }
      }
    }
    guard let inverse = to.inverse, let factor = CholeskyFactor(normal) else { return nil }
    let h = factor.solve(right)
    guard h.allSatisfy(\.isFinite) else { return nil }
    self.init(inverse.matrix * Matrix3x3(elements: h + [1]) * from.matrix)
  }

  /// The map from all points except those that it would place farther from their targets than
  /// `limit`, measured in the plane from which it maps.
  init?(robust pairs: [(from: SIMD2<Double>, to: SIMD2<Double>)], within limit: Double) {
    var kept = pairs
    for _ in 0..<3 {
      guard let map = Homography(kept), let back = map.inverse else { return nil }
      kept = pairs.filter { pair in
        let offset = back.apply(pair.to) - pair.from
        return (offset * offset).sum() < limit * limit
      }
    }
    self.init(kept)
  }

  /// Returns the map to positions in other units.
  func scaled(by factor: Double) -> Homography {
    Homography(Matrix3x3(diagonal: SIMD3(factor, factor, 1)) * matrix)
  }

  /// Returns the map that moves the mean of points to 0 and scales their mean distance to about 1.
  private static func normalization(_ points: [SIMD2<Double>]) -> Homography {
    let mean = points.reduce(.zero, +) / Double(points.count)
    let variance =
      points.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Double(points.count)
    let scale = 1 / max(variance.squareRoot(), .leastNormalMagnitude)
    return Homography(
      Matrix3x3(
        SIMD3(scale, 0, -scale * mean.x), SIMD3(0, scale, -scale * mean.y), SIMD3(0, 0, 1)))
  }
}
