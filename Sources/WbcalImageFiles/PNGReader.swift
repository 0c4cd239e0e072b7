import CWbcalSPNG
import ColorScience
import WhiteBalance

/// Reads PNG files with libspng.
///
/// The transfer function is that of the file's cICP chunk; or sRGB if the file states sRGB or
/// nothing; or else the exponent of its gAMA chunk, unless that approximates sRGB. An embedded
/// profile is ignored. Colors of a palette become RGB; transparent colors in a tRNS chunk become a
/// fourth sample of every pixel.
enum PNGReader {
  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      try unsafe PNGDecoder(buffer).frame()
    }
  }

  /// Returns the text of a chunk, decompressed; `nil` if the chunk is damaged.
  static func text(of chunk: [UInt8]) -> [UInt8]? {
    // A file of one pixel, as far as the first chunk of pixels.
    let header = PNGChunks.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
    let file = PNGChunks.signature + header + chunk + PNGChunks.chunk("IDAT", [0])
    return unsafe file.withUnsafeBufferPointer { buffer in
      try? unsafe PNGDecoder(buffer).firstText()
    }
  }

  /// Returns the embedded ICC profile, decompressed.
  static func iccProfile(in bytes: [UInt8]) throws(ImageFileProblem) -> [UInt8]? {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      try unsafe PNGDecoder(buffer).iccProfile()
    }
  }
}

@safe private struct PNGDecoder: ~Copyable {
  private let context: OpaquePointer
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Creates a decoder. The bytes must outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFileProblem) {
    guard let context = unsafe spng_ctx_new(0) else { throw .corrupt(.png, "out of memory") }
    unsafe self.context = unsafe context
    unsafe self.bytes = unsafe bytes
  }

  deinit { unsafe spng_ctx_free(context) }

  private func start() throws(ImageFileProblem) {
    // The limit of the decompressed size of a text or profile chunk.
    try check(unsafe spng_set_chunk_limits(context, 1 << 26, 1 << 26))
    try check(unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count))
  }

  func firstText() throws(ImageFileProblem) -> [UInt8]? {
    try start()
    var count: UInt32 = 0
    guard try has(unsafe spng_get_text(context, nil, &count)), count > 0 else { return nil }
    var texts = unsafe [spng_text](repeating: spng_text(), count: Int(count))
    try check(unsafe spng_get_text(context, &texts, &count))
    return unsafe Array(UnsafeRawBufferPointer(start: texts[0].text, count: texts[0].length))
  }

  func iccProfile() throws(ImageFileProblem) -> [UInt8]? {
    try start()
    var profile = unsafe spng_iccp()
    guard try has(unsafe spng_get_iccp(context, &profile)) else { return nil }
    return unsafe Array(
      UnsafeRawBufferPointer(start: profile.profile, count: profile.profile_len))
  }

  func frame() throws(ImageFileProblem) -> Frame {
    try start()
    var header = spng_ihdr()
    try check(unsafe spng_get_ihdr(context, &header))
    var key = spng_trns()
    let isKeyed = try has(unsafe spng_get_trns(context, &key))
    let (format, decoded) = try layout(header, isKeyed: isKeyed)
    let isIndexed = UInt32(header.color_type) == SPNG_COLOR_TYPE_INDEXED.rawValue
    let transfer = try transfer()
    // Deflate compresses at most 1032 times; an index of a few bits represents three samples.
    return try unsafe Frame(
      .png, width: Int(header.width), height: Int(header.height), format: format,
      transfer: transfer, fileSize: bytes.count, ratio: 1032 * (isIndexed ? 32 : isKeyed ? 2 : 1)
    ) { (buffer) throws(ImageFileProblem) in
      try check(
        unsafe spng_decode_image(
          context, buffer.baseAddress, buffer.count, Int32(bitPattern: decoded.rawValue),
          Int32(SPNG_DECODE_TRNS.rawValue)))
      try check(unsafe spng_decode_chunks(context))  // to the end mark
    }
  }

  /// - Parameter isKeyed: `true` if a chunk makes some colors transparent.
  private func layout(
    _ header: spng_ihdr, isKeyed: Bool
  ) throws(ImageFileProblem) -> (PixelFormat, spng_format) {
    let deep = header.bit_depth == 16
    switch spng_color_type(UInt32(header.color_type)) {
    case SPNG_COLOR_TYPE_TRUECOLOR where isKeyed, SPNG_COLOR_TYPE_INDEXED where isKeyed:
      return deep ? (.rgba16, SPNG_FMT_RGBA16) : (.rgba8, SPNG_FMT_RGBA8)
    case SPNG_COLOR_TYPE_TRUECOLOR: return (deep ? .rgb16 : .rgb8, SPNG_FMT_PNG)
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA: return (deep ? .rgba16 : .rgba8, SPNG_FMT_PNG)
    case SPNG_COLOR_TYPE_INDEXED: return (.rgb8, SPNG_FMT_RGB8)
    default: throw .noColor(.png)
    }
  }

  private func transfer() throws(ImageFileProblem) -> TransferFunction {
    if let code = unsafe PNGChunks.transferCode(in: Array(bytes)) {
      // Rec. ITU-T H.273, table 3.
      switch code {
      case 1, 6, 14, 15: return .bt709
      case 4: return .gamma(2.2)
      case 5: return .gamma(2.8)
      case 8: return .linear
      case 13: return .sRGB
      default:
        throw .unsupported(
          .png, "its transfer function is number \(code) of H.273, as used for HDR")
      }
    }
    var intent: UInt8 = 0
    if try has(unsafe spng_get_srgb(context, &intent)) { return .sRGB }
    var exponent = 0.0
    guard try has(unsafe spng_get_gama(context, &exponent)), exponent > 0 else { return .sRGB }
    if abs(exponent - 0.45455) < 1e-5, try hasPrimariesOfSRGB() { return .sRGB }
    return exponent == 1 ? .linear : .gamma(1 / exponent)
  }

  /// Indicates whether the primaries are those of sRGB. Programs write a gamma of 2.2 with them for
  /// readers that do not support the curve of sRGB.
  private func hasPrimariesOfSRGB() throws(ImageFileProblem) -> Bool {
    var colors = spng_chrm_int()
    guard try has(unsafe spng_get_chrm_int(context, &colors)) else { return false }
    return [
      colors.white_point_x, colors.white_point_y, colors.red_x, colors.red_y, colors.green_x,
      colors.green_y, colors.blue_x, colors.blue_y,
    ] == [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
  }

  /// Indicates whether a chunk is present.
  private func has(_ code: Int32) throws(ImageFileProblem) -> Bool {
    if code == SPNG_ECHUNKAVAIL.rawValue { return false }
    try check(code)
    return true
  }

  private func check(_ code: Int32) throws(ImageFileProblem) {
    guard code != 0 else { return }
    let words = unsafe spng_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    throw [SPNG_IO_EOF.rawValue, Int32(SPNG_EOF.rawValue)].contains(code)
      ? .truncated(.png, words) : .corrupt(.png, words)
  }
}
