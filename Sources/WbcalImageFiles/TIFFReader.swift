import CWbcalTIFF
import ColorScience
import WhiteBalance

/// Reads TIFF files with libtiff: the first page, RGB with or without a fourth sample, of 8 or 16
/// bits, in strips, its samples interleaved or in planes.
enum TIFFReader {
  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      try unsafe TIFFFile(buffer).frame()
    }
  }

  /// Returns the fields of the first page.
  static func fields(in bytes: [UInt8]) throws(ImageFileProblem) -> TIFFFields {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(ImageFileProblem) in
      try unsafe TIFFFile(buffer).fields()
    }
  }
}

/// The fields of a TIFF page that another page with its pixels must have too; `nil` if the page
/// does not have them.
struct TIFFFields: Sendable {
  var compression: UInt16?
  var orientation: UInt16?
  /// The meaning of the fourth sample, such as alpha.
  var extraSample: UInt16?
  var horizontalResolution: Float?
  var verticalResolution: Float?
  var resolutionUnit: UInt16?
  var iccProfile: [UInt8]?
}

@safe private struct TIFFFile: ~Copyable {
  private let handle: OpaquePointer
  private let source: UnsafeMutablePointer<CTIFFSource>

  /// Opens a file. The bytes must outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageFileProblem) {
    let source = UnsafeMutablePointer<CTIFFSource>.allocate(capacity: 1)
    unsafe source.initialize(to: CTIFFSource())
    unsafe source.pointee.bytes = bytes.baseAddress
    unsafe source.pointee.count = UInt64(bytes.count)
    guard let handle = unsafe ctiff_open(source, "r") else {
      let words = unsafe String(cString: ctiff_message(source))
      unsafe source.deallocate()
      throw words.contains("read") ? .truncated(.tiff, words) : .corrupt(.tiff, words)
    }
    unsafe self.handle = unsafe handle
    unsafe self.source = unsafe source
  }

  deinit {
    unsafe TIFFClose(handle)
    unsafe source.deallocate()
  }

  func frame() throws(ImageFileProblem) -> Frame {
    let samples = try samplesPerPixel()
    let bits = tag16(TIFFTAG_BITSPERSAMPLE)
    let format: PixelFormat =
      switch (samples, bits) {
      case (3, 8): .rgb8
      case (4, 8): .rgba8
      case (3, 16): .rgb16
      case (4, 16): .rgba16
      default: throw .unsupported(.tiff, "it has \(samples) samples of \(bits) bits per pixel")
      }
    let width = Int(unsafe ctiff_tag32(handle, UInt32(TIFFTAG_IMAGEWIDTH), 0))
    let height = Int(unsafe ctiff_tag32(handle, UInt32(TIFFTAG_IMAGELENGTH), 0))
    let apart = Int32(tag16(TIFFTAG_PLANARCONFIG)) == PLANARCONFIG_SEPARATE
    let ratio =
      switch Int32(tag16(TIFFTAG_COMPRESSION)) {
      case COMPRESSION_NONE: 1
      case COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS:
        1400  // LZW's codes of at most 12 bits
      default: Int.max
      }
    let frame = try unsafe Frame(
      .tiff, width: width, height: height, format: format, transfer: .sRGB,
      fileSize: Int(source.pointee.count), ratio: ratio
    ) { (buffer) throws(ImageFileProblem) in
      try requireAllStrips()
      let row = buffer.count / height
      let line = apart ? row / samples : row
      guard unsafe TIFFScanlineSize(handle) == line else {
        throw .corrupt(.tiff, "its rows do not have \(line) bytes")
      }
      if apart {
        try unsafe readPlanes(buffer, height: height, samples: samples, bytes: bits / 8)
      } else {
        for index in 0..<height {
          try unsafe readRow(
            index, plane: 0, to: .init(rebasing: buffer[index * row..<(index + 1) * row]))
        }
      }
    }
    if samples == 4, fields().extraSample == UInt16(EXTRASAMPLE_ASSOCALPHA), frame.isTransparent {
      throw .unsupported(
        .tiff, "its colors are premultiplied by alpha; save it without transparency")
    }
    return frame
  }

  func fields() -> TIFFFields {
    func present(_ value: UInt16) -> UInt16? { value == .max ? nil : value }
    func number(_ tag: Int32) -> Float? {
      let value = unsafe ctiff_number(handle, UInt32(tag), -1)
      return value >= 0 ? value : nil
    }
    var count: UInt32 = 0
    let profile = unsafe ctiff_profile(handle, &count)
    return TIFFFields(
      compression: present(UInt16(tag16(TIFFTAG_COMPRESSION))),
      orientation: present(UInt16(tag16(TIFFTAG_ORIENTATION))),
      extraSample: present(unsafe ctiff_extra_sample(handle, .max)),
      horizontalResolution: number(TIFFTAG_XRESOLUTION),
      verticalResolution: number(TIFFTAG_YRESOLUTION),
      resolutionUnit: present(UInt16(tag16(TIFFTAG_RESOLUTIONUNIT))),
      iccProfile: count == 0
        ? nil
        : unsafe profile.map { unsafe [UInt8](UnsafeBufferPointer(start: $0, count: Int(count))) })
  }

  /// Returns the number of samples; throws if the page is not RGB in strips of integers.
  private func samplesPerPixel() throws(ImageFileProblem) -> Int {
    // A raw photograph that LibRaw did not recognize may start with its preview.
    guard unsafe ctiff_tag32(handle, UInt32(TIFFTAG_SUBFILETYPE), 0) & 1 == 0 else {
      throw .unsupported(.tiff, "its first page is the preview of another picture")
    }
    switch Int32(tag16(TIFFTAG_PHOTOMETRIC)) {
    case PHOTOMETRIC_RGB: break
    case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE: throw .noColor(.tiff)
    case PHOTOMETRIC_PALETTE: throw .unsupported(.tiff, "it uses a color palette")
    case PHOTOMETRIC_SEPARATED: throw .unsupported(.tiff, "its colors are CMYK")
    case PHOTOMETRIC_YCBCR: throw .unsupported(.tiff, "its colors are YCbCr")
    case PHOTOMETRIC_CFA:
      throw .unsupported(.tiff, "it is raw, in a form that LibRaw does not support")
    case let other: throw .unsupported(.tiff, "its photometric interpretation is \(other)")
    }
    guard Int32(tag16(TIFFTAG_SAMPLEFORMAT)) == SAMPLEFORMAT_UINT else {
      throw .unsupported(.tiff, "its samples are not unsigned integers")
    }
    guard unsafe TIFFIsTiled(handle) == 0 else { throw .unsupported(.tiff, "it is tiled") }
    return Int(tag16(TIFFTAG_SAMPLESPERPIXEL))
  }

  private func requireAllStrips() throws(ImageFileProblem) {
    let size = unsafe source.pointee.count
    for strip in 0..<(unsafe TIFFNumberOfStrips(handle)) {
      let offset = unsafe TIFFGetStrileOffset(handle, strip)
      let (end, overflow) = unsafe offset.addingReportingOverflow(
        TIFFGetStrileByteCount(handle, strip))
      guard !overflow, end <= size else {
        throw .truncated(.tiff, "strip \(strip) extends beyond the \(size) bytes of the file")
      }
    }
  }

  private func readPlanes(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, height: Int, samples: Int, bytes: Int
  ) throws(ImageFileProblem) {
    let row = buffer.count / height
    let line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: row / samples)
    defer { unsafe line.deallocate() }
    for plane in 0..<samples {
      for index in 0..<height {
        try unsafe readRow(index, plane: plane, to: line)
        for offset in line.indices {
          let (pixel, byte) = offset.quotientAndRemainder(dividingBy: bytes)
          unsafe buffer[index * row + (pixel * samples + plane) * bytes + byte] =
            unsafe line[offset]
        }
      }
    }
  }

  /// Reads a row. Samples have the byte order of the processor, whatever that of the file.
  private func readRow(
    _ row: Int, plane: Int, to line: UnsafeMutableBufferPointer<UInt8>
  ) throws(ImageFileProblem) {
    let result = unsafe TIFFReadScanline(handle, line.baseAddress, UInt32(row), UInt16(plane))
    let words = unsafe String(cString: ctiff_message(source))
    guard result == 1, words.isEmpty else { throw .corrupt(.tiff, words) }
  }

  private func tag16(_ tag: Int32) -> Int { Int(unsafe ctiff_tag16(handle, UInt32(tag), .max)) }
}

extension Frame {
  /// Indicates whether the fourth sample of any pixel is less than its largest value.
  fileprivate var isTransparent: Bool {
    let size = layout.format.bytesPerSample
    return (0..<layout.width * layout.height).contains { pixel in
      (3 * size..<4 * size).contains { bytes[4 * size * pixel + $0] != 0xFF }
    }
  }
}
