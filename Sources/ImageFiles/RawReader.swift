import ColorScience
import WhiteBalance

/// Raw photographs, through LibRaw: the sensor's samples as they were recorded, with nothing
/// interpolated, balanced or subtracted.
///
/// The frame is the visible area; masked borders are cut. It has one black level: where the file gives
/// each color its own, the darker ones' samples are raised to the highest level. The white level is the
/// file's. What is clipped stays so; a sample within that raise below clipping counts as clipped too.
enum RawReader {
  /// Whether LibRaw takes the file, if it may see it, for a raw photograph.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    guard (try? TIFFDirectories(bytes).check()) != nil else { return false }
    return unsafe bytes.withUnsafeBufferPointer {
      (try? unsafe RawPhotograph($0).requireRecognized()) != nil
    }
  }

  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    let directories = TIFFDirectories(bytes)
    try directories.check()
    return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      let photograph = try unsafe RawPhotograph(buffer)
      try photograph.requireRecognized()
      let pattern = try photograph.pattern()
      try photograph.unpack()
      let levels = try photograph.blackLevels()
      // LibRaw 0.20 then cuts a row or column more and leaves the levels where they were.
      guard levels.areEqual || !directories.hasOddOrigin else {
        throw .unsupported(
          .raw, "its black levels differ and its active area starts at an odd place")
      }
      let (width, height) = photograph.visibleSize
      return try unsafe Frame(
        .raw, width: width, height: height, format: .bayer(pattern, bits: 16),
        blackLevel: Double(levels.highest), whiteLevel: photograph.whiteLevel, transfer: .linear
      ) { (output) throws(ImageFileProblem) in
        var offset = 0
        for row in 0..<height {
          let samples = try unsafe photograph.row(row)
          for column in 0..<width {
            let raised = unsafe Int(samples[column]) + levels.raise(row: row, column: column)
            let sample = UInt16(clamping: raised)
            unsafe output[offset] = UInt8(truncatingIfNeeded: sample)
            unsafe output[offset + 1] = UInt8(sample >> 8)
            offset += 2
          }
        }
      }
    }
  }
}

/// Black levels that repeat over the visible area.
struct RawBlackLevels {
  let rows: Int
  let columns: Int
  let values: [Int]
  let highest: Int

  /// Whether there is only one.
  var areEqual: Bool { values.allSatisfy { $0 == highest } }

  /// What to add to a sample so that the highest level is its black.
  func raise(row: Int, column: Int) -> Int {
    highest - values[row % rows * columns + column % columns]
  }
}
