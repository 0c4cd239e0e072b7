/// A 3×3 matrix that acts on column vectors.
public struct Matrix3x3: Hashable, Sendable, CustomStringConvertible {
  /// The rows, from the top.
  public var rows: [SIMD3<Double>] { [row0, row1, row2] }
  // Nine numbers and not three vectors, for the reason given at `LinearRGB`.
  private var r0, r1, r2: LinearRGB
  private var row0: SIMD3<Double> { r0.vector }
  private var row1: SIMD3<Double> { r1.vector }
  private var row2: SIMD3<Double> { r2.vector }

  /// A matrix from its rows.
  public init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
    r0 = LinearRGB(row0)
    r1 = LinearRGB(row1)
    r2 = LinearRGB(row2)
  }

  /// A matrix from its nine numbers, row by row.
  package init(elements e: [Double]) {
    self.init(SIMD3(e[0], e[1], e[2]), SIMD3(e[3], e[4], e[5]), SIMD3(e[6], e[7], e[8]))
  }

  /// A matrix from its columns.
  package init(columns a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    self.init(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
  }

  /// The nine numbers, row by row.
  package var elements: [Double] { rows.flatMap { [$0.x, $0.y, $0.z] } }

  /// A diagonal matrix.
  public init(diagonal: SIMD3<Double>) {
    self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
  }

  /// The product with a column vector.
  public static func * (matrix: Matrix3x3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(dot(matrix.row0, vector), dot(matrix.row1, vector), dot(matrix.row2, vector))
  }

  /// The product of two matrices.
  public static func * (left: Matrix3x3, right: Matrix3x3) -> Matrix3x3 {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> {
      r.x * right.row0 + r.y * right.row1 + r.z * right.row2
    }
    return Matrix3x3(row(left.row0), row(left.row1), row(left.row2))
  }

  /// The determinant.
  public var determinant: Double { dot(row0, cross(row1, row2)) }

  /// The inverse; `nil` if the determinant is zero or not finite, or if the inverse would overflow.
  public var inverse: Matrix3x3? {
    let scale = 1 / determinant
    guard scale.isFinite, scale != 0 else { return nil }
    let a = cross(row1, row2) * scale
    let b = cross(row2, row0) * scale
    let c = cross(row0, row1) * scale
    guard (a + b + c).sum().isFinite else { return nil }
    return Matrix3x3(columns: a, b, c)
  }

  /// The rows as text, such as `1.0000 0.0000 0.0000; 0.0000 …`.
  public var description: String {
    rows.map { row in
      (0..<3).map { fixed(row[$0], decimals: 4) }.joined(separator: " ")
    }.joined(separator: "; ")
  }
}

#if !hasFeature(Embedded)
extension Matrix3x3: Codable {
  /// Decodes nine numbers, row by row.
  public init(from decoder: any Decoder) throws { self.init(elements: try decoder.numbers(9)) }

  /// Encodes nine numbers, row by row.
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}
#endif

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  a.x * b.x + a.y * b.y + a.z * b.z
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
