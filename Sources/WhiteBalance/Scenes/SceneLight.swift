package import ColorScience

/// The light on a scene as the colors of a picture suggest it, with the error of such a guess.
///
/// The median color of the picture's cells counts as neutral. Its error is that of motifs: of more
/// colorful ones it is larger. Cells with more than a tenth of clipped pixels, or with a dark mean,
/// do not count.
///
/// Error: `LightGroupsTests.errorsOfScenes`.
public struct SceneLight: Hashable, Sendable {
  /// ln(red/green) of a neutral surface.
  public let red: Double
  /// ln(blue/green) of a neutral surface.
  public let blue: Double
  /// The standard error of both, from the scatter of the picture's colors.
  public let standardError: Double
  /// The median level of green, as a binary logarithm.
  let level: Double
  /// The log-ratios of each cell; NaN where it does not count.
  private let cells: [SIMD2<Double>]
  /// The logarithm of the green of each cell.
  private let greens: [Double]

  var ratios: SIMD2<Double> { SIMD2(red, blue) }

  /// Guesses the light from a frame; `nil` if fewer than 12 cells count.
  ///
  /// - Throws: `FrameError` if there are too few bytes.
  public init?(_ bytes: Span<UInt8>, layout: FrameLayout) throws(FrameError) {
    guard Self.isLarge(layout) else { return nil }
    self.init(try FrameLight.zones(bytes, layout))
  }

  /// Guesses the light from a part of the rows of a frame, which are read one after the other.
  package init?(layout: FrameLayout, rows: (Range<Int>) throws -> [UInt8]) throws {
    guard Self.isLarge(layout) else { return nil }
    let bands = FrameLight.bands(of: layout)
    var zones: [FrameStatistics] = []
    for band in bands {
      let bytes = try rows(band)
      zones += try FrameStatistics.zones(
        bytes.span, layout: layout.withRows(band.count), columns: LightChangeDetector.columns,
        rows: LightChangeDetector.rows / bands.count)
    }
    self.init(zones)
  }

  private static func isLarge(_ layout: FrameLayout) -> Bool {
    layout.width >= 4 * LightChangeDetector.columns
      && layout.height >= 4 * LightChangeDetector.rows
  }

  /// Guesses the light from the statistics of `FrameStatistics.zones` with the columns and rows of
  /// `LightChangeDetector`; `nil` if fewer than 12 cells count.
  public init?(_ zones: [FrameStatistics]) {
    self.init(colors: zones.map(LightChangeDetector.color))
  }

  /// Guesses the light from the mean colors of cells; one with a dark channel does not count.
  package init?(colors: [LinearRGB]) {
    cells = colors.map(LightChangeDetector.ratios)
    greens = colors.map { logarithm($0.green) }
    let seen = cells.filter { $0.x.isFinite && $0.y.isFinite }
    guard seen.count >= LightChangeDetector.leastCells else { return nil }
    (red, blue) = (median(seen.map(\.x)), median(seen.map(\.y)))
    let (x, y) = (red, blue)
    let scatter = median(
      seen.map { ratios in
        let distance = ratios - SIMD2(x, y)
        return (distance * distance).sum().squareRoot()
      })
    standardError = (Self.least * Self.least + scatter * scatter * Self.share * Self.share)
      .squareRoot()
    level = logarithm(median(colors.map(\.green).filter { $0 > 0 })) / logarithm(2)
  }

  /// Returns the shift of the colors since an earlier picture of the same motif; `nil` if the motif
  /// has changed: the pattern of its cells, or, unless that is nearly the same, the shift of many.
  func shift(since earlier: SceneLight) -> SIMD2<Double>? {
    guard cells.count == earlier.cells.count else { return nil }
    let common = cells.indices.filter { index in
      (cells[index] + earlier.cells[index]).sum().isFinite
    }
    guard common.count >= LightChangeDetector.leastCells else { return nil }
    var (squares, products) = (SIMD2<Double>.zero, 0.0)
    for (before, after) in zip(earlier.pattern(of: common), pattern(of: common)) {
      squares += SIMD2((before * before).sum(), (after * after).sum())
      products += (before * after).sum()
    }
    // Even an evenly lit wall has shades of a percent.
    guard squares.min() > 3e-4 * Double(common.count) else { return nil }
    let correlation = products / (squares.x * squares.y).squareRoot()
    guard correlation > Self.sameMotif else { return nil }
    let shifts = common.map { cells[$0] - earlier.cells[$0] }
    if let shift = LightChangeDetector.commonShift(of: shifts) { return shift }
    // Between lamps with lines, the surfaces of a colorful motif shift by very different amounts.
    return correlation > Self.surelySameMotif
      ? SIMD2(median(shifts.map(\.x)), median(shifts.map(\.y))) : nil
  }

  /// Returns the logarithms of red, green and blue of some cells, without their means over the
  /// cells: another light changes the green of one surface relative to another's, but not all three
  /// channels alike.
  private func pattern(of indices: [Int]) -> [SIMD3<Double>] {
    let logarithms = indices.map { index in
      greens[index] + SIMD3(cells[index].x, 0, cells[index].y)
    }
    let mean = logarithms.reduce(.zero, +) / Double(indices.count)
    return logarithms.map { $0 - mean }
  }

  /// The least correlation between the patterns of one motif in two pictures.
  private static let sameMotif = 0.9
  /// The correlation above which the motif is the same even if its surfaces shift differently.
  private static let surelySameMotif = 0.95
  /// The error of a picture of one color, which may be any.
  private static let least = 0.03
  /// The share of the scatter of the colors by which their median misses the light.
  private static let share = 0.35
}

/// Returns the median of values, of which there must be some.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
