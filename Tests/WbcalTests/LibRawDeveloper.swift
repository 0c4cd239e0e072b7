#if RawPhotographs
import CWbcalLibRaw

/// LibRaw as a raw converter, as its `dcraw_emu -o 1 -w -W -g 2.4 12.92 -6` works: sRGB of 16 bits,
/// the file's white, and the brightness of the file.
enum LibRawDeveloper {
  /// Develops a raw photograph to the bytes of a pixmap; `nil` if LibRaw fails.
  static func pixmap(of bytes: [UInt8]) -> [UInt8]? {
    guard let raw = unsafe libraw_init(0) else { return nil }
    defer { unsafe libraw_close(raw) }
    unsafe raw.pointee.params.use_camera_wb = 1
    unsafe raw.pointee.params.output_color = 1
    unsafe raw.pointee.params.output_bps = 16
    unsafe raw.pointee.params.no_auto_bright = 1
    unsafe (raw.pointee.params.gamm.0, raw.pointee.params.gamm.1) = (1 / 2.4, 12.92)
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      let address = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)  // only read
      guard unsafe libraw_open_buffer(raw, address, buffer.count) == 0,
        unsafe libraw_unpack(raw) == 0, unsafe libraw_dcraw_process(raw) == 0,
        let image = unsafe libraw_dcraw_make_mem_image(raw, nil)
      else { return nil }
      defer { unsafe libraw_dcraw_clear_mem(image) }
      let (width, height) = unsafe (Int(image.pointee.width), Int(image.pointee.height))
      guard unsafe image.pointee.colors == 3 && image.pointee.bits == 16 else { return nil }
      let offset = MemoryLayout<libraw_processed_image_t>.offset(of: \.data)!
      let data = unsafe UnsafeRawPointer(image) + offset
      var pixmap = Array("P6\n\(width) \(height)\n65535\n".utf8)
      for sample in 0..<3 * width * height {
        let code = unsafe data.loadUnaligned(fromByteOffset: 2 * sample, as: UInt16.self)
        pixmap += [UInt8(code >> 8), UInt8(code & 255)]
      }
      return pixmap
    }
  }
}
#endif
