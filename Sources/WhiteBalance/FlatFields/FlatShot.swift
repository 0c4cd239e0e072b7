import ColorScience

/// A picture of an even, neutral surface that fills it, as means over cells.
public struct FlatShot: Sendable {
  /// The size of the picture in pixels.
  public let width, height: Int
  /// The quarter turns, clockwise, by which the surface and its light were turned in this picture
  /// since another one; `nil` if that is not known.
  public let quarterTurns: Int?

  /// The cells.
  let grid: CellGrid
  /// The logarithms of the cells' mean red, green and blue.
  let levels: [SIMD3<Double>]
  /// The variances of `levels` that follow from the pixels' noise.
  let variances: [SIMD3<Double>]

  /// The numbers of cells across a picture, and the number that a picture must have.
  private static let cells = (across: 64, needed: 16)
  /// The number of samples on the side of a cell that is needed for its noise.
  private static let side = 4
  /// The share of clipped samples above which a cell is clipped; fewer are hot pixels.
  private static let acceptedClippedShare = 0.02
  /// The linear value at and below which a cell is dark.
  private static let darkLevel = 0.01
  /// The share of clipped or dark cells above which a picture is refused.
  private static let acceptedShare = 0.005

  /// Measures the cells of a picture.
  ///
  /// Complexity: O(pixels).
  ///
  /// - Parameters:
  ///   - bytes: the rows of the picture.
  ///   - layout: the layout of the picture.
  ///   - quarterTurns: the turns of the surface and its light since another picture; `nil` if they
  ///     are not known.
  /// - Throws: `FlatFieldError` if the picture is clipped, dark, without colors or too small.
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, quarterTurns: Int? = nil
  ) throws(FlatFieldError) {
    let samples: LinearSamples
    do { samples = try LinearSamples(of: bytes, layout: layout, region: nil) } catch {
      throw .frame(error)
    }
    if case .gray = layout.format.arrangement { throw .frame(.colorless) }
    width = layout.width
    height = layout.height
    self.quarterTurns = quarterTurns.map { ($0 % 4 + 4) % 4 }
    let columns = min(Self.cells.across, samples.columns / Self.side)
    let proportional = Double(columns * samples.rows) / Double(samples.columns)
    let rows = min(Int(proportional.rounded()), Self.cells.across, samples.rows / Self.side)
    guard min(columns, rows) >= Self.cells.needed else {
      throw .tooSmall(width: width, height: height)
    }
    grid = CellGrid(of: samples, columns: columns, rows: rows)
    var cells = CellReading(grid)
    let (summation, bounds) = (samples.summation, CodeBounds(samples))
    for row in 0..<rows {
      for column in 0..<columns {
        var sums = FrameSums()
        summation.add(
          bytes, rows: grid.rowEdges[row]..<grid.rowEdges[row + 1],
          columns: grid.columnEdges[column]..<grid.columnEdges[column + 1],
          bounds, to: &sums)
        cells.add(summation, sums)
      }
    }
    try cells.requireExposure()
    (levels, variances) = (cells.levels, cells.variancesWithoutGradients())
  }

  /// The cells while they are read.
  private struct CellReading {
    let grid: CellGrid
    var levels: [SIMD3<Double>] = []
    private var variances: [SIMD3<Double>] = []
    /// The numbers of samples in the cells.
    private var counts: [SIMD3<Double>] = []
    private var clipped: (red: [Int], green: [Int], blue: [Int]) = ([], [], [])
    private var dark: [Int] = []

    init(_ grid: CellGrid) { self.grid = grid }

    mutating func add(_ summation: any FrameSummation, _ sums: FrameSums) {
      let index = levels.count
      let above = summation.above(sums)
      let limit = max(2, Int(acceptedClippedShare * Double(sums.used + sums.above)))
      if above.red > limit { clipped.red.append(index) }
      if above.green > limit { clipped.green.append(index) }
      if above.blue > limit { clipped.blue.append(index) }
      let (red, green, blue) = summation.channels(sums)
      let mean = SIMD3(red.mean, green.mean, blue.mean)
      let variance = SIMD3(
        red.variance / Double(max(1, red.count)), green.variance / Double(max(1, green.count)),
        blue.variance / Double(max(1, blue.count)))
      if !(mean.min() > darkLevel) { dark.append(index) }
      let light = pointwiseMax(mean, SIMD3(repeating: darkLevel))
      levels.append(SIMD3(logarithm(light.x), logarithm(light.y), logarithm(light.z)))
      variances.append(variance / (light * light))
      counts.append(SIMD3(Double(red.count), Double(green.count), Double(blue.count)))
    }

    /// The variances of the levels due to noise alone. A gradient over a cell varies its samples
    /// evenly over a range, whose variance is a twelfth of its square.
    func variancesWithoutGradients() -> [SIMD3<Double>] {
      levels.indices.map { index in
        let (column, row) = (index % grid.columns, index / grid.columns)
        let across = change(index, column, last: grid.columns - 1, step: 1)
        let down = change(index, row, last: grid.rows - 1, step: grid.columns)
        let gradient = (across * across + down * down) / 12
        let number = pointwiseMax(counts[index], SIMD3(repeating: 1))
        // Next to an edge the change is not that of the cell.
        return pointwiseMax(variances[index] - gradient / number, variances[index] / 4)
      }
    }

    /// Returns the change of the level from one side of a cell to the other in a direction.
    private func change(_ index: Int, _ place: Int, last: Int, step: Int) -> SIMD3<Double> {
      let (before, after) = (place > 0 ? index - step : index, place < last ? index + step : index)
      return (levels[after] - levels[before]) / Double((after - before) / step)
    }

    func requireExposure() throws(FlatFieldError) {
      let accepted = acceptedShare * Double(levels.count)
      func share(_ cells: [Int]) -> Double { Double(cells.count) / Double(levels.count) }
      let worst = [
        (ColorChannel.green, clipped.green), (.red, clipped.red), (.blue, clipped.blue),
      ].max { $0.1.count < $1.1.count }
      if let (channel, cells) = worst, Double(cells.count) > accepted {
        throw .clipped(channel, share: share(cells), grid.rectangle(of: cells))
      }
      if Double(dark.count) > accepted { throw .dark(share: share(dark), grid.rectangle(of: dark)) }
    }
  }
}
