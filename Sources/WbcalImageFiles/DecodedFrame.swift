import ColorScience
import WhiteBalance

extension Frame {
  /// Indicates whether a picture of this size is within the limits.
  static func isAcceptable(width: Int, height: Int) -> Bool {
    width <= 1 << 20 && height <= 1 << 20 && width * height <= 1 << 29
  }

  /// Creates a frame that a decoder fills, after a check of the size that its file claims.
  ///
  /// `decode` fills the whole buffer or throws.
  ///
  /// - Parameters:
  ///   - fileSize: the size of the file in bytes.
  ///   - ratio: the largest number of bytes of a frame that its format can store in one byte of a
  ///     file.
  init(
    _ file: ImageFormat, width: Int, height: Int, format: PixelFormat,
    whiteLevel: Double? = nil, transfer: TransferFunction, fileSize: Int, ratio: Int,
    decode: (UnsafeMutableBufferPointer<UInt8>) throws(ImageFileProblem) -> Void
  ) throws(ImageFileProblem) {
    guard Self.isAcceptable(width: width, height: height) else {
      throw .tooLarge(file, width: width, height: height)
    }
    do {
      let layout = try FrameLayout(
        width: width, height: height, format: format, whiteLevel: whiteLevel, transfer: transfer)
      let count = layout.byteCount
      guard count / ratio <= fileSize else {
        throw ImageFileProblem.truncated(file, "\(fileSize) bytes cannot hold \(width)×\(height)")
      }
      let bytes = try [UInt8](capacity: count) { output in
        try unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
          try unsafe decode(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
          initialized = count
        }
      }
      try self.init(layout: layout, bytes: bytes)
    } catch let problem as ImageFileProblem { throw problem } catch {
      throw .corrupt(file, "\(error)")
    }
  }

  /// Creates a frame without gaps between its rows from the pixels of another.
  init(copying pixels: Span<UInt8>, layout source: FrameLayout) {
    let rowBytes = source.width * source.format.samplesPerPixel * source.format.bytesPerSample
    // The sizes have been checked, and a row without a gap is long enough.
    let layout = try! FrameLayout(
      width: source.width, height: source.height, bytesPerRow: rowBytes, format: source.format,
      blackLevel: source.blackLevel, whiteLevel: source.whiteLevel, transfer: source.transfer)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(layout.byteCount)
    for row in 0..<source.height {
      let start = row * source.bytesPerRow
      unsafe pixels.extracting(start..<start + rowBytes).withUnsafeBufferPointer {
        unsafe bytes.append(contentsOf: $0)
      }
    }
    try! self.init(layout: layout, bytes: bytes)
  }
}
