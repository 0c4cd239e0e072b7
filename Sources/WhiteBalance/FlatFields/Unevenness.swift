import ColorScience

/// The unevenness of the surface and its light in flat fields, as far as the differences between
/// the pictures show it.
struct Unevenness {
  /// The part of the pictures' mean that is due to the surface and its light, cell by cell.
  private(set) var share: [SIMD3<Double>]
  /// The evidence of the pictures, and the unevenness as far as it is known.
  private(set) var light: FlatField.Light
  /// The variances of the coefficients of `modes` in the pictures' mean, for each channel.
  private var variances: [SIMD3<Double>] = []

  /// The shapes of unevenness of light that differs between pictures.
  private static let modes = SmoothBasis.polynomial(degree: 2)
  /// The difference between pictures of turned surfaces that is accepted beyond the noise.
  private static let acceptedDifference = 0.005

  /// Finds the unevenness from the pictures' differences from their mean.
  ///
  /// - Parameters:
  ///   - mean: the mean over the pictures, in which cells with weight 0 are not used.
  init(of shots: [FlatShot], mean: SmoothFit.Cells) throws(FlatFieldError) {
    share = Array(repeating: .zero, count: mean.values.count)
    let turns = shots.compactMap(\.quarterTurns)
    guard turns.isEmpty || turns.count == shots.count else { throw .turnsMissing }
    light = FlatField.Light(evidence: .onePicture)
    guard shots.count > 1, turns.isEmpty || Set(turns).count > 1 else { return }
    let differences = shots.map { shot in
      var cells = mean
      cells.values = zip(shot.levels, mean.values).map { $0 - $1 }
      return cells
    }
    if turns.isEmpty {
      findScatter(differences)
    } else {
      try findTurned(differences, turns, aspect: Double(shots[0].height) / Double(shots[0].width))
    }
  }

  /// Returns the variance of the mean's logarithm at a position, relative to that at another one,
  /// that is due to unevenness that did not average out.
  func variance(at place: SIMD2<Double>, from origin: SIMD2<Double>) -> SIMD3<Double> {
    zip(
      variances,
      zip(
        Self.modes.values(x: place.x, y: place.y), Self.modes.values(x: origin.x, y: origin.y))
    ).reduce(.zero) { sum, mode in
      let change = mode.1.0 - mode.1.1
      return sum + change * change * mode.0
    }
  }

  /// Estimates the unevenness of pictures between which the surface was moved in an unknown way:
  /// it is another one in each picture, and its scatter shows how much of it remains in the mean.
  private mutating func findScatter(_ differences: [SmoothFit.Cells]) {
    let count = Double(differences.count)
    let fits = differences.compactMap { SmoothFit(Self.modes, to: $0) }
    guard fits.count == differences.count else { return }
    // The coefficients of 1; y, y²; x, xy; x² in the order of the basis.
    let orders = [[1, 3], [2, 4, 5]]
    variances = Array(repeating: .zero, count: Self.modes.count)
    for modes in orders {
      var sum = SIMD3<Double>.zero
      for fit in fits {
        for mode in modes {
          let value = SIMD3(
            fit.coefficients[0][mode], fit.coefficients[1][mode], fit.coefficients[2][mode])
          sum += value * value
        }
      }
      let freedom = (count - 1) * Double(modes.count)
      let width = Self.studentWidth(freedom)
      for mode in modes { variances[mode] = sum / freedom / count * (width * width) }
    }
    let ranges = fits.map { fit in
      Self.range(differences[0]) { fit.difference(at: $0, from: .zero).value.y }
    }
    light = FlatField.Light(evidence: .moved, unevenness: ranges.max())
  }

  /// The half width of the 95 % interval of Student's distribution, relative to the normal one's
  /// (Abramowitz and Stegun, 26.7.5).
  private static func studentWidth(_ freedom: Double) -> Double {
    let z = 1.959964
    let (cube, fifth) = (z * z * z, z * z * z * z * z)
    let third = 3 * fifth * z * z + 19 * fifth + 17 * cube - 15 * z
    return 1
      + ((cube + z) / (4 * freedom) + (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom)
        + third / (384 * freedom * freedom * freedom)) / z
  }

  /// Estimates the unevenness of a surface that was turned with its light.
  private mutating func findTurned(
    _ differences: [SmoothFit.Cells], _ turns: [Int], aspect: Double
  ) throws(FlatFieldError) {
    let diagonal = (1 + aspect * aspect).squareRoot()
    /// The shapes of the surface's unevenness in the picture, up to the third order.
    func shapes(_ place: SIMD2<Double>, turned turn: Int) -> [Double] {
      var (x, y) = (place.x / diagonal, place.y * aspect / diagonal)
      for _ in 0..<turn { (x, y) = (y, -x) }
      return [x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y]
    }
    let count = Double(turns.count)
    func mean(_ place: SIMD2<Double>) -> [Double] {
      let all = turns.map { shapes(place, turned: $0) }
      return all[0].indices.map { k in all.reduce(0) { $0 + $1[k] } / count }
    }
    let cells = differences[0]
    let places = cells.values.indices.map { cells.grid.place($0) }
    let means = places.map(mean)
    var sums = TurnSums(count: 9)
    for (turn, cells) in zip(turns, differences) {
      for index in cells.values.indices {
        sums.add(
          zip(shapes(places[index], turned: turn), means[index]).map { $0 - $1 },
          cells.values[index], weight: cells.weights[index])
      }
    }
    guard let coefficients = sums.solution() else { return }
    func value(_ shapes: [Double]) -> SIMD3<Double> {
      zip(shapes, coefficients).reduce(.zero) { $0 + $1.0 * $1.1 }
    }
    share = means.map(value)
    for (turn, cells) in zip(turns, differences) {
      var rest = cells
      for index in places.indices {
        rest.values[index] -= value(shapes(places[index], turned: turn)) - share[index]
      }
      try Self.requireNoise(rest)
    }
    light = FlatField.Light(
      evidence: .turned,
      unevenness: Self.range(cells) { value(shapes($0, turned: 0)).y })
  }

  /// Refuses differences with a smooth shape.
  private static func requireNoise(_ cells: SmoothFit.Cells) throws(FlatFieldError) {
    guard let fit = SmoothFit(modes, to: cells) else { return }
    for corner in [SIMD2(-1.0, -1.0), SIMD2(1, -1), SIMD2(-1, 1), SIMD2(1, 1)] {
      let (value, error) = fit.difference(at: corner, from: .zero)
      for channel in 0..<3
      where abs(value[channel]) > max(acceptedDifference, 5 * error[channel]) {
        throw .notTurned(difference: 2 * abs(value[channel]))
      }
    }
  }

  /// The share by which a smooth logarithm changes over a picture.
  private static func range(
    _ cells: SmoothFit.Cells, _ value: (SIMD2<Double>) -> Double
  ) -> Double {
    let values = stride(from: 0, to: cells.values.count, by: 7).map { value(cells.grid.place($0)) }
    return exponential((values.max() ?? 0) - (values.min() ?? 0)) - 1
  }
}

/// The sums of weighted least squares for three channels with a few functions, of which some may be
/// undetermined; their coefficients become 0.
private struct TurnSums {
  private let count: Int
  private var matrix: [[Double]]
  private var right: [SIMD3<Double>]

  init(count: Int) {
    self.count = count
    matrix = Array(repeating: Array(repeating: 0, count: count), count: count)
    right = Array(repeating: .zero, count: count)
  }

  mutating func add(_ row: [Double], _ value: SIMD3<Double>, weight: Double) {
    guard weight > 0 else { return }
    for i in 0..<count {
      for j in 0...i { matrix[i][j] += weight * row[i] * row[j] }
      right[i] += weight * row[i] * value
    }
  }

  func solution() -> [SIMD3<Double>]? {
    var matrix = matrix
    let largest = (0..<count).map { matrix[$0][$0] }.max() ?? 0
    for index in 0..<count { matrix[index][index] += 1e-6 * largest }
    guard largest > 0, let factor = CholeskyFactor(matrix) else { return nil }
    let channels = (0..<3).map { channel in factor.solve(right.map { $0[channel] }) }
    return (0..<count).map { SIMD3(channels[0][$0], channels[1][$0], channels[2][$0]) }
  }
}
