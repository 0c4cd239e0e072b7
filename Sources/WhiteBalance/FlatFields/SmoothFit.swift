import ColorScience

/// A smooth surface for each of three channels, fitted to the values of cells by weighted least
/// squares.
struct SmoothFit {
  /// The cells of a picture, and their values.
  struct Cells {
    var grid: CellGrid
    /// The values of the channels, row by row.
    var values: [SIMD3<Double>]
    /// The weights, the inverse of the values' variances up to a factor; 0 omits a cell.
    var weights: [Double]
  }

  let basis: SmoothBasis
  /// The coefficients of the basis for each channel.
  let coefficients: [[Double]]
  /// The differences of the cells' values from the surface.
  let residuals: [SIMD3<Double>]
  /// The standard deviation of a value with weight 1, for each channel.
  let noise: SIMD3<Double>
  /// `noise`, increased if the residuals of neighbors are alike, because of noise that they share
  /// or a shape that the basis does not have, such that the error of means over cells is correct.
  private let scale: SIMD3<Double>
  private let factor: CholeskyFactor
  /// The best fit with fewer functions, whose difference from this one shows the error of shape.
  private var coarser: (basis: SmoothBasis, coefficients: [[Double]], factor: CholeskyFactor)?

  /// The number of parts that cross-validation omits one by one.
  private static let folds = 5

  /// The number of cells that a basis needs for each of its functions: with fewer, splines would
  /// follow the edges of objects.
  private static let cellsPerFunction = 8

  /// The share by which the prediction error of splines must be below that of polynomials. Noise
  /// alone makes a difference of less.
  private static let advantageOfSplines = 0.005

  /// Chooses the basis that predicts cells best of which it was fitted without; `nil` if there are
  /// too few cells.
  ///
  /// Lenses' gradual falloff is described best by polynomials, whose error in the corners is half
  /// that of splines; a falloff that begins within the picture, as by a hood or the edge of a
  /// microscope's field, by splines, with a quarter of the error of polynomials.
  ///
  /// The error of the best polynomials' shape is about as large as that of noise. The next higher
  /// degree makes it small; if the two differ by more than noise does, half of this counts as what
  /// remains.
  init?(choosingFor cells: Cells) {
    let used = cells.weights.count { $0 > 0 }
    let possible = SmoothBasis.candidates.filter { Self.cellsPerFunction * $0.count <= used }
    let scored = possible.compactMap { basis -> (basis: SmoothBasis, error: Double)? in
      guard let error = Self.predictionError(basis, cells) else { return nil }
      return (basis, basis.isPolynomial ? error : error * (1 + Self.advantageOfSplines))
    }
    guard let best = scored.min(by: { $0.error < $1.error })?.basis else { return nil }
    guard best.isPolynomial,
      let finer = possible.first(where: { $0.isPolynomial && $0.count > best.count }),
      let coarse = SmoothFit(best, to: cells)
    else {
      self.init(best, to: cells)
      return
    }
    self.init(finer, to: cells)
    coarser = (best, coarse.coefficients, coarse.factor)
  }

  /// Fits the surface of a basis; `nil` if the cells do not determine it.
  init?(_ basis: SmoothBasis, to cells: Cells) {
    let design = Self.design(basis, cells)
    var sums = NormalSums(count: basis.count)
    for index in cells.values.indices {
      sums.add(design, at: index, cells.values[index], weight: cells.weights[index])
    }
    guard let (factor, coefficients) = sums.solution() else { return nil }
    (self.basis, self.factor, self.coefficients) = (basis, factor, coefficients)
    residuals = cells.values.indices.map {
      cells.values[$0] - Self.value(design, at: $0, coefficients)
    }
    noise = Self.noise(residuals, cells, parameters: basis.count)
    scale = Self.sharedNoise(residuals, cells, parameters: basis.count, atLeast: noise)
  }

  /// The errors as multiples of those that the weights promise, in the channel with the largest.
  var excess: Double { scale.max() }

  /// Returns the surface at a position relative to that at another one, and the standard errors of
  /// this difference; positions are −1…1 in both directions.
  func difference(
    at place: SIMD2<Double>, from origin: SIMD2<Double>
  ) -> (value: SIMD3<Double>, error: SIMD3<Double>) {
    func change(_ basis: SmoothBasis) -> [Double] {
      zip(basis.values(x: place.x, y: place.y), basis.values(x: origin.x, y: origin.y))
        .map { $0 - $1 }
    }
    func value(_ change: [Double], _ coefficients: [[Double]]) -> SIMD3<Double> {
      SIMD3(
        dot(change, coefficients[0]), dot(change, coefficients[1]), dot(change, coefficients[2]))
    }
    let own = change(basis)
    let found = value(own, coefficients)
    let ownVariance = scale * scale * max(0, dot(own, factor.solve(own)))
    guard let coarser else { return (found, ownVariance.squareRoot()) }
    let other = change(coarser.basis)
    let difference = found - value(other, coarser.coefficients)
    let otherVariance = scale * scale * max(0, dot(other, coarser.factor.solve(other)))
    // The fit with fewer functions contains no other noise.
    let noise = pointwiseMax(ownVariance - otherVariance, .zero)
    let shape = pointwiseMax(difference * difference - 4 * noise, .zero) / 4
    return (found, (ownVariance + shape).squareRoot())
  }

  /// Returns the mean square of the weighted errors with which the cells are predicted from others.
  private static func predictionError(_ basis: SmoothBasis, _ cells: Cells) -> Double? {
    let design = design(basis, cells)
    /// Cells of one part are evenly distributed, and never neighbors.
    func fold(_ index: Int) -> Int {
      (index % cells.grid.columns + 2 * (index / cells.grid.columns)) % folds
    }
    var parts = (0..<folds).map { _ in NormalSums(count: basis.count) }
    for index in cells.values.indices {
      parts[fold(index)].add(
        design, at: index, cells.values[index], weight: cells.weights[index])
    }
    let whole = parts.dropFirst().reduce(into: parts[0]) { $0.add($1) }
    var error = SIMD3<Double>.zero
    for part in 0..<folds {
      var others = whole
      others.add(parts[part], sign: -1)
      guard let (_, coefficients) = others.solution() else { return nil }
      for index in cells.values.indices where fold(index) == part {
        let residual = cells.values[index] - value(design, at: index, coefficients)
        error += cells.weights[index] * residual * residual
      }
    }
    return error.sum()
  }

  /// The values of the basis in all cells, cell by cell.
  private static func design(_ basis: SmoothBasis, _ cells: Cells) -> [Double] {
    cells.values.indices.flatMap { index in
      let place = cells.grid.place(index)
      return basis.values(x: place.x, y: place.y)
    }
  }

  private static func value(
    _ design: [Double], at index: Int, _ coefficients: [[Double]]
  ) -> SIMD3<Double> {
    let count = coefficients[0].count
    var value = SIMD3<Double>.zero
    for k in 0..<count {
      value +=
        design[index * count + k]
        * SIMD3(coefficients[0][k], coefficients[1][k], coefficients[2][k])
    }
    return value
  }

  /// The scatter of weighted residuals, robust against a few outliers.
  private static func noise(
    _ residuals: [SIMD3<Double>], _ cells: Cells, parameters: Int
  ) -> SIMD3<Double> {
    let used = residuals.indices.filter { cells.weights[$0] > 0 }
    let freedom = Double(max(1, used.count - parameters)) / Double(used.count)
    var noise = SIMD3<Double>.zero
    for channel in 0..<3 {
      let scaled = used.map { abs(residuals[$0][channel]) * cells.weights[$0].squareRoot() }
      noise[channel] = 1.4826 * scaled.median / freedom.squareRoot()
    }
    return noise
  }

  /// The scatter of the means of weighted residuals over blocks of cells, as that of single cells.
  private static func sharedNoise(
    _ residuals: [SIMD3<Double>], _ cells: Cells, parameters: Int, atLeast least: SIMD3<Double>
  ) -> SIMD3<Double> {
    let side = 3
    var (sum, blocks) = (SIMD3<Double>.zero, 0)
    for top in stride(from: 0, to: cells.grid.rows - side + 1, by: side) {
      for left in stride(from: 0, to: cells.grid.columns - side + 1, by: side) {
        let places = (0..<side * side).map {
          (top + $0 / side) * cells.grid.columns + left + $0 % side
        }
        guard places.allSatisfy({ cells.weights[$0] > 0 }) else { continue }
        let total = places.reduce(SIMD3<Double>.zero) {
          $0 + residuals[$1] * cells.weights[$1].squareRoot()
        }
        sum += total * total / Double(side * side)
        blocks += 1
      }
    }
    // The fit makes the means of large blocks smaller.
    let freedom = Double(blocks - parameters)
    guard freedom >= 8 else { return least }
    let shared = (sum / freedom).squareRoot()
    let chance = (1 + 2 * (2 / freedom).squareRoot()).squareRoot()
    return shared.replacing(with: least, where: shared .<= chance * least)
  }
}

/// The sums of weighted least squares for three channels with the same functions.
private struct NormalSums {
  private let count: Int
  private var matrix: [Double]
  private var right: [[Double]]

  init(count: Int) {
    self.count = count
    matrix = Array(repeating: 0, count: count * count)
    right = Array(repeating: Array(repeating: 0, count: count), count: 3)
  }

  /// Adds a cell, whose functions are those at an index of the design.
  mutating func add(
    _ design: [Double], at index: Int, _ value: SIMD3<Double>, weight: Double
  ) {
    guard weight > 0 else { return }
    let count = count
    unsafe design.withUnsafeBufferPointer { design in
      let row = unsafe design.baseAddress! + index * count
      unsafe matrix.withUnsafeMutableBufferPointer { matrix in
        for i in 0..<count {
          let factor = unsafe weight * row[i]
          // Only the lower triangle is read. Splines are 0 over most of the picture.
          if factor == 0 { continue }
          let line = unsafe matrix.baseAddress! + i * count
          for j in 0...i { unsafe line[j] += factor * row[j] }
        }
      }
      for channel in 0..<3 {
        let factor = weight * value[channel]
        for i in 0..<count { unsafe right[channel][i] += factor * row[i] }
      }
    }
  }

  /// Adds the sums of other cells, or subtracts them.
  mutating func add(_ other: NormalSums, sign: Double = 1) {
    for index in matrix.indices { matrix[index] += sign * other.matrix[index] }
    for channel in 0..<3 {
      for index in 0..<count { right[channel][index] += sign * other.right[channel][index] }
    }
  }

  /// The factor of the matrix and the coefficients; `nil` if they are not determined.
  func solution() -> (CholeskyFactor, [[Double]])? {
    var matrix = matrix
    let trace = (0..<count).reduce(0) { $0 + matrix[$1 * count + $1] }
    // This changes no result by a share of 1e-9, and allows for the inaccuracy of sums.
    for index in 0..<count { matrix[index * count + index] += 1e-12 * trace }
    guard let factor = CholeskyFactor(size: count, rows: matrix) else { return nil }
    return (factor, right.map { factor.solve($0) })
  }
}
