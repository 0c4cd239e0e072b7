public import WhiteBalance

/// A finder that proposes the position of a ColorChecker Classic in a frame, of full size or on a
/// Passport, for a person to confirm.
///
/// The chart may be turned, seen at a slant, partly in a shadow, and as small as 7 samples a patch;
/// all its patches must be in the picture. The lamp and the camera need not be known.
/// <doc:FindingAChart> describes how it is found and judged.
///
/// ```swift
/// import WhiteBalance
///
/// /// What the chart's patches say, or nil where there is no chart.
/// func reading(of frame: Frame) throws -> ChartReading? {
///   do {
///     let chart = try ChartFinder().chart(in: frame)
///     print("is the chart at \(chart.corners)? (confidence \(chart.confidence))")
///     return try ChartReader().read(chart, in: frame)
///   } catch let error as ChartFinderError {
///     print(error)
///     return nil
///   }
/// }
/// ```
public struct ChartFinder: Hashable, Sendable {
  /// The confidence, from 0 to 1, below which nothing is proposed. In 500 rendered scenes
  /// (`ChartFinderTests`) charts have 0.6 or more, and in 500 scenes without a chart the best
  /// candidate has 0.12 or less.
  public var acceptedConfidence = 0.5

  /// Creates a finder for charts of any size and turn.
  public init() {}

  /// Finds the chart in a frame; of several charts, the one with the highest confidence.
  ///
  /// - Throws: `ChartFinderError` if there is none to propose.
  public func chart(in frame: Frame) throws(ChartFinderError) -> ChartProposal {
    try chart(in: frame.bytes.span, layout: frame.layout)
  }

  /// Finds the chart in a frame whose pixels are `bytes`.
  ///
  /// Complexity: O(pixels) to read the frame, and O(1) for the rest, which uses at most 2000 × 2000
  /// pixels: about a second for 24 megapixels.
  ///
  /// - Throws: `ChartFinderError` if there is none to propose, or the bytes are too few.
  public func chart(
    in bytes: Span<UInt8>, layout: FrameLayout
  ) throws(ChartFinderError) -> ChartProposal {
    let images = try images(bytes, layout)
    var best: (proposal: ChartProposal, level: Int)?
    for (level, image) in images.enumerated() {
      for found in proposals(in: image) where found.confidence > best?.proposal.confidence ?? 0 {
        best = (found, level)
      }
    }
    guard let best else { throw .noGrid }
    // The next finer image resolves edges twice as well.
    let (coarse, fine) = (images[best.level], images[max(0, best.level - 1)])
    return try accepted(
      refined(best.proposal.grid.scaled(by: coarse.scale / fine.scale), in: fine), in: fine)
  }

  /// Finds the chart from its outer corners as a person has marked them.
  ///
  /// These are the outer corners of the four corner patches, in order around the chart, starting
  /// with any of them, in pixels of the frame. The colors determine which corner is which, and the
  /// edges of the patches refine the position.
  ///
  /// - Parameters:
  ///   - corners: four positions in pixels; (0, 0) is the outer corner of the first pixel.
  ///   - frame: the picture.
  /// - Throws: `ChartFinderError` if the corners do not form a quadrilateral inside the frame, or
  ///   the area that they enclose does not have the colors of a chart.
  public func chart(
    corners: [SIMD2<Double>], in frame: Frame
  ) throws(ChartFinderError) -> ChartProposal {
    let sides = corners.indices.map { corners[($0 + 1) % corners.count] - corners[$0] }
    let turns = sides.indices.map { index in
      let (a, b) = (sides[index], sides[(index + 1) % sides.count])
      return a.x * b.y - a.y * b.x
    }
    guard corners.count == 4, turns.allSatisfy({ $0 > 0 }) || turns.allSatisfy({ $0 < 0 }) else {
      throw .corners
    }
    let clockwise = turns[0] > 0 ? corners : corners.reversed()
    let images = try images(frame.bytes.span, frame.layout)
    // A sixth of the chart is to be at least 12 pixels wide.
    let side = turns.map(abs).min()!.squareRoot() / 6
    let image = images.last { side / $0.scale >= 12 } ?? images[0]
    var best: ChartProposal?
    for first in 0..<4 {
      let pairs = ChartProposal.outline.enumerated().map { index, corner in
        (from: corner, to: clockwise[(first + index) % 4] / image.scale)
      }
      guard let grid = Homography(pairs) else { throw .corners }
      guard let named = judged(grid, in: image) else { throw .corners }
      // If few patches have edges, the marked corners stay unchanged.
      let moved = refined(grid, in: image)
      let found = moved.flatMap { $0.confidence > 0.95 * named.confidence ? $0 : nil } ?? named
      if found.confidence > best?.confidence ?? -1 { best = found }
    }
    return try accepted(best, in: image)
  }

  /// Returns the frame at a reduced size, and successively at half the size.
  private func images(
    _ bytes: Span<UInt8>, _ layout: FrameLayout
  ) throws(ChartFinderError) -> [LinearImage] {
    do {
      var images = [try LinearImage(bytes, layout: layout, longestSide: 2000)]
      while min(images.last!.width, images.last!.height) >= 32 {
        images.append(images.last!.halved())
      }
      return images
    } catch { throw .frame(error) }
  }

  /// Converts a proposal for an image to one for the frame, if its confidence suffices.
  private func accepted(
    _ proposal: ChartProposal?, in image: LinearImage
  ) throws(ChartFinderError) -> ChartProposal {
    guard let proposal, proposal.confidence >= acceptedConfidence else {
      throw .doubtful(confidence: proposal?.confidence ?? 0)
    }
    return ChartProposal(
      confidence: proposal.confidence, grid: proposal.grid.scaled(by: image.scale))
  }

  /// Returns the chart on a grid that has been moved onto the edges in an image.
  private func refined(_ grid: Homography, in image: LinearImage) -> ChartProposal? {
    let (grid, support) = image.refined(grid)
    return judged(grid, support: support, in: image)
  }

  /// Returns the chart on a grid, judged by its colors; `nil` if part of it is outside the image.
  private func judged(
    _ grid: Homography, support: Double = 1, in image: LinearImage
  ) -> ChartProposal? {
    var colors: [SIMD4<Double>] = []
    for patch in 0..<24 {
      guard let color = image.mean(of: ChartProposal.middle(of: patch), grid) else { return nil }
      colors.append(color)
    }
    let match = ChartColors(colors, image.floor)
    return ChartProposal(
      confidence: max(0, match.colorMatch) * max(0, min(1, 2 * match.brightnessMatch))
        * min(1, 1.5 * support),
      grid: grid)
  }

  /// Returns the best chart on each grid of surfaces.
  private func proposals(in image: LinearImage) -> [ChartProposal] {
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
          guard lattice.count >= Self.leastBlobs else { continue }
          lattice.forEachStep { used.insert(Step(from: $0, to: $1)) }
          if let proposal = proposal(lattice, blobs, image) { found.append(proposal) }
        }
      }
    }
    return found
  }

  /// Returns the blobs whose size is similar to a blob's and whose distance from it is that of the
  /// next patch of a grid.
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

  /// Returns `true` if two steps from a blob, measured in the blob's own shape, have similar
  /// lengths and are approximately perpendicular, and turn clockwise.
  private func isBasis(_ u: SIMD2<Double>, _ v: SIMD2<Double>, _ blob: PatchBlob) -> Bool {
    guard u.x * v.y - u.y * v.x > 0 else { return false }
    let (a, b) = (blob.sides(u), blob.sides(v))
    guard 0.7...1.43 ~= a / b else { return false }
    // By the law of cosines.
    let c = blob.sides(u - v)
    return abs(a * a + b * b - c * c) < 2 * a * b * 0.45
  }

  /// The smallest number of blobs for a proposal.
  private static let leastBlobs = 10

  /// Returns the best of all positions and turns of a chart on a grid.
  private func proposal(
    _ lattice: PatchLattice, _ blobs: [PatchBlob], _ image: LinearImage
  ) -> ChartProposal? {
    let columns = lattice.columns, rows = lattice.rows
    var best: ChartProposal?
    for turn in ChartTurn.all {
      let lefts =
        columns.lowerBound
        - 1...max(
          columns.lowerBound, columns.upperBound + 2 - turn.columns)
      for top in rows.lowerBound - 1...max(rows.lowerBound, rows.upperBound + 2 - turn.rows) {
        for left in lefts {
          let members = (0..<24).map { patch in
            let (x, y) = turn.place(of: patch)
            return lattice[left + x, top + y].map { blobs[$0] }
          }
          guard members.count(where: { $0 != nil }) >= Self.leastBlobs else { continue }
          let colors = members.map { $0?.color ?? SIMD4(repeating: 1) }
          guard ChartColors(colors, image.floor).colorMatch > 0.7 else { continue }
          let pairs = members.enumerated().compactMap { patch, blob in
            blob.map { (from: ChartProposal.middle(of: patch), to: $0.center) }
          }
          guard let grid = Homography(robust: pairs, within: 0.12),
            let found = refined(grid, in: image), found.confidence > best?.confidence ?? 0
          else { continue }
          best = found
        }
      }
    }
    return best
  }
}
