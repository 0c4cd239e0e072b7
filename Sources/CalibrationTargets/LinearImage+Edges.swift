extension LinearImage {
  /// Returns a chart's grid, moved so that the two edges of each patch are equally far from its
  /// middle, and the fraction of the patches whose edges agree with it.
  func refined(_ grid: Homography) -> (grid: Homography, support: Double) {
    var (grid, support) = (grid, 0.0)
    for _ in 0..<3 {
      let pairs = (0..<24).compactMap { patch -> (from: SIMD2<Double>, to: SIMD2<Double>)? in
        let middle = ChartProposal.middle(of: patch)
        guard let offset = offset(of: middle, grid) else { return nil }
        return (middle, grid.apply(middle + offset))
      }
      guard let better = Homography(robust: pairs, within: 0.06), let back = better.inverse else {
        return (grid, 0)
      }
      grid = better
      let agreeing = pairs.count { pair in
        let offset = back.apply(pair.to) - pair.from
        return (offset * offset).sum() < 0.06 * 0.06
      }
      support = Double(agreeing) / 24
    }
    return (grid, support)
  }

  /// Returns the offset of the middle between a patch's edges from its expected position, on the
  /// grid.
  private func offset(of middle: SIMD2<Double>, _ grid: Homography) -> SIMD2<Double>? {
    guard let color = mean(of: middle, grid) else { return nil }
    var offset = SIMD2<Double>.zero
    for axis in 0..<2 {
      var across = SIMD2<Double>.zero
      across[axis] = 1
      let along = SIMD2(across.y, across.x)
      func edge(_ sign: Double) -> Double? {
        // The difference from the color at the middle of the patch, up to the middle of the gap.
        let differences = stride(from: 0.2, through: 0.52, by: 0.02).map { distance in
          (-2...2).reduce(0.0) { sum, line in
            let place = middle + sign * distance * across + 0.08 * Double(line) * along
            guard let other = self.color(at: grid.apply(place)) else { return sum }
            let change = other - color
            return sum + abs(change.x) + abs(change.y) + abs(change.z)
          }
        }
        let half = differences.max()! / 2
        guard half > 0.15 * 5 * (color.x + color.y + color.z),
          let index = differences.firstIndex(where: { $0 > half }), index > 0
        else { return nil }
        let (before, after) = (differences[index - 1], differences[index])
        return 0.2 + 0.02 * (Double(index) - (after - half) / (after - before))
      }
      guard let high = edge(1), let low = edge(-1), 0.6...1.04 ~= high + low else { return nil }
      offset[axis] = (high - low) / 2
    }
    return offset
  }
}
