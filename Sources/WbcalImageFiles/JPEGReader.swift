import CWbcalTurboJPEG
import ColorScience
import WhiteBalance

/// Reads JPEG files with TurboJPEG: 8 bits, three colors, decoded without approximations.
///
/// A warning of the library is an error here, because invented pixels would be measured.
enum JPEGReader {
  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    guard let handle = unsafe tjInitDecompress() else { throw .corrupt(.jpeg, "out of memory") }
    defer { _ = unsafe tjDestroy(handle) }
    func check(_ code: Int32) throws(ImageFileProblem) {
      guard code != 0 else { return }
      let words =
        unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown error"
      if words.contains("Unsupported") { throw .unsupported(.jpeg, words) }
      // The library adds a missing end marker, and then reports another error.
      throw bytes.suffix(2) == [0xFF, 0xD9] ? .corrupt(.jpeg, words) : .truncated(.jpeg, words)
    }
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colors: Int32 = 0
    try check(
      unsafe tjDecompressHeader3(
        handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colors))
    guard width > 0 else { throw .truncated(.jpeg, "no picture in it") }
    switch TJCS(UInt32(bitPattern: colors)) {
    case TJCS_GRAY: throw .noColor(.jpeg)
    case TJCS_CMYK, TJCS_YCCK: throw .unsupported(.jpeg, "its colors are CMYK")
    default: break
    }
    let flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
    // A block of 8×8 pixels takes at least a bit, except with arithmetic coding, which is not used
    // in practice.
    var frame = try unsafe Frame(
      .jpeg, width: Int(width), height: Int(height), format: .rgb8, transfer: .sRGB,
      fileSize: bytes.count, ratio: 8 * 64 * 3
    ) { (buffer) throws(ImageFileProblem) in
      try check(
        unsafe tjDecompress2(
          handle, bytes, UInt(bytes.count), buffer.baseAddress, width, 0, height,
          TJPF_RGB.rawValue, flags))
    }
    if TJCS(UInt32(bitPattern: colors)) == TJCS_YCbCr {
      frame.layout.blockRounding = (try? MotionJPEGHeader(bytes.span))?.fileRounding
    }
    return frame
  }
}
