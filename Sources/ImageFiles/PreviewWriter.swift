import CSPNG
package import WhiteBalance

/// Previews as PNG files, through libspng.
package enum PreviewWriter {
  /// The bytes of a file that holds a frame of the format `rgb8`, read as sRGB; `nil` if the library
  /// fails.
  package static func png(_ frame: Frame) -> [UInt8]? {
    let layout = frame.layout
    guard layout.format == .rgb8, layout.byteCount == frame.bytes.count,
      let context = unsafe spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue))
    else { return nil }
    defer { unsafe spng_ctx_free(context) }
    var header = spng_ihdr()
    header.width = UInt32(layout.width)
    header.height = UInt32(layout.height)
    header.bit_depth = 8
    header.color_type = UInt8(SPNG_COLOR_TYPE_TRUECOLOR.rawValue)
    var length = 0
    var code: Int32 = 0
    guard unsafe spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1) == 0,
      unsafe spng_set_ihdr(context, &header) == 0, unsafe spng_set_srgb(context, 0) == 0,
      unsafe spng_encode_image(
        context, frame.bytes, frame.bytes.count, Int32(SPNG_FMT_PNG.rawValue),
        Int32(SPNG_ENCODE_FINALIZE.rawValue)) == 0,
      let file = unsafe spng_get_png_buffer(context, &length, &code)
    else { return nil }
    // The buffer is the caller's.
    defer { unsafe free(file) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: file, count: length))
  }
}
