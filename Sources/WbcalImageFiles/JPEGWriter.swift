import CWbcalTurboJPEG
import WhiteBalance

/// Writes JPEG files with TurboJPEG, without chroma subsampling.
enum JPEGWriter {
  /// - Parameter metadata: the segments of the metadata.
  static func encode(
    _ frame: Frame, segments: JPEGSegments, metadata: [UInt8], quality: Int = 95
  ) throws(ImageFileProblem) -> [UInt8] {
    guard let handle = unsafe tjInitCompress() else { throw .unwritable(.jpeg, "out of memory") }
    defer { _ = unsafe tjDestroy(handle) }
    let layout = frame.layout
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { unsafe tjFree(buffer) }
    var count: UInt = 0
    let code = unsafe tjCompress2(
      handle, frame.bytes, Int32(layout.width), Int32(layout.bytesPerRow), Int32(layout.height),
      TJPF_RGB.rawValue, &buffer, &count, Int32(TJSAMP_444.rawValue), Int32(quality),
      TJFLAG_ACCURATEDCT)
    guard code == 0 else {
      let words = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) }
      throw .unwritable(.jpeg, words ?? "unknown error")
    }
    return unsafe segments.replacingStart(
      of: UnsafeBufferPointer(start: buffer, count: Int(count)), metadata: metadata)
  }
}
