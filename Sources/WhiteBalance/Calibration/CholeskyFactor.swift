import ColorScience

/// A symmetric positive definite matrix, factored as L·Lᵀ.
package struct CholeskyFactor {
  private let lower: [[Double]]

  /// `nil` if the matrix is not positive definite; only its lower triangle is read.
  package init?(_ matrix: [[Double]]) {
    var l: [[Double]] = []
    for i in matrix.indices {
      var row = Array(matrix[i].prefix(i + 1))
      for (j, other) in l.enumerated() {
        var sum = row[j]
        for k in 0..<j { sum -= row[k] * other[k] }
        row[j] = sum / other[j]
      }
      for k in 0..<i { row[i] -= row[k] * row[k] }
      guard row[i] > 0 else { return nil }
      row[i] = row[i].squareRoot()
      l.append(row)
    }
    lower = l
  }

  /// Solves matrix · x = b for x.
  package func solve(_ b: [Double]) -> [Double] {
    var x = b
    for (i, row) in lower.enumerated() {
      for k in 0..<i { x[i] -= row[k] * x[k] }
      x[i] /= row[i]
    }
    return solveTransposed(x)
  }

  /// Solves Lᵀ · x = b for x: for b of independent standard normal numbers, the covariance of x is
  /// the matrix's inverse.
  func solveTransposed(_ b: [Double]) -> [Double] {
    var x = b
    for i in x.indices.reversed() {
      for k in (i + 1)..<x.count { x[i] -= lower[k][i] * x[k] }
      x[i] /= lower[i][i]
    }
    return x
  }

  var logDeterminant: Double {
    lower.indices.reduce(0) { $0 + 2 * logarithm(lower[$1][$1]) }
  }

  var inverse: [[Double]] {
    lower.indices.map { column in solve(lower.indices.map { $0 == column ? 1 : 0 }) }
  }
}
