import CWbcalTurboJPEG
import Testing
import WhiteBalance

@testable import WbcalImageFiles

/// JPEG pictures with chroma as cameras store it.
enum MotionJPEG {
  static let subsamplings = [TJSAMP_422, TJSAMP_420, TJSAMP_444, TJSAMP_440, TJSAMP_GRAY]

  /// Encodes a picture of red, green and blue, three bytes a pixel.
  static func encoded(
    _ pixels: [UInt8], width: Int, height: Int, _ subsampling: TJSAMP = TJSAMP_422,
    quality: Int = 90, flags: Int32 = TJFLAG_ACCURATEDCT
  ) -> [UInt8] {
    let handle = unsafe tjInitCompress()
    defer { _ = unsafe tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { unsafe tjFree(buffer) }
    var count: UInt = 0
    let code = unsafe tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), TJPF_RGB.rawValue, &buffer, &count,
      Int32(subsampling.rawValue), Int32(quality), flags)
    precondition(code == 0, "TurboJPEG encodes")
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }

  /// Encodes a picture from planes, each without gaps between its rows.
  static func encoded(
    planes: [[UInt8]], width: Int, height: Int, _ subsampling: TJSAMP, quality: Int
  ) -> [UInt8] {
    let handle = unsafe tjInitCompress()
    defer { _ = unsafe tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { unsafe tjFree(buffer) }
    var count: UInt = 0
    let joined = planes.flatMap { $0 }
    let code = unsafe joined.withUnsafeBufferPointer { bytes in
      var pointers: [UnsafePointer<UInt8>?] = unsafe []
      var start = 0
      for plane in planes {
        unsafe pointers.append(bytes.baseAddress! + start)
        start += plane.count
      }
      return unsafe tjCompressFromYUVPlanes(
        handle, &pointers, Int32(width), nil, Int32(height), Int32(subsampling.rawValue), &buffer,
        &count, Int32(quality), TJFLAG_ACCURATEDCT)
    }
    precondition(code == 0, "TurboJPEG encodes")
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }

  /// Returns red, green and blue of a scene with edges, gradients and noise.
  static func scene(width: Int, height: Int, noise: Int = 8, seed: UInt64 = 1) -> [UInt8] {
    var random = seed
    return (0..<width * height).flatMap { place -> [UInt8] in
      let (x, y) = (place % width, place / width)
      let edge = (x / 23 + y / 17) % 2 * 40
      return (0..<3).map { channel in
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let grain = noise == 0 ? 0 : Int(random >> 33) % noise
        return UInt8(min(255, 40 + edge + (x * (channel + 1) + y) * 60 / (width + height) + grain))
      }
    }
  }

  /// Returns a picture without the segments of some markers.
  static func without(_ marks: Set<UInt8>, _ picture: [UInt8]) -> [UInt8] {
    var result = Array(picture[..<2])
    var start = 2
    while true {
      let end = start + 2 + Int(picture[start + 2]) << 8 + Int(picture[start + 3])
      if !marks.contains(picture[start + 1]) { result += picture[start..<end] }
      if picture[start + 1] == 0xDA { return result + picture[end...] }
      start = end
    }
  }

  /// Returns the offset at which the samples' codes start.
  static func scanStart(_ picture: [UInt8]) throws -> Int {
    try MotionJPEGHeader(picture.span).scanStart
  }
}

extension MotionJPEGDecoder {
  /// Returns the frame of a picture.
  func frame(_ picture: [UInt8]) throws -> Frame {
    let layout = try layout(of: picture.span)
    var bytes = [UInt8](repeating: 0xEE, count: layout.byteCount)
    var span = bytes.mutableSpan
    try decode(picture.span, layout: layout, into: &span)
    return try Frame(layout: layout, bytes: bytes)
  }

  /// Returns the defect of a picture; `nil` if there is none.
  func problem(_ picture: [UInt8]) -> FrameDecodingError? {
    do {
      _ = try frame(picture)
      return nil
    } catch { return error as? FrameDecodingError }
  }

  /// Indicates whether a picture is reported as damaged.
  func isDamaged(_ picture: [UInt8]) -> Bool {
    if case .damaged = problem(picture) { true } else { false }
  }
}
