import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct CholeskyFactorTests {
  /// L·Lᵀ for L of 2; 1, 3; −1, 0.5, 1.5.
  private static let lower: [[Double]] = [[2, 0, 0], [1, 3, 0], [-1, 0.5, 1.5]]

  private static func product(_ matrix: [[Double]], _ x: [Double]) -> [Double] {
    matrix.map { row in zip(row, x).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static let matrix: [[Double]] = lower.map { row in product(lower, row) }

  @Test func solutions() throws {
    let factor = try #require(CholeskyFactor(Self.matrix))
    let x = [0.7, -2, 5]
    for (found, expected) in zip(factor.solve(Self.product(Self.matrix, x)), x) {
      #expect(abs(found - expected) < 1e-12)
    }
    let transposed = (0..<3).map { column in Self.lower.map { $0[column] } }
    let backward = factor.solveTransposed(Self.product(transposed, x))
    for (found, expected) in zip(backward, x) { #expect(abs(found - expected) < 1e-12) }
    for (row, line) in factor.inverse.enumerated() {
      for (column, value) in Self.product(Self.matrix, line).enumerated() {
        #expect(abs(value - (row == column ? 1 : 0)) < 1e-12)
      }
    }
    for i in 0..<2 {
      let (a, b, d) = factor.inverseBlock(at: i)
      #expect(abs(a - factor.inverse[i][i]) < 1e-12)
      #expect(abs(b - factor.inverse[i][i + 1]) < 1e-12)
      #expect(abs(d - factor.inverse[i + 1][i + 1]) < 1e-12)
    }
  }

  @Test(arguments: [
    [[0.0]], [[-1]], [[.nan]], [[1, 1], [1, 1]], [[1, 2], [2, 1]], [[1, 0], [0, 0]],
  ])
  func notPositiveDefinite(matrix: [[Double]]) {
    #expect(CholeskyFactor(matrix) == nil)
  }
}
