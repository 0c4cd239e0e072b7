import ColorScience

/// Proposes where in a frame the gray card is, for a person to confirm.
///
/// A card is the largest surface of one color and a rectangular outline that could be neutral under
/// some usual light. Whether it is neutral the picture cannot tell: a brown wall by daylight looks
/// like a gray one by a lamp. Use `GrayCardEstimator` on the region once somebody has looked at it.
///
/// The frame is divided into cells; neighbors of nearly the same color and brightness form
/// surfaces, with and without regard to steps in brightness, which shadows make. Of each surface
/// are judged its size, its share of the smallest rectangle around it, however rotated, its color,
/// its brightness, and how much of the frame's border it touches.
///
/// Of 500 rendered scenes, with cards of 10…60 % of the frame at a slant, shadows and other
/// surfaces, the proposal lies to 95 % in the card and covers 40 % of it in 487; in 9 of 100 scenes
/// without a card it names another surface that could be neutral (`CardFinderTests`).
public struct CardFinder: Hashable, Sendable {
  /// The share of the frame that a card covers at least.
  public var smallestShare = 0.06
  /// The range of brightness over a card, relative to its middle; above what `GrayCardEstimator`
  /// accepts, so that a card with a shadow across is found too.
  public var largestNonuniformity = 0.8

  /// A finder for cards of at least 6 % of the frame.
  public init() {}

  /// The card of a frame, or why there is none to propose.
  public func card(in frame: Frame) throws(FrameError) -> Result<CardProposal, CardNotFound> {
    try card(in: frame.bytes.span, layout: frame.layout)
  }

  /// The card of a frame whose pixels are `bytes`, or why there is none to propose.
  ///
  /// Complexity: O(cells), of which there are at most 128 × 128 whatever the size of the frame.
  ///
  /// - Throws: `FrameError` where the bytes are too few.
  public func card(
    in bytes: Span<UInt8>, layout: FrameLayout
  ) throws(FrameError) -> Result<CardProposal, CardNotFound> {
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    let grid = try CellGrid(bytes, layout: layout)
    let candidates = candidates(
      in: grid, neutrals: PlausibleNeutrals(isBalanced: !layout.format.isBayer))
    guard let best = candidates.max(by: { $0.score < $1.score }) else {
      return .failure(.nothingUniform)
    }
    guard best.plausibility >= 0.05 else { return .failure(.notNeutral) }
    guard best.outline >= 0.05, let rectangle = best.mask.largestRectangle(),
      rectangle.width > 2, rectangle.height > 2
    else { return .failure(.noOutline) }
    let others = candidates.filter { !$0.overlaps(rectangle) }.map(\.score)
    let rivalry = (others.max() ?? 0) / best.score
    return .success(
      CardProposal(
        region: grid.pixels(in: rectangle), confidence: best.quality * (1 - rivalry / 2)))
  }

  private func candidates(in grid: CellGrid, neutrals: PlausibleNeutrals) -> [Candidate] {
    let green = grid.cells.map(\.logLight.y).filter(\.isFinite).sorted()
    guard !green.isEmpty else { return [] }
    let bright = green[green.count * 95 / 100]
    let smooth = CellMask(
      columns: grid.columns, rows: grid.rows,
      cells: grid.cells.map { $0.isUsable && $0.texture < Self.roughest })
    return [0.05, 0.7].flatMap { step in
      surfaces(in: smooth, of: grid, step: step)
        .filter { grid.nonuniformity(of: $0) <= largestNonuniformity }
        .map { Candidate($0, grid: grid, neutrals: neutrals, bright: bright) }
    }
  }

  /// The surfaces of one color that are large enough.
  ///
  /// Where two hang together by a blurred edge the larger is split off, and the rest looked at
  /// again.
  private func surfaces(in mask: CellMask, of grid: CellGrid, step: Double) -> [CellMask] {
    let smallest = max(1, Int(smallestShare * Double(grid.cells.count)))
    var surfaces: [CellMask] = []
    var waiting = [mask]
    while let mask = waiting.popLast() {
      for part in mask.components(joined: { grid.cells[$0].joins(grid.cells[$1], step: step) })
      where part.count >= smallest {
        let middle = grid.medianColor(of: part)
        surfaces.append(
          middle.fillingHoles(upTo: part.count / 50).opened().largestComponent())
        var rest = part
        for cell in rest.cells.indices where middle.cells[cell] { rest.cells[cell] = false }
        // Medians of two ratios may be no cell's color; then nothing is split off.
        if rest.count < part.count { waiting.append(rest) }
      }
    }
    return surfaces.filter { $0.count >= smallest }
  }

  /// The `texture` above which no cell is part of a card.
  private static let roughest = 0.15
}

/// A region that may show a gray card.
public struct CardProposal: Hashable, Sendable {
  /// An upright rectangle that lies inside the card.
  public let region: PixelRectangle
  /// How well the surface answers to what is expected of a card, and how far no other does, from 0
  /// to 1; not a probability.
  public let confidence: Double
}

/// Why no card can be proposed.
public enum CardNotFound: Error, Hashable, Sendable {
  /// No surface of one color is large enough, neither clipped nor dark, and evenly lit.
  case nothingUniform
  /// The surfaces have colors that no usual light gives a neutral card.
  case notNeutral
  /// The surfaces have no rectangular outline inside the frame.
  case noOutline
}

extension CardNotFound: CustomStringConvertible {
  /// One sentence that says what is missing.
  public var description: String {
    switch self {
    case .nothingUniform:
      "no evenly lit surface of one color, neither clipped nor dark, is as large as a card must be (6 % of "
        + "the frame by default)"
    case .notNeutral: "the surfaces of one color are too colorful for a gray card"
    case .noOutline: "no surface of one color has the outline of a card inside the frame"
    }
  }
}

/// A surface that may be the card.
private struct Candidate {
  let mask: CellMask
  /// Factors from 0 to 1: whether the outline is a card's, and the color neutral.
  let outline, plausibility: Double
  let quality, score: Double

  init(_ mask: CellMask, grid: CellGrid, neutrals: PlausibleNeutrals, bright: Double) {
    let share = Double(mask.count) / Double(mask.cells.count)
    let border = Double(mask.borderCount) / Double(2 * (mask.columns + mask.rows) - 4)
    outline = max(0, (mask.rectangularity - 0.65) / 0.35) * max(0, 1 - border / 0.4)
    plausibility = neutrals.plausibility(of: grid.medianLogRatios(of: mask))
    let brightness = exponential(grid.medianLogGreen(of: mask) - bright)
    quality = min(1, outline) * plausibility * min(1, brightness / 0.08)
    score = quality * share
    self.mask = mask
  }

  func overlaps(_ rectangle: PixelRectangle) -> Bool {
    let center = (rectangle.y + rectangle.height / 2) * mask.columns
    return mask.cells[center + rectangle.x + rectangle.width / 2]
  }
}

extension CellGrid.Cell {
  /// What noise may add to a difference of brightness, and of color; what scatters more is no
  /// noise.
  fileprivate var brightnessNoise: Double { min(3 * noise.y.squareRoot(), 0.05) }
  fileprivate var colorNoise: SIMD2<Double> {
    let variance = SIMD2(noise.x + noise.y, noise.z + noise.y)
    return pointwiseMin(3 * variance.squareRoot(), SIMD2(repeating: 0.1))
  }

  /// Whether a neighbor may be of the same surface.
  fileprivate func joins(_ other: CellGrid.Cell, step: Double) -> Bool {
    let color = logRatios - other.logRatios
    let limit = pointwiseMax(colorNoise, other.colorNoise)
    return abs(logLight.y - other.logLight.y) < step + max(brightnessNoise, other.brightnessNoise)
      && abs(color.x) < 0.03 + limit.x && abs(color.y) < 0.03 + limit.y
  }
}

extension CellGrid {
  func medianLogRatios(of mask: CellMask) -> SIMD2<Double> {
    let ratios = covered(by: mask).map(\.logRatios)
    return SIMD2(ratios.map(\.x).middle, ratios.map(\.y).middle)
  }

  func medianLogGreen(of mask: CellMask) -> Double { covered(by: mask).map(\.logLight.y).middle }

  /// The range of green between the 5th and 95th percentile, relative to its median.
  fileprivate func nonuniformity(of mask: CellMask) -> Double {
    let green = covered(by: mask).map(\.logLight.y).sorted()
    let (low, middle, high) = (
      green[green.count / 20], green[green.count / 2], green[green.count * 19 / 20]
    )
    return exponential(high - middle) - exponential(low - middle)
  }

  /// The cells of a surface whose color is that of most.
  fileprivate func medianColor(of mask: CellMask) -> CellMask {
    let center = medianLogRatios(of: mask)
    var result = mask
    for cell in mask.cells.indices where mask.cells[cell] {
      let distance = cells[cell].logRatios - center
      let limit = cells[cell].colorNoise
      result.cells[cell] = abs(distance.x) < 0.06 + limit.x && abs(distance.y) < 0.06 + limit.y
    }
    return result
  }

  private func covered(by mask: CellMask) -> [Cell] {
    mask.cells.indices.filter { mask.cells[$0] }.map { cells[$0] }
  }
}

extension [Double] {
  /// The middle value, which there must be.
  fileprivate var middle: Double { sorted()[count / 2] }
}

extension PixelFormat {
  fileprivate var isBayer: Bool {
    if case .bayer = arrangement { true } else { false }
  }
}
