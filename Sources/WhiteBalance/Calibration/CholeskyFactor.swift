import ColorScience

/// A symmetric positive definite matrix, factored as L·Lᵀ.
package struct CholeskyFactor {
  private let size: Int
  /// Lᵀ in row-major order, with its zeros, so that inner loops read adjacent elements.
  private let upper: [Double]

  /// Factors a matrix, of which only the lower triangle is read; `nil` if it is not positive
  /// definite.
  package init?(_ matrix: [[Double]]) {
    self.init(size: matrix.count) { Array(matrix[$0].prefix($0 + 1)) }
  }

  /// Factors a matrix given in row-major order.
  package init?(size: Int, rows: [Double]) {
    self.init(size: size) { Array(rows[$0 * size...$0 * size + $0]) }
  }

  private init?(size n: Int, lowerRow: (Int) -> [Double]) {
    size = n
    var upper = [Double](repeating: 0, count: n * n)
    let isPositive = unsafe upper.withUnsafeMutableBufferPointer { upper in
      for i in 0..<n {
        var row = lowerRow(i)
        for j in 0..<i {
          let value = unsafe row[j] / upper[j * n + j]
          row[j] = value
          unsafe row.subtract(value, of: UnsafePointer(upper.baseAddress! + j * n), j + 1..<i)
          row[i] -= value * value
          unsafe upper[j * n + i] = value
        }
        guard row[i] > 0 else { return false }
        unsafe upper[i * n + i] = row[i].squareRoot()
      }
      return true
    }
    guard isPositive else { return nil }
    self.upper = upper
  }

  /// Solves matrix · x = b for x.
  package func solve(_ b: [Double]) -> [Double] { solveTransposed(solveLower(b)) }

  /// Solves L · x = b for x, where b is 0 before the index `first`.
  private func solveLower(_ b: [Double], from first: Int = 0) -> [Double] {
    var x = b
    unsafe upper.withUnsafeBufferPointer { upper in
      for k in first..<size {
        let row = unsafe upper.baseAddress! + k * size
        unsafe x[k] /= row[k]
        unsafe x.subtract(x[k], of: row, k + 1..<size)
      }
    }
    return x
  }

  /// Solves Lᵀ · x = b for x. If the elements of b are independent standard normal numbers, the
  /// covariance of x is the matrix's inverse.
  func solveTransposed(_ b: [Double]) -> [Double] {
    precondition(b.count == size, "`b` must have an element for each row")
    var x = b
    unsafe x.withUnsafeMutableBufferPointer { x in
      unsafe upper.withUnsafeBufferPointer { upper in
        for i in (0..<size).reversed() {
          let row = unsafe upper.baseAddress! + i * size
          var rest = unsafe x[i]
          for k in i + 1..<size { unsafe rest -= row[k] * x[k] }
          unsafe x[i] = rest / row[i]
        }
      }
    }
    return x
  }

  /// The logarithm of the matrix's determinant.
  package var logDeterminant: Double {
    (0..<size).reduce(0) { $0 + 2 * logarithm(upper[$1 * size + $1]) }
  }

  /// The inverse's elements at (i, i), (i, i + 1) and (i + 1, i + 1), in a third of the time of the
  /// whole inverse.
  func inverseBlock(at i: Int) -> (Double, Double, Double) {
    func column(_ place: Int) -> [Double] {
      var unit = [Double](repeating: 0, count: size)
      unit[place] = 1
      return solveLower(unit, from: place)
    }
    let (first, second) = (column(i), column(i + 1))
    return (dot(first, first), dot(first, second), dot(second, second))
  }

  /// The matrix's inverse.
  package var inverse: [[Double]] {
    (0..<size).map { column in solve((0..<size).map { $0 == column ? 1 : 0 }) }
  }
}

extension [Double] {
  /// Subtracts a multiple of a row's elements from the elements at the same indices.
  fileprivate mutating func subtract(
    _ factor: Double, of row: UnsafePointer<Double>, _ places: Range<Int>
  ) {
    unsafe withUnsafeMutableBufferPointer {
      for place in places { unsafe $0[place] -= factor * row[place] }
    }
  }

  /// Adds a multiple of a row to the first elements, in a plain loop that the compiler can
  /// vectorize.
  mutating func add(_ factor: Double, times row: Span<Double>) {
    precondition(row.count <= count, "`row` must not be longer than the array")
    unsafe withUnsafeMutableBufferPointer { numbers in
      unsafe row.withUnsafeBufferPointer { row in
        for place in row.indices { unsafe numbers[place] += factor * row[place] }
      }
    }
  }
}

/// The dot product of two arrays of equal length. Four partial sums run in parallel, since each
/// addition waits for the one before it.
func dot(_ a: [Double], _ b: [Double]) -> Double {
  precondition(a.count == b.count, "`a` and `b` must have equal lengths")
  return unsafe a.withUnsafeBufferPointer { a in
    unsafe b.withUnsafeBufferPointer { b in
      var sums = (0.0, 0.0, 0.0, 0.0)
      var index = 0
      while index + 4 <= a.count {
        unsafe sums.0 += a[index] * b[index]
        unsafe sums.1 += a[index + 1] * b[index + 1]
        unsafe sums.2 += a[index + 2] * b[index + 2]
        unsafe sums.3 += a[index + 3] * b[index + 3]
        index += 4
      }
      var sum = (sums.0 + sums.1) + (sums.2 + sums.3)
      for index in index..<a.count { unsafe sum += a[index] * b[index] }
      return sum
    }
  }
}
