/// A symmetric positive definite matrix, factored as L·Lᵀ.
package struct CholeskyFactor {
  private let lower: [[Double]]

  /// `nil` if the matrix is not positive definite.
  package init?(_ matrix: [[Double]]) {
    var l = matrix
    for i in matrix.indices {
      for j in 0...i {
        var sum = matrix[i][j]
        for k in 0..<j { sum -= l[i][k] * l[j][k] }
        if i == j {
          guard sum > 0 else { return nil }
          l[i][i] = sum.squareRoot()
        } else {
          l[i][j] = sum / l[j][j]
        }
      }
    }
    lower = l
  }

  /// Solves matrix · x = b for x.
  package func solve(_ b: [Double]) -> [Double] {
    var x = b
    for i in x.indices {
      for k in 0..<i { x[i] -= lower[i][k] * x[k] }
      x[i] /= lower[i][i]
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

  var inverse: [[Double]] {
    lower.indices.map { column in solve(lower.indices.map { $0 == column ? 1 : 0 }) }
  }
}
