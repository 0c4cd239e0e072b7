#if RawPhotographs
import CWbcalLibRaw
import WhiteBalance

/// Raw photographs, through LibRaw: the sensor's samples as they were recorded, with nothing
/// interpolated, balanced or subtracted.
///
/// The frame is the visible area; masked borders are cut. It has one black level: where the file
/// gives each color its own, the darker ones' samples are raised to the highest level. The white
/// level is the file's. Clipped samples stay clipped, and a sample that this raises to the white
/// level counts as clipped too.
struct RawReader {
  static let isAvailable = true

  private let bytes: [UInt8]
  private let directories: TIFFDirectories

  /// Creates a reader for the bytes of a file; throws where LibRaw must not see them.
  init(_ bytes: [UInt8]) throws(ImageFileProblem) {
    self.bytes = bytes
    directories = TIFFDirectories(bytes)
    try directories.check()
    let mayHave36Colors = unsafe bytes.withUnsafeBufferPointer {
      unsafe clibraw_may_have_36_colors($0.baseAddress, $0.count) != 0
    }
    guard !mayHave36Colors else { throw .unsupported(.raw, "its sensor may be an X-Trans") }
  }

  /// Whether LibRaw takes the file for a raw photograph.
  var isRecognized: Bool {
    unsafe bytes.withUnsafeBufferPointer {
      (try? unsafe RawPhotograph($0).requireRecognized()) != nil
    }
  }

  func colors() throws(ImageFileProblem) -> RawColors {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      let photograph = try unsafe RawPhotograph(buffer)
      try photograph.requireRecognized()
      return photograph.colors
    }
  }

  /// What `body` makes of the samples; rows may lie apart.
  func withPixels<Result>(
    _ body: (Span<UInt8>, FrameLayout) -> Result
  ) throws(ImageFileProblem) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
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
      let (samples, stride) = try unsafe photograph.visibleSamples()
      let layout: FrameLayout
      do {
        layout = try FrameLayout(
          width: width, height: height, bytesPerRow: 2 * stride,
          format: .bayer(pattern, bits: 16), blackLevel: Double(levels.highest),
          whiteLevel: photograph.whiteLevel)
      } catch { throw .corrupt(.raw, "\(error)") }
      for row in 0..<height where !levels.areEqual {
        unsafe levels.level(
          UnsafeMutableBufferPointer(rebasing: samples[row * stride..<row * stride + width]),
          row: row)
      }
      return unsafe UnsafeRawBufferPointer(samples).withMemoryRebound(to: UInt8.self) {
        unsafe body($0.span, layout)
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

  var areEqual: Bool { values.allSatisfy { $0 == highest } }

  /// Raises the samples of a row so that the highest level is their black.
  func level(_ samples: UnsafeMutableBufferPointer<UInt16>, row: Int) {
    for first in 0..<min(columns, samples.count) {
      let raise = highest - values[row % rows * columns + first]
      for column in stride(from: first, to: samples.count, by: columns) {
        unsafe samples[column] = unsafe UInt16(clamping: Int(samples[column]) + raise)
      }
    }
  }
}
#else
import WhiteBalance

/// Stands in for LibRaw in a build without it: every raw photograph is an error that says so.
struct RawReader {
  static let isAvailable = false
  let isRecognized = false

  init(_ bytes: [UInt8]) throws(ImageFileProblem) {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }

  func colors() throws(ImageFileProblem) -> RawColors {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }

  func withPixels<Result>(
    _ body: (Span<UInt8>, FrameLayout) -> Result
  ) throws(ImageFileProblem) -> Result {
    throw .unsupported(.raw, "this build was made without LibRaw")
  }
}
#endif
