import ColorScience

/// The cells of a flat field that do not belong to a smooth surface.
struct CellSurvey {
  /// `true` for each cell that is not used.
  private(set) var excluded: [Bool]
  /// Small dark groups of cells.
  private(set) var dust: [DustSpot] = []

  /// The difference from a smooth surface, in standard deviations and as a share, above which a
  /// cell is excluded.
  private static let limit = (deviations: 6.0, share: 0.003)
  /// The largest part of the picture's width that dust darkens.
  private static let largestSpot = 0.1
  /// The share of the cells that may be excluded.
  private static let acceptedShare = 0.05

  /// Finds the cells of a picture.
  ///
  /// - Throws: `FlatFieldError.structure` for large groups, and for many.
  init(of shot: FlatShot) throws(FlatFieldError) {
    excluded = Array(repeating: false, count: shot.levels.count)
    let variances = shot.variances.map { $0.sum() / 3 }
    let least = max(variances.median / 100, 1e-12)
    var cells = SmoothFit.Cells(
      grid: shot.grid, values: shot.levels,
      weights: variances.map { 1 / max($0, least) })
    let weights = cells.weights
    var residuals = Array(repeating: SIMD3<Double>.zero, count: cells.values.count)
    // The first surface is bent by the cells that it finds.
    for _ in 0..<2 {
      guard var fit = SmoothFit(choosingFor: cells) else {
        throw .tooSmall(width: shot.width, height: shot.height)
      }
      for _ in 0..<6 {
        let found = Self.outliers(fit, weights, columns: shot.grid.columns)
        residuals = fit.residuals
        if found == excluded { break }
        excluded = found
        for index in found.indices { cells.weights[index] = found[index] ? 0 : weights[index] }
        try requireFew(residuals, shot)
        guard let next = SmoothFit(fit.basis, to: cells) else { break }
        fit = next
      }
    }
    try classify(residuals, shot)
  }

  /// Returns `true` for each cell that differs from the surface, and for neighbors that differ a
  /// little: the edges of a spot are soft.
  private static func outliers(_ fit: SmoothFit, _ weights: [Double], columns: Int) -> [Bool] {
    func differs(_ index: Int, by factor: Double) -> Bool {
      let deviation = fit.noise * (limit.deviations / weights[index].squareRoot())
      let bound = factor * pointwiseMax(deviation, SIMD3(repeating: limit.share))
      let residual = fit.residuals[index]
      return (0..<3).contains { abs(residual[$0]) > bound[$0] }
    }
    let certain = weights.indices.map { differs($0, by: 1) }
    return weights.indices.map { index in
      certain[index]
        || differs(index, by: 0.4)
          && CellGroup.neighbors(of: index, columns: columns, count: weights.count)
            .contains { certain[$0] }
    }
  }

  private func requireFew(_ residuals: [SIMD3<Double>], _ shot: FlatShot) throws(FlatFieldError) {
    guard Double(excluded.count(where: \.self)) > Self.acceptedShare * Double(excluded.count) else {
      return
    }
    let groups = CellGroup.groups(of: excluded, columns: shot.grid.columns)
    if let largest = groups.max(by: { $0.cells.count < $1.cells.count }) {
      throw Self.structure(largest, residuals, shot)
    }
  }

  private mutating func classify(
    _ residuals: [SIMD3<Double>], _ shot: FlatShot
  ) throws(FlatFieldError) {
    for group in CellGroup.groups(of: excluded, columns: shot.grid.columns) {
      let (across, down) = group.span(columns: shot.grid.columns)
      guard Double(max(across, down)) <= max(3, Self.largestSpot * Double(shot.grid.columns)) else {
        throw Self.structure(group, residuals, shot)
      }
      // Dust takes light of all colors; a hot pixel brightens.
      let sum = group.cells.reduce(SIMD3<Double>.zero) { $0 + residuals[$1] }
      guard sum.max() < 0 else { continue }
      let place = shot.grid.rectangle(of: group.cells)
      let depth = group.cells.map { 1 - exponential(residuals[$0].y) }.max() ?? 0
      dust.append(
        DustSpot(
          x: (Double(place.x) + Double(place.width) / 2) / Double(shot.width),
          y: (Double(place.y) + Double(place.height) / 2) / Double(shot.height),
          width: Double(place.width) / Double(shot.width), depth: depth))
    }
  }

  private static func structure(
    _ group: CellGroup, _ residuals: [SIMD3<Double>], _ shot: FlatShot
  ) -> FlatFieldError {
    let largest = group.cells.map { abs(residuals[$0]).max() }.max() ?? 0
    return .structure(
      difference: exponential(largest) - 1, shot.grid.rectangle(of: group.cells))
  }
}

/// The absolute values of three numbers.
private func abs(_ value: SIMD3<Double>) -> SIMD3<Double> { pointwiseMax(value, -value) }
