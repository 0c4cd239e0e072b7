public import WhiteBalance

/// A finder that proposes the region of the gray card in a frame, for a person to confirm.
///
/// A card is the largest surface that has one color and a rectangular outline and could be neutral
/// under some typical illuminant. A picture alone cannot show whether a surface is neutral, so a
/// person must check the region before `GrayCardEstimator` uses it. <doc:FindingACard> describes
/// how surfaces are found and judged.
///
/// ```swift
/// import WhiteBalance
///
/// /// The estimate from the card, or nil where no surface looks like one.
/// func estimate(_ frame: Frame) throws -> GrayCardEstimate? {
///   do {
///     let card = try CardFinder().card(in: frame)
///     print("is the card at \(card.region)? (confidence \(card.confidence))")
///     return try GrayCardEstimator(region: .rectangle(card.region)).estimate(frame)
///   } catch let error as CardFinderError {
///     print(error)
///     return nil
///   }
/// }
/// ```
///
/// In 487 of 500 rendered scenes, with cards of 10…60 % of the frame at a slant, shadows and other
/// surfaces, at least 95 % of the proposed region lies in the card, and the region covers at least
/// 40 % of the card. In 6 of 100 scenes without a card another surface that could be neutral is
/// proposed (`CardFinderTests`).
public struct CardFinder: Hashable, Sendable {
  /// The smallest fraction of the frame that a card covers.
  public var smallestShare = 0.06
  /// The approximate width of the card in pixels, if known: surfaces of 2/3…3/2 of this width are
  /// considered, regardless of the fraction of the frame that they cover.
  public var cardWidth: Int?
  /// The largest range of brightness over a card, relative to its median. It is large so that a
  /// card with a shadow across it is found too.
  public var largestNonuniformity = 0.8
  /// The confidence below which nothing is proposed. In 500 rendered scenes (`CardFinderTests`)
  /// correct proposals have 0.27 or more; a table, a backdrop or a border that is mistaken for a
  /// card has 0.05…0.25.
  public var acceptedConfidence = 0.25

  /// Creates a finder for cards of at least 6 % of the frame.
  public init() {}

  /// Finds the card in a frame.
  ///
  /// - Throws: `CardFinderError` if there is none to propose.
  public func card(in frame: Frame) throws(CardFinderError) -> CardProposal {
    try card(in: frame.bytes.span, layout: frame.layout)
  }

  /// Finds the card in a frame whose pixels are `bytes`.
  ///
  /// Complexity: O(cells); there are at most 128 × 128 cells, regardless of the size of the frame.
  ///
  /// - Throws: `CardFinderError` if there is none to propose, or the bytes are too few.
  public func card(
    in bytes: Span<UInt8>, layout: FrameLayout
  ) throws(CardFinderError) -> CardProposal {
    let grid: CellGrid
    do { grid = try CellGrid(bytes, layout: layout) } catch { throw .frame(error) }
    let candidates = candidates(
      in: grid, neutrals: PlausibleNeutrals(isBalanced: layout.format.unit.rows == 1))
    guard let best = candidates.max(by: { $0.score < $1.score }) else { throw .nothingUniform }
    guard best.plausibility >= 0.05 else { throw .notNeutral }
    guard best.outline >= 0.05, let rectangle = best.mask.largestRectangle(),
      rectangle.width > 2, rectangle.height > 2
    else { throw .noOutline }
    let others = candidates.filter { !$0.overlaps(rectangle) }.map(\.score)
    let rivalry = (others.max() ?? 0) / best.score
    let confidence = best.quality * (1 - rivalry / 2)
    guard confidence >= acceptedConfidence else { throw .doubtful(confidence: confidence) }
    return CardProposal(region: grid.pixels(in: rectangle), confidence: confidence)
  }

  private func candidates(in grid: CellGrid, neutrals: PlausibleNeutrals) -> [CardCandidate] {
    let green = grid.cells.map(\.logLinear.y).filter(\.isFinite)
    guard !green.isEmpty else { return [] }
    let bright = green.orderStatistic(green.count * 95 / 100)
    let smooth = CellMask(
      columns: grid.columns, rows: grid.rows,
      cells: grid.cells.map { $0.isUsable && $0.texture < Self.roughest })
    return [0.05, 0.7].flatMap { step in
      surfaces(in: smooth, of: grid, step: step)
        .filter { grid.nonuniformity(of: $0) <= largestNonuniformity }
        .map { CardCandidate($0, grid: grid, neutrals: neutrals, bright: bright) }
    }
  }

  /// Returns the surfaces of one color that are large enough.
  ///
  /// A blurred edge may join two surfaces; the larger one is then split off by its median color,
  /// and the rest is searched again.
  private func surfaces(in mask: CellMask, of grid: CellGrid, step: Double) -> [CellMask] {
    // The width in cells; a card's height may be half its width.
    let width = cardWidth.map { max(1, Double($0) / Double(grid.side)) }
    let smallest = max(
      1, Int(width.map { 0.3 * $0 * $0 } ?? smallestShare * Double(grid.cells.count)))
    var surfaces: [CellMask] = []
    var waiting = [mask]
    while let mask = waiting.popLast() {
      for part in mask.components(joined: { grid.cells[$0].joins(grid.cells[$1], step: step) })
      where part.count >= smallest {
        let middle = grid.medianColor(of: part)
        surfaces.append(middle.fillingHoles(upTo: part.count / 50).opened().largestComponent())
        var rest = part
        for cell in rest.cells.indices where middle.cells[cell] { rest.cells[cell] = false }
        // If no cell has both medians as its ratios, nothing is split off.
        if rest.count < part.count { waiting.append(rest) }
      }
    }
    return surfaces.filter { surface in
      guard surface.count >= smallest else { return false }
      guard let width else { return true }
      // Cells at the edge of a card are partly card and partly background.
      let columns = Double(surface.columnCount)
      return columns >= width * 2 / 3 - 2 && columns <= width * 3 / 2 + 1
    }
  }

  /// The `texture` from which on a cell is not part of a card.
  private static let roughest = 0.15
}
