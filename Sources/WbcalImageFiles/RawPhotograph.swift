#if RawPhotographs
import CWbcalLibRaw
import ColorScience
import WhiteBalance

/// A raw photograph in memory that LibRaw has opened.
@safe struct RawPhotograph: ~Copyable {
  private let raw: UnsafeMutablePointer<libraw_data_t>
  private let dataErrors: UnsafeMutablePointer<Int>
  private let opened: Int32
  private let fileSize: Int

  /// The bytes must outlive the photograph.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFileProblem) {
    guard let raw = unsafe libraw_init(0) else { throw .corrupt(.raw, "out of memory") }
    unsafe self.raw = unsafe raw
    unsafe dataErrors = .allocate(capacity: 1)
    unsafe dataErrors.initialize(to: 0)
    // By itself LibRaw prints to standard error and, in some formats, goes on.
    unsafe libraw_set_dataerror_handler(
      raw, { counter, _, _ in unsafe counter?.assumingMemoryBound(to: Int.self).pointee += 1 },
      dataErrors)
    // Floating-point samples would be rescaled to whole numbers.
    unsafe raw.pointee.params.raw_processing_options &=
      ~LIBRAW_PROCESSING_CONVERTFLOAT_TO_INT.rawValue
    let address = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)  // only read
    fileSize = bytes.count
    opened = unsafe libraw_open_buffer(raw, address, bytes.count)
  }

  deinit {
    unsafe libraw_close(raw)
    unsafe dataErrors.deallocate()
  }

  /// Throws if LibRaw does not take the bytes for a raw photograph.
  func requireRecognized() throws(ImageFileProblem) { try check(opened) }

  /// Pixels of the visible area.
  var visibleSize: (width: Int, height: Int) {
    unsafe (Int(raw.pointee.sizes.width), Int(raw.pointee.sizes.height))
  }

  /// The stored value of a saturated sample.
  var whiteLevel: Double { unsafe Double(raw.pointee.color.maximum) }

  /// The color filter array at the origin of the visible area.
  func pattern() throws(ImageFileProblem) -> BayerPattern {
    let filters = unsafe raw.pointee.idata.filters
    guard unsafe raw.pointee.idata.is_foveon == 0 else {
      throw .unsupported(.raw, "its sensor is a Foveon")
    }
    guard filters != 0 else { throw .unsupported(.raw, "its sensor has no color filter array") }
    guard filters != LIBRAW_XTRANS else { throw .unsupported(.raw, "its sensor is an X-Trans") }
    guard unsafe clibraw_is_rgbg(raw) != 0 else {
      throw .unsupported(.raw, "its sensor's colors are not red, green and blue")
    }
    let match = BayerPattern.allCases.first { pattern in
      let red = pattern.redPosition
      return (0..<16).allSatisfy { index in  // LibRaw's patterns may differ over eight rows
        let (row, column) = (index / 2, index % 2)
        let color = unsafe libraw_COLOR(raw, Int32(row), Int32(column))
        switch (row & 1 == red.row, column == red.column) {
        case (true, true): return color == 0
        case (false, false): return color == 2
        default: return color == 1 || color == 3
        }
      }
    }
    guard let match else { throw .unsupported(.raw, "its color filter array is not Bayer's") }
    return match
  }

  /// What LibRaw knows of the camera's colors.
  var colors: RawColors {
    let known = unsafe [
      raw.pointee.color.cam_xyz.0.0, raw.pointee.color.dng_color.0.colormatrix.0.0,
      raw.pointee.color.dng_color.1.colormatrix.0.0,
    ]
    // Where LibRaw knows no matrix, it makes do with the sensor's numbers.
    guard known.contains(where: { $0 != 0 }) else { return RawColors() }
    func row(_ r: (Float, Float, Float, Float)) -> SIMD3<Double> {
      SIMD3(Double(r.0), Double(r.1), Double(r.2))
    }
    let (red, green, blue) = unsafe raw.pointee.color.rgb_cam
    let fromCamera = Matrix3x3(row(red), row(green), row(blue))
    // LibRaw has taken the response to white out of its matrix.
    let white = SIMD3(repeating: 1) / row(unsafe raw.pointee.color.pre_mul)
    return RawColors(responseToSRGB: fromCamera.inverse.map { Matrix3x3(diagonal: white) * $0 })
  }

  func unpack() throws(ImageFileProblem) {
    let sizes = unsafe raw.pointee.sizes
    let (width, height) = (Int(sizes.raw_width), Int(sizes.raw_height))
    guard width * height <= 1 << 29 else { throw .tooLarge(.raw, width: width, height: height) }
    // Cameras' compression takes about a bit for each sample at the least.
    guard width * height / 64 <= fileSize else {
      throw .truncated(.raw, "\(fileSize) bytes cannot hold \(width)×\(height)")
    }
    try check(unsafe libraw_unpack(raw))
    guard unsafe dataErrors.pointee == 0 else {
      throw .corrupt(.raw, "\(unsafe dataErrors.pointee) errors in its samples")
    }
    guard unsafe raw.pointee.rawdata.raw_image != nil else {
      throw .unsupported(.raw, "it does not hold one whole number a pixel")
    }
    guard unsafe raw.pointee.rawdata.ioparams.fuji_width == 0 else {
      throw .unsupported(.raw, "its sensor's rows are diagonal")
    }
    guard unsafe raw.pointee.rawdata.ph1_cblack == nil, unsafe raw.pointee.rawdata.ph1_rblack == nil
    else { throw .unsupported(.raw, "its black level varies by row and column") }
  }

  /// The black levels of the visible area, which must have been unpacked.
  func blackLevels() throws(ImageFileProblem) -> RawBlackLevels {
    let rows = unsafe Int(clibraw_black_rows(raw))
    let columns = unsafe Int(clibraw_black_columns(raw))
    guard rows * columns <= 1 << 16 else {
      throw .corrupt(.raw, "its black levels repeat after \(columns)×\(rows) pixels")
    }
    let values = (0..<rows * columns).map { index in
      unsafe Int(clibraw_black(raw, Int32(index / columns), Int32(index % columns)))
    }
    return RawBlackLevels(rows: rows, columns: columns, values: values, highest: values.max() ?? 0)
  }

  /// The rows of samples that hold the visible area, from its first sample on; they belong to
  /// LibRaw, and start `stride` samples apart.
  func visibleSamples() throws(ImageFileProblem) -> (
    UnsafeMutableBufferPointer<UInt16>, stride: Int
  ) {
    let sizes = unsafe raw.pointee.sizes
    let stride = Int(sizes.raw_pitch) / MemoryLayout<UInt16>.size
    let (top, left) = (Int(sizes.top_margin), Int(sizes.left_margin))
    let (width, height) = visibleSize
    guard let image = unsafe raw.pointee.rawdata.raw_image, width > 0, height > 0,
      top + height <= sizes.raw_height, left + width <= min(stride, Int(sizes.raw_width))
    else { throw .corrupt(.raw, "its visible area reaches outside the sensor") }
    let samples = unsafe UnsafeMutableBufferPointer(
      start: image + top * stride + left, count: (height - 1) * stride + width)
    return unsafe (samples, stride)
  }

  private func check(_ code: Int32) throws(ImageFileProblem) {
    guard code != 0 else { return }
    let words = unsafe libraw_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    switch LibRaw_errors(code) {
    case LIBRAW_FILE_UNSUPPORTED, LIBRAW_NOT_IMPLEMENTED: throw .unsupported(.raw, words)
    case LIBRAW_IO_ERROR: throw .truncated(.raw, words)
    default: throw .corrupt(.raw, words)
    }
  }
}
#endif
