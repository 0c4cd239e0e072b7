/// Smooth functions over a picture, of which shading is a sum.
enum SmoothBasis: Hashable, Sendable {
  /// Products of Legendre polynomials up to a total degree. Zernike's polynomials up to the same
  /// degree have the same sums; these are orthogonal over the picture instead of a circle.
  case polynomial(degree: Int)
  /// Products of cubic B-splines, with this number of intervals across and down.
  case spline(columns: Int, rows: Int)

  /// The bases among which cross-validation chooses.
  static let candidates: [SmoothBasis] =
    [2, 4, 6, 8, 10].map { .polynomial(degree: $0) }
    + [(3, 2), (4, 3), (6, 5), (8, 6), (12, 9)].map { .spline(columns: $0, rows: $1) }

  /// The number of functions.
  var count: Int {
    switch self {
    case .polynomial(let degree): (degree + 1) * (degree + 2) / 2
    case .spline(let columns, let rows): (columns + 3) * (rows + 3)
    }
  }

  /// Indicates whether the functions are polynomials.
  var isPolynomial: Bool { if case .polynomial = self { true } else { false } }

  /// Returns the functions' values at a position, −1…1 from the left to the right and from the top
  /// to the bottom.
  func values(x: Double, y: Double) -> [Double] {
    switch self {
    case .polynomial(let degree):
      let (across, down) = (Self.legendre(x, degree), Self.legendre(y, degree))
      return (0...degree).flatMap { i in (0...degree - i).map { across[i] * down[$0] } }
    case .spline(let columns, let rows):
      let (across, down) = (Self.splines(x, columns), Self.splines(y, rows))
      return across.flatMap { x in down.map { x * $0 } }
    }
  }

  private static func legendre(_ x: Double, _ degree: Int) -> [Double] {
    var values = [1, x]
    for k in stride(from: 2, through: degree, by: 1) {
      let n = Double(k)
      values.append(((2 * n - 1) * x * values[k - 1] - (n - 1) * values[k - 2]) / n)
    }
    return values
  }

  /// The values of the uniform cubic B-splines over a number of intervals.
  private static func splines(_ x: Double, _ intervals: Int) -> [Double] {
    let place = (x + 1) / 2 * Double(intervals)
    let first = max(0, min(Int(place), intervals - 1))
    let t = place - Double(first)
    let (s, square, cube) = (1 - t, t * t, t * t * t)
    var values = [Double](repeating: 0, count: intervals + 3)
    values[first] = s * s * s / 6
    values[first + 1] = (3 * cube - 6 * square + 4) / 6
    values[first + 2] = (3 * square - 3 * cube + 3 * t + 1) / 6
    values[first + 3] = cube / 6
    return values
  }
}
