import ColorScience

/// An overview of a frame's light: a histogram in stops, and the parts of the frame that are
/// clipped or dark. It is computed from evenly spaced samples, not from every pixel.
package struct FrameOverview: Sendable {
  /// The number of samples in each bin of stops below white, the darkest first.
  package struct Histogram: Sendable {
    package var red = [Int](repeating: 0, count: bins)
    package var green = [Int](repeating: 0, count: bins)
    package var blue = [Int](repeating: 0, count: bins)
  }

  /// The number of stops below white at which the histogram begins; it ends at white.
  package static let stops = 12
  /// The number of bins of the histogram.
  package static let bins = 64
  /// The number of columns of the grid of cells.
  package static let columns = 64
  /// The number of rows of the grid of cells.
  package static let rows = 36
  /// The share of clipped or dark samples at and above which a cell is marked.
  package static let markedShare = 0.05

  package private(set) var histogram = Histogram()
  /// `true` for each cell with clipped samples, row by row.
  package private(set) var clipped = [Bool](repeating: false, count: columns * rows)
  /// `true` for each cell with dark samples: samples with a channel near black, as for a gray card.
  package private(set) var dark = [Bool](repeating: false, count: columns * rows)

  /// The largest number of samples across and down a cell.
  private static let density = 6

  /// Computes the overview of a frame's bytes.
  ///
  /// Complexity: O(1) in the size of the frame, about 80,000 samples.
  ///
  /// - Throws: `FrameError` if there are too few bytes.
  package init(_ bytes: Span<UInt8>, layout: FrameLayout) throws(FrameError) {
    let samples = try LinearSamples(of: bytes, layout: layout, region: nil)
    let darkLevel = Float(GrayCardEstimator().darkLevel)
    let bins = Self.binsOfLight
    var (red, green, blue) = (histogram.red, histogram.green, histogram.blue)
    for row in 0..<Self.rows {
      let rows = Self.places(row, of: Self.rows, in: samples.rows)
      for column in 0..<Self.columns {
        let columns = Self.places(column, of: Self.columns, in: samples.columns)
        var counts = (all: 0, clipped: 0, dark: 0)
        for y in rows {
          for x in columns {
            let (linear, isClipped) = samples.sample(bytes, column: x, row: y)
            red[bins[linear.x]] += 1
            green[bins[linear.y]] += 1
            blue[bins[linear.z]] += 1
            counts.all += 1
            if isClipped {
              counts.clipped += 1
            } else if linear.min() <= darkLevel {
              counts.dark += 1
            }
          }
        }
        let needed = Self.markedShare * Double(counts.all)
        let cell = row * Self.columns + column
        clipped[cell] = counts.clipped > 0 && Double(counts.clipped) >= needed
        dark[cell] = counts.dark > 0 && Double(counts.dark) >= needed
      }
    }
    histogram = Histogram(red: red, green: green, blue: blue)
  }

  /// The samples of a cell along one side; the cells of a small frame share samples.
  private static func places(
    _ cell: Int, of cells: Int, in count: Int
  ) -> StrideTo<Int> {
    let first = count * cell / cells
    let end = max(first + 1, count * (cell + 1) / cells)
    return stride(from: first, to: end, by: max(1, (end - first + density - 1) / density))
  }

  /// The bins of linear values, without a logarithm for each.
  private struct Bins {
    /// The bin of the first value of each slice: of the values that agree in the exponent and the
    /// first 7 bits of the fraction. A slice is narrower than a bin.
    private let first: [UInt8]
    /// The least value of each bin after the first, and infinity after the last.
    private let edges: [Float]
    private static let start = Int(
      Float(sign: .plus, exponent: -stops, significand: 1).bitPattern >> 16)

    init() {
      let edges = (1..<bins).map { bin in
        Float(power(2, Double(stops * bin) / Double(bins) - Double(stops)))
      }
      self.edges = edges + [.infinity]
      first = (0..<stops << 7).map { slice in
        let least = Float(bitPattern: UInt32(Self.start + slice) << 16)
        return UInt8(edges.count { $0 <= least })
      }
    }

    subscript(linear: Float) -> Int {
      guard linear > 0, linear < 1 else { return linear >= 1 ? bins - 1 : 0 }
      let slice = Int(linear.bitPattern >> 16) - Self.start
      guard slice >= 0 else { return 0 }
      let bin = Int(first[slice])
      return bin + (edges[bin] <= linear ? 1 : 0)
    }
  }

  private static let binsOfLight = Bins()
}
