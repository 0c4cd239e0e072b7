import ColorScience
public import WhiteBalance

/// Proposes where in a frame a ColorChecker Classic is.
public struct ChartFinder: Hashable, Sendable {
  /// The confidence below which nothing is proposed.
  public var acceptedConfidence = 0.5

  /// A finder for charts of any size and turn.
  public init() {}

  /// The chart of a frame.
  ///
  /// - Throws: `ChartFinderError` where there is none to propose.
  public func chart(in frame: Frame) throws(ChartFinderError) -> ChartProposal {
    try chart(in: frame.bytes.span, layout: frame.layout)
  }

  /// The chart of a frame whose pixels are `bytes`.
  ///
  /// - Throws: `ChartFinderError` where there is none to propose, or the bytes are too few.
  public func chart(
    in bytes: Span<UInt8>, layout: FrameLayout
  ) throws(ChartFinderError) -> ChartProposal {
    var image: LightImage
    do { image = try LightImage(bytes, layout: layout, longestSide: 2000) } catch {
      throw .frame(error)
    }
    var best: ChartProposal?
    while min(image.width, image.height) >= 16 {
      for found in proposals(in: image) where found.confidence > best?.confidence ?? 0 {
        best = found
      }
      image = image.halved()
    }
    guard let best else { throw .noGrid }
    guard best.confidence >= acceptedConfidence else {
      throw .doubtful(confidence: best.confidence)
    }
    return best
  }

  private func proposals(in image: LightImage) -> [ChartProposal] {
    let blobs = image.blobs()
    let index = BlobIndex(blobs, width: image.width, height: image.height)
    struct Step: Hashable { var from, to: Int }
    var used: Set<Step> = []
    var found: [ChartProposal] = []
    for (seed, blob) in blobs.enumerated() {
      let neighbors = neighbors(of: blob, blobs, index)
      for across in neighbors where !used.contains(Step(from: seed, to: across)) {
        let u = blobs[across].center - blob.center
        for down in neighbors where !used.contains(Step(from: seed, to: down)) {
          let v = blobs[down].center - blob.center
          guard isBasis(u, v, blob) else { continue }
          let lattice = PatchLattice(from: seed, across: u, down: v, blobs, near: index)
          guard lattice.blobs.count >= Self.leastBlobs else { continue }
          for (place, from) in lattice.blobs {
            for (columns, rows) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
              let next = PatchLattice.Place(column: place.column + columns, row: place.row + rows)
              if let to = lattice.blobs[next] { used.insert(Step(from: from, to: to)) }
            }
          }
          if let proposal = proposal(lattice, blobs, image) { found.append(proposal) }
        }
      }
    }
    return found
  }

  /// The blobs of about the size of one that are as far from it as the next patch of a grid.
  private func neighbors(of blob: PatchBlob, _ blobs: [PatchBlob], _ index: BlobIndex) -> [Int] {
    var neighbors: [Int] = []
    let reach = 2 * (12 * max(blob.covariance.x, blob.covariance.z)).squareRoot()
    index.forEach(near: blob.center, within: reach) { other in
      let distance = blob.sides(blobs[other].center - blob.center)
      let ratio = blobs[other].area / blob.area
      if 0.95...2 ~= distance, 0.4...2.5 ~= ratio { neighbors.append(other) }
    }
    return neighbors
  }

  /// Whether two steps from a blob are about as long as each other and at right angles, seen as the
  /// blob is, and turn clockwise.
  private func isBasis(_ u: SIMD2<Double>, _ v: SIMD2<Double>, _ blob: PatchBlob) -> Bool {
    guard u.x * v.y - u.y * v.x > 0 else { return false }
    let (a, b) = (blob.sides(u), blob.sides(v))
    guard 0.7...1.43 ~= a / b else { return false }
    // From the law of cosines.
    let c = blob.sides(u - v)
    return abs(a * a + b * b - c * c) < 2 * a * b * 0.45
  }

  /// The blobs that a proposal is made from, at least.
  private static let leastBlobs = 10

  /// The best of all places and turns of a chart on a grid.
  private func proposal(
    _ lattice: PatchLattice, _ blobs: [PatchBlob], _ image: LightImage
  ) -> ChartProposal? {
    let columns = lattice.blobs.keys.map(\.column)
    let rows = lattice.blobs.keys.map(\.row)
    var best: ChartProposal?
    for (wide, high) in [(6, 4), (4, 6)] {
      for top in rows.min()! - 1...max(rows.min()!, rows.max()! + 2 - high) {
        for left in columns.min()! - 1...max(columns.min()!, columns.max()! + 2 - wide) {
          let pairs = lattice.blobs.compactMap {
            (place, blob) -> (from: SIMD2<Double>, to: SIMD2<Double>)? in
            let (x, y) = (place.column - left, place.row - top)
            guard 0..<wide ~= x, 0..<high ~= y else { return nil }
            return (SIMD2(Double(x) + 0.5, Double(y) + 0.5), blobs[blob].center)
          }
          guard pairs.count >= Self.leastBlobs, let grid = Homography(pairs) else { continue }
          for found in turns(grid, wide: wide, high: high, image, support: pairs.count)
          where found.confidence > best?.confidence ?? 0 {
            best = found
          }
        }
      }
    }
    return best
  }

  private func turns(
    _ grid: Homography, wide: Int, high: Int, _ image: LightImage, support: Int
  ) -> [ChartProposal] {
    var colors: [SIMD4<Double>] = []
    for y in 0..<high {
      for x in 0..<wide {
        guard let color = image.mean(of: SIMD2(Double(x), Double(y)), grid) else { return [] }
        colors.append(color)
      }
    }
    let floor = 0.002 * (colors.map(\.y).max() ?? 0)
    let (w, h) = (Double(wide), Double(high))
    // From the chart's grid to this one.
    let turns =
      wide == 6
      ? [
        Matrix3x3(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)),
        Matrix3x3(SIMD3(-1, 0, w), SIMD3(0, -1, h), SIMD3(0, 0, 1)),
      ]
      : [
        Matrix3x3(SIMD3(0, -1, w), SIMD3(1, 0, 0), SIMD3(0, 0, 1)),
        Matrix3x3(SIMD3(0, 1, 0), SIMD3(-1, 0, h), SIMD3(0, 0, 1)),
      ]
    return turns.map { turn in
      let map = Homography(turn)
      let ordered = (0..<24).map { patch in
        let place = map.apply(SIMD2(Double(patch % 6) + 0.5, Double(patch / 6) + 0.5))
        return colors[Int(place.y) * wide + Int(place.x)]
      }
      let match = ChartColors(ordered, floor: floor)
      let pixels = Matrix3x3(diagonal: SIMD3(image.scale, image.scale, 1))
      return ChartProposal(
        confidence: max(0, match.colorMatch) * max(0, min(1, 2 * match.brightnessMatch)),
        grid: Homography(pixels * grid.matrix * turn))
    }
  }
}
