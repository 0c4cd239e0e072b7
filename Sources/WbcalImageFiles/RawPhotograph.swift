#if RawPhotographs
import CWbcalLibRaw
import ColorScience
import WhiteBalance

/// A raw photograph in memory that LibRaw has opened.
@safe struct RawPhotograph: ~Copyable {
  private let raw: UnsafeMutablePointer<libraw_data_t>
  /// The number of errors that LibRaw found, and the number of those at the end of the file.
  private let dataErrors: UnsafeMutablePointer<Int>
  private let opened: Int32
  private let fileSize: Int

  /// Opens a photograph. The bytes must outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFileProblem) {
    guard let raw = unsafe libraw_init(0) else { throw .corrupt(.raw, "out of memory") }
    unsafe self.raw = unsafe raw
    unsafe dataErrors = .allocate(capacity: 2)
    unsafe dataErrors.initialize(repeating: 0, count: 2)
    // By default LibRaw prints to standard error and, in some formats, continues.
    unsafe libraw_set_dataerror_handler(
      raw,
      { counters, _, place in
        unsafe counters?.assumingMemoryBound(to: Int.self)[0] += 1
        if place < 0 { unsafe counters?.assumingMemoryBound(to: Int.self)[1] += 1 }
      }, dataErrors)
    // Floating-point samples would otherwise be rescaled to integers.
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

  /// Throws if LibRaw does not recognize the bytes as a raw photograph.
  func requireRecognized() throws(ImageFileProblem) { try check(opened) }

  /// The size of the visible area in pixels.
  var visibleSize: (width: Int, height: Int) {
    unsafe (Int(raw.pointee.sizes.width), Int(raw.pointee.sizes.height))
  }

  /// The code value of a saturated sample.
  var whiteLevel: Double { unsafe Double(raw.pointee.color.maximum) }

  /// The arrangement of red, green and blue.
  enum Colors {
    case bayer(BayerPattern)
    /// An array of 6×6 pixels, by rows: 0 red, 1 green, 2 blue.
    case xTrans([Int])
    /// Every pixel has all three, as in a DNG file whose picture was interpolated before.
    case all
  }

  /// Returns the arrangement of the colors from the origin of the visible area.
  ///
  /// - Parameter isLinear: `true` if the file is a DNG file whose pixels have three samples.
  func colors(isLinear: Bool) throws(ImageFileProblem) -> Colors {
    let filters = unsafe raw.pointee.idata.filters
    guard unsafe raw.pointee.idata.is_foveon == 0 else {
      throw .unsupported(.raw, "its sensor is a Foveon")
    }
    if filters == 0, unsafe raw.pointee.idata.colors == 1 { throw .noColor(.raw) }
    if filters == 0, isLinear { return .all }
    guard filters != 0 else { throw .unsupported(.raw, "its sensor has no color filter array") }
    guard unsafe clibraw_is_rgbg(raw) != 0 else {
      throw .unsupported(.raw, "its sensor's colors are not red, green and blue")
    }
    if filters == LIBRAW_XTRANS {
      return .xTrans((0..<36).map { color(row: $0 / 6, column: $0 % 6) })
    }
    let match = BayerPattern.allCases.first { pattern in
      let red = pattern.redPosition
      return (0..<16).allSatisfy { index in  // LibRaw's patterns may differ over eight rows
        let (row, column) = (index / 2, index % 2)
        switch (row & 1 == red.row, column == red.column) {
        case (true, true): return color(row: row, column: column) == 0
        case (false, false): return color(row: row, column: column) == 2
        default: return color(row: row, column: column) == 1
        }
      }
    }
    guard let match else { throw .unsupported(.raw, "its color filter array is not Bayer's") }
    return .bayer(match)
  }

  /// Returns the color of a sample of the visible area: 0 red, 1 green, 2 blue.
  private func color(row: Int, column: Int) -> Int {
    let color = unsafe Int(libraw_COLOR(raw, Int32(row), Int32(column)))
    return color == 3 ? 1 : color
  }

  /// The camera that LibRaw finds in a file that is not a TIFF file.
  var origin: PictureOrigin {
    func text(_ characters: UnsafePointer<CChar>) -> String? {
      let text = unsafe String(cString: characters)
      return text.isEmpty ? nil : text
    }
    return PictureOrigin(
      make: unsafe text(clibraw_make(raw)), model: unsafe text(clibraw_model(raw)),
      serial: unsafe text(clibraw_serial(raw)))
  }

  /// The camera's colors, as far as LibRaw knows them.
  var cameraColors: CameraColors {
    let known = unsafe [
      raw.pointee.color.cam_xyz.0.0, raw.pointee.color.dng_color.0.colormatrix.0.0,
      raw.pointee.color.dng_color.1.colormatrix.0.0,
    ]
    // If LibRaw has no matrix, its color conversion treats the sensor's numbers as colors.
    guard known.contains(where: { $0 != 0 }) else { return CameraColors() }
    func row(_ r: (Float, Float, Float, Float)) -> SIMD3<Double> {
      SIMD3(Double(r.0), Double(r.1), Double(r.2))
    }
    let (red, green, blue) = unsafe raw.pointee.color.rgb_cam
    let fromCamera = Matrix3x3(row(red), row(green), row(blue))
    // LibRaw has divided its matrix by the response to white.
    let white = SIMD3(repeating: 1) / row(unsafe raw.pointee.color.pre_mul)
    return CameraColors(responseToSRGB: fromCamera.inverse.map { Matrix3x3(diagonal: white) * $0 })
  }

  func unpack() throws(ImageFileProblem) {
    let sizes = unsafe raw.pointee.sizes
    let (width, height) = (Int(sizes.raw_width), Int(sizes.raw_height))
    guard width * height <= 1 << 29 else { throw .tooLarge(.raw, width: width, height: height) }
    // Cameras' compression takes at least about a bit for each sample.
    guard width * height / 64 <= fileSize else {
      throw .truncated(.raw, "\(fileSize) bytes cannot hold \(width)×\(height)")
    }
    try check(unsafe libraw_unpack(raw))
    guard unsafe dataErrors[1] == 0 else {
      throw .truncated(.raw, "its samples extend beyond its end")
    }
    guard unsafe dataErrors.pointee == 0 else {
      throw .corrupt(.raw, "\(unsafe dataErrors.pointee) errors in its samples")
    }
    guard
      unsafe raw.pointee.rawdata.raw_image != nil || raw.pointee.rawdata.color4_image != nil
        || raw.pointee.rawdata.color3_image != nil
    else { throw .unsupported(.raw, "it does not store integers") }
    guard unsafe raw.pointee.rawdata.ioparams.fuji_width == 0 else {
      throw .unsupported(.raw, "its sensor's rows are diagonal")
    }
    guard unsafe raw.pointee.rawdata.ph1_cblack == nil, unsafe raw.pointee.rawdata.ph1_rblack == nil
    else { throw .unsupported(.raw, "its black level varies by row and column") }
  }

  /// The numbers of columns and rows of the whole sensor.
  var size: (width: Int, height: Int) {
    unsafe (Int(raw.pointee.sizes.raw_width), Int(raw.pointee.sizes.raw_height))
  }

  /// Returns the black levels of the visible area, which must have been unpacked.
  ///
  /// - Parameter period: the number of rows and columns after which the colors of the filter
  ///   repeat.
  func blackLevels(colorsRepeatAfter period: Int) throws(ImageFileProblem) -> RawBlackLevels {
    var rows = unsafe Int(clibraw_black_rows(raw))
    var columns = unsafe Int(clibraw_black_columns(raw))
    if period > 2 {
      guard period.isMultiple(of: rows), period.isMultiple(of: columns) else {
        throw .unsupported(.raw, "its black levels repeat with a different period than its colors")
      }
      (rows, columns) = (period, period)
    }
    guard rows * columns <= 1 << 16 else {
      throw .corrupt(.raw, "its black levels repeat after \(columns)×\(rows) pixels")
    }
    let values = (0..<rows * columns).map { index in
      unsafe Int(clibraw_black(raw, Int32(index / columns), Int32(index % columns)))
    }
    return RawBlackLevels(rows: rows, columns: columns, values: values, highest: values.max() ?? 0)
  }

  /// Returns the rows of samples that contain the visible area, from its first sample on. They
  /// belong to LibRaw, and start `stride` samples apart. A pixel has `step` samples: one, or more,
  /// of which the first three are red, green and blue.
  func visibleSamples() throws(ImageFileProblem) -> (
    UnsafeMutableBufferPointer<UInt16>, stride: Int, step: Int
  ) {
    let sizes = unsafe raw.pointee.sizes
    let (top, left) = (Int(sizes.top_margin), Int(sizes.left_margin))
    let (width, height) = visibleSize
    var step = 1
    var image = unsafe raw.pointee.rawdata.raw_image
    if let samples = unsafe raw.pointee.rawdata.color4_image {
      step = 4
      unsafe image = unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt16.self)
    } else if let samples = unsafe raw.pointee.rawdata.color3_image {
      step = 3
      unsafe image = unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt16.self)
    }
    let stride = Int(sizes.raw_pitch) / MemoryLayout<UInt16>.size
    guard let image = unsafe image, width > 0, height > 0, top + height <= sizes.raw_height,
      left + width <= min(stride / step, Int(sizes.raw_width))
    else { throw .corrupt(.raw, "its visible area extends beyond the sensor") }
    let samples = unsafe UnsafeMutableBufferPointer(
      start: image + top * stride + left * step, count: ((height - 1) * stride + width * step))
    return unsafe (samples, stride, step)
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
