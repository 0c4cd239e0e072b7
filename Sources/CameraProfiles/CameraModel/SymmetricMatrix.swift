internal import ColorScience

/// A symmetric matrix that is factored in place, for fits that do so thousands of times.
struct SymmetricMatrix {
  let count: Int
  /// Row by row; after `factorize` the lower triangle is its Cholesky factor.
  var numbers: [Double]

  init(count: Int) {
    self.count = count
    numbers = [Double](repeating: 0, count: count * count)
  }

  init(count: Int, numbers: [Double]) {
    self.count = count
    self.numbers = numbers
  }

  subscript(row: Int, column: Int) -> Double {
    get { numbers[row * count + column] }
    set { numbers[row * count + column] = newValue }
  }

  /// Factors the matrix as L·Lᵀ; `false` if it is not positive definite.
  mutating func factorize() -> Bool {
    let n = count
    for i in 0..<n {
      for j in 0...i {
        var sum = numbers[i * n + j]
        for k in 0..<j { sum -= numbers[i * n + k] * numbers[j * n + k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return false }
          numbers[i * n + i] = sum.squareRoot()
        } else {
          numbers[i * n + j] = sum / numbers[j * n + j]
        }
      }
    }
    return true
  }

  /// Solves matrix · x = b in place of b, by the factor.
  func solve(_ b: inout [Double]) {
    let n = count
    for i in 0..<n {
      var sum = b[i]
      for k in 0..<i { sum -= numbers[i * n + k] * b[k] }
      b[i] = sum / numbers[i * n + i]
    }
    for i in (0..<n).reversed() {
      var sum = b[i]
      for k in i + 1..<n { sum -= numbers[k * n + i] * b[k] }
      b[i] = sum / numbers[i * n + i]
    }
  }

  var logDeterminant: Double {
    (0..<count).reduce(0) { $0 + 2 * logarithm(numbers[$1 * count + $1]) }
  }

  /// The inverse, row by row, by the factor.
  func inverse() -> [Double] {
    var result = [Double](repeating: 0, count: count * count)
    var column = [Double](repeating: 0, count: count)
    for j in 0..<count {
      for i in 0..<count { column[i] = i == j ? 1 : 0 }
      solve(&column)
      for i in 0..<count { result[i * count + j] = column[i] }
    }
    return result
  }
}
