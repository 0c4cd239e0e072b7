import CWbcalTIFF
import WhiteBalance

/// Writes TIFF files with libtiff: one page of RGB in strips, its samples interleaved.
enum TIFFWriter {
  static func encode(
    _ frame: Frame, fields: TIFFFields, metadata: inout PictureMetadata
  ) throws(ImageFileProblem) -> [UInt8] {
    let source = UnsafeMutablePointer<CTIFFSource>.allocate(capacity: 1)
    unsafe source.initialize(to: CTIFFSource())
    defer {
      unsafe free(source.pointee.output)
      unsafe source.deallocate()
    }
    // Offsets of 32 bits end at 4 GiB, and data that cannot be compressed grow under compression.
    let isBig = frame.layout.byteCount >= 1 << 31
    let start = isBig ? metadata.none(for: "a TIFF file beyond 4 GiB") : metadata.tiffStart()
    // The file begins with the metadata, so that they can keep their offsets.
    guard unsafe ctiff_begin(source, start, UInt64(start.count)) == 1 else {
      throw .unwritable(.tiff, "out of memory")
    }
    let mode = isBig ? "w8" : start.first == 0x4D ? "wb" : "wl"
    let isWritten =
      if let handle = unsafe ctiff_open(source, mode) {
        unsafe write(frame, fields, to: handle)
      } else { false }
    let words = unsafe String(cString: ctiff_message(source))
    guard isWritten, words.isEmpty else { throw .unwritable(.tiff, words) }
    var file = unsafe [UInt8](
      UnsafeBufferPointer(start: source.pointee.bytes, count: Int(source.pointee.count)))
    if !start.isEmpty { ExifData.join(start, into: &file) }
    return file
  }

  /// Writes the frame and closes the file; returns `true` if all succeeded.
  private static func write(
    _ frame: Frame, _ fields: TIFFFields, to handle: OpaquePointer
  ) -> Bool {
    defer { unsafe TIFFClose(handle) }
    let layout = frame.layout
    guard unsafe set(fields, of: layout, on: handle) else { return false }
    let count = layout.width * layout.format.samplesPerPixel * layout.format.bytesPerSample
    for row in 0..<layout.height {
      // The library changes the row while it encodes it.
      var line = Array(frame.bytes[row * layout.bytesPerRow..<row * layout.bytesPerRow + count])
      guard unsafe TIFFWriteScanline(handle, &line, UInt32(row), 0) == 1 else { return false }
    }
    return unsafe TIFFFlush(handle) == 1
  }

  private static func set(
    _ fields: TIFFFields, of layout: FrameLayout, on handle: OpaquePointer
  ) -> Bool {
    let lossless = [COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE]
    let compression =
      lossless.first { $0 == Int32(fields.compression ?? 0) } ?? COMPRESSION_ADOBE_DEFLATE
    let integers: [(tag: Int32, value: Int?)] = [
      (TIFFTAG_IMAGEWIDTH, layout.width), (TIFFTAG_IMAGELENGTH, layout.height),
      (TIFFTAG_BITSPERSAMPLE, layout.format.bitsPerSample),
      (TIFFTAG_SAMPLESPERPIXEL, layout.format.samplesPerPixel),
      (TIFFTAG_PHOTOMETRIC, Int(PHOTOMETRIC_RGB)),
      (TIFFTAG_PLANARCONFIG, Int(PLANARCONFIG_CONTIG)), (TIFFTAG_COMPRESSION, Int(compression)),
      (TIFFTAG_PREDICTOR, compression == COMPRESSION_NONE ? nil : Int(PREDICTOR_HORIZONTAL)),
      (TIFFTAG_ORIENTATION, fields.orientation.map(Int.init)),
      (TIFFTAG_RESOLUTIONUNIT, fields.resolutionUnit.map(Int.init)),
    ]
    for case (let tag, let value?) in integers {
      guard unsafe ctiff_set_integer(handle, UInt32(tag), UInt32(value)) == 1 else { return false }
    }
    for case (let tag, let value?) in [
      (TIFFTAG_XRESOLUTION, fields.horizontalResolution),
      (TIFFTAG_YRESOLUTION, fields.verticalResolution),
    ] {
      guard unsafe ctiff_set_number(handle, UInt32(tag), value) == 1 else { return false }
    }
    if layout.format.samplesPerPixel == 4, let extra = fields.extraSample {
      guard unsafe ctiff_set_extra_sample(handle, extra) == 1 else { return false }
    }
    if let profile = fields.iccProfile {
      guard unsafe ctiff_set_profile(handle, profile, UInt32(profile.count)) == 1 else {
        return false
      }
    }
    let rows = unsafe TIFFDefaultStripSize(handle, 0)
    return unsafe ctiff_set_integer(handle, UInt32(TIFFTAG_ROWSPERSTRIP), rows) == 1
  }
}
