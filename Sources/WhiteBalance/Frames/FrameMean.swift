/// The mean of frames of one layout, sample by sample.
package struct FrameMean {
  private let layout: FrameLayout
  /// For each row of each plane, the offset of its first byte and its number of samples.
  private let rows: [(start: Int, count: Int)]
  private var sums: [Double]
  /// `true` for a sample that has had the format's largest code: its mean is then clipped, too.
  private var isFull: [Bool]
  private var count = 0
  private var first: [UInt8] = []
  /// The mean brightness of parts of each frame.
  private var parts: [[Double]] = []

  /// Creates a mean of no frames.
  package init(_ layout: FrameLayout) {
    self.layout = layout
    var rows = (0..<layout.height).map {
      (start: $0 * layout.bytesPerRow, count: layout.width * layout.format.samplesPerPixel)
    }
    if let size = layout.format.chroma?.planeSize(width: layout.width, height: layout.height) {
      for plane in layout.chroma {
        rows += (0..<size.rows).map {
          (start: plane.offset + $0 * plane.bytesPerRow, count: size.columns)
        }
      }
    }
    self.rows = rows
    let samples = rows.reduce(0) { $0 + $1.count }
    sums = [Double](repeating: 0, count: samples)
    isFull = [Bool](repeating: false, count: samples)
  }

  /// Adds a frame, which must have as many bytes as the layout needs.
  package mutating func add(_ bytes: Span<UInt8>) {
    let format = layout.format
    let largest = Double(format.maximumValue)
    var part = [Double](repeating: 0, count: 4 * 16)
    var place = 0
    for (number, row) in rows.enumerated() {
      for index in 0..<row.count {
        let value =
          format.isInteger
          ? Double(format.code(bytes, row: row.start, index: index))
          : Double(format.number(bytes, row: row.start, index: index))
        sums[place] += value
        if value >= largest { isFull[place] = true }
        if number < layout.height {
          let area = number * 4 / layout.height * 4 + index * 4 / row.count
          part[4 * area + kind(row: number, index: index)] += value
        }
        place += 1
      }
    }
    if count == 0 { first = (0..<layout.byteCount).map { bytes[$0] } }
    count += 1
    parts.append(part)
  }

  /// The index of a sample within the pattern that repeats: a pixel or a cell of a color filter
  /// array.
  private func kind(row: Int, index: Int) -> Int {
    if case .bayer = layout.format.arrangement { return row % 2 * 2 + index % 2 }
    return index % min(layout.format.samplesPerPixel, 4)
  }

  /// Indicates whether the frames show the same scene: in each of 4 × 4 parts of a frame, no
  /// channel differs from that of the first frame by more than a tenth, after the brightness of the
  /// whole is equalized.
  package var framesAgree: Bool {
    guard let first = parts.first else { return false }
    let whole = first.reduce(0, +)
    return parts.allSatisfy { part in
      let scale = whole / max(part.reduce(0, +), 1e-9)
      return zip(first, part).allSatisfy { abs($0 - scale * $1) <= 0.1 * max($0, whole / 640) }
    }
  }

  /// Returns the mean as the bytes of a frame.
  package func bytes() -> [UInt8] {
    var bytes = first
    var output = bytes.mutableSpan
    let format = layout.format
    var place = 0
    for row in rows {
      for index in 0..<row.count {
        let mean = sums[place] / Double(max(count, 1))
        if format.isInteger {
          let code = isFull[place] ? format.maximumValue : Int(mean.rounded())
          format.setCode(code, in: &output, row: row.start, index: index)
        } else {
          format.setNumber(Float(mean), in: &output, row: row.start, index: index)
        }
        place += 1
      }
    }
    return bytes
  }
}
