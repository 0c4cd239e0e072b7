import CWbcalSPNG
import WhiteBalance

/// Writes PNG files with libspng: RGB of 8 or 16 bits with or without alpha, not interlaced.
enum PNGWriter {
  /// - Parameter chunks: the chunks between the header and the pixels.
  static func encode(_ frame: Frame, chunks: [UInt8]) throws(ImageFileProblem) -> [UInt8] {
    guard let context = unsafe spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
      throw .unwritable(.png, "out of memory")
    }
    defer { unsafe spng_ctx_free(context) }
    let layout = frame.layout
    let color =
      layout.format.samplesPerPixel == 4
      ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR
    var header = spng_ihdr()
    header.width = UInt32(layout.width)
    header.height = UInt32(layout.height)
    header.bit_depth = UInt8(layout.format.bitsPerSample)
    header.color_type = UInt8(color.rawValue)
    try check(unsafe spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
    try check(unsafe spng_set_ihdr(context, &header))
    try check(
      unsafe spng_encode_image(
        context, frame.bytes, layout.byteCount, Int32(bitPattern: SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue)))
    var count = 0
    var code: Int32 = 0
    let buffer = unsafe spng_get_png_buffer(context, &count, &code)
    defer { unsafe free(buffer) }
    try check(code)
    return unsafe PNGChunks.inserting(
      chunks, in: UnsafeRawBufferPointer(start: buffer, count: count))
  }

  private static func check(_ code: Int32) throws(ImageFileProblem) {
    guard code != 0 else { return }
    let words = unsafe spng_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    throw .unwritable(.png, words)
  }
}
