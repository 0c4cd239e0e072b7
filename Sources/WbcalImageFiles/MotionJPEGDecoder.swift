import CWbcalTurboJPEG
import ColorScience
import Synchronization
package import WhiteBalance

/// Decodes the frames of Motion JPEG to the planes that they store, with TurboJPEG: 4:2:2, 4:2:0,
/// 4:4:0, 4:4:4 and gray. Nothing is converted to red, green and blue.
///
/// The standard Huffman tables are used if a camera omits them. A warning of the library is an
/// error, because invented pixels would be measured. Only a frame with up to 8 extra bytes at its
/// end is accepted, because some cameras pad their last word. JPEG has no checksum: a wrong bit
/// that leaves the rest readable goes unnoticed, a missing piece does not
/// (`MotionJPEGDecoderTests`).
///
/// One thread decodes at a time.
package final class MotionJPEGDecoder: FrameDecoder {
  private let state = Mutex(TurboJPEG())

  package init() {}

  package func layout(of picture: Span<UInt8>) throws(FrameDecodingError) -> FrameLayout {
    try Self.layout(MotionJPEGHeader(picture))
  }

  private static func layout(_ header: MotionJPEGHeader) throws(FrameDecodingError) -> FrameLayout {
    let (width, height) = (header.width, header.height)
    do {
      var layout: FrameLayout
      if let chroma = header.chroma {
        // The library writes whole groups of the pixels that share chroma.
        let (across, down) = chroma.sharing
        let columns = (width + across - 1) / across
        let rows = (height + down - 1) / down
        let luma = columns * across * rows * down
        layout = try FrameLayout(
          width: width, height: height, bytesPerRow: columns * across, format: .subsampled(chroma),
          chroma: [
            .init(offset: luma, bytesPerRow: columns),
            .init(offset: luma + columns * rows, bytesPerRow: columns),
          ], transfer: .sRGB, encoding: LumaChromaEncoding(matrix: .bt601, range: .full))
      } else {
        layout = try FrameLayout(
          width: width, height: height, format: .gray(bits: 8), transfer: .sRGB)
      }
      layout.blockRounding = header.rounding
      return layout
    } catch { throw .damaged("\(error)") }
  }

  package func decode(
    _ picture: Span<UInt8>, layout: FrameLayout, into frame: inout MutableSpan<UInt8>
  ) throws(FrameDecodingError) {
    let header = try MotionJPEGHeader(picture)
    // The library writes as many bytes as its own reading of the header requires.
    guard try Self.layout(header) == layout, frame.count >= layout.byteCount else {
      throw .damaged("it does not have the expected layout")
    }
    let problem = unsafe picture.withUnsafeBufferPointer { picture in
      unsafe frame.withUnsafeMutableBufferPointer { frame in
        state.withLock { unsafe $0.decode(picture, header, layout, into: frame) }
      }
    }
    if let problem { throw problem }
  }
}

/// A decoder of the library, which keeps the tables of the last picture.
@safe private struct TurboJPEG: ~Copyable, @unchecked Sendable {
  private var handle = unsafe tjInitDecompress()
  /// Indicates whether the library may hold Huffman tables of an earlier picture, which must not be
  /// used for the next one.
  private var hasTables = false

  deinit { unsafe tjDestroy(handle) }

  mutating func decode(
    _ picture: UnsafeBufferPointer<UInt8>, _ header: MotionJPEGHeader, _ layout: FrameLayout,
    into frame: UnsafeMutableBufferPointer<UInt8>
  ) -> FrameDecodingError? {
    if hasTables, !header.hasHuffmanTables {
      unsafe tjDestroy(handle)
      unsafe handle = tjInitDecompress()
    }
    hasTables = true
    guard unsafe handle != nil else { return .damaged("out of memory") }
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colors: Int32 = 0
    guard
      unsafe tjDecompressHeader3(
        handle, picture.baseAddress, UInt(picture.count), &width, &height, &subsampling, &colors)
        == 0
    else { return .damaged(words) }
    guard TJCS(UInt32(bitPattern: colors)) == (header.chroma == nil ? TJCS_GRAY : TJCS_YCbCr),
      TJSAMP(UInt32(bitPattern: subsampling)) == header.subsampling
    else { return .unsupported("components other than luma and chroma") }
    guard width == layout.width, height == layout.height else {
      return .damaged("it does not have the expected layout")
    }
    var planes: [UnsafeMutablePointer<UInt8>?] = unsafe [frame.baseAddress]
    var strides = [Int32(layout.bytesPerRow)]
    for plane in layout.chroma {
      unsafe planes.append(frame.baseAddress.map { unsafe $0 + plane.offset })
      strides.append(Int32(plane.bytesPerRow))
    }
    let flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
    let code = unsafe tjDecompressToYUVPlanes(
      handle, picture.baseAddress, UInt(picture.count), &planes, width, &strides, height, flags)
    guard code != 0, unsafe !isOnlyFilledUp(picture, header) else { return nil }
    return .damaged(words)
  }

  private var words: String {
    unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown error"
  }

  /// Indicates whether the only defect of a picture is a few bytes between its samples and its end.
  /// The library reports this after it has read all samples; if the picture has restart markers,
  /// all of them must be present.
  private func isOnlyFilledUp(
    _ picture: UnsafeBufferPointer<UInt8>, _ header: MotionJPEGHeader
  ) -> Bool {
    let words = words.split(separator: " ")
    // "Corrupt JPEG data: 2 extraneous bytes before marker 0xd9"
    guard words.count == 9, words[4] == "extraneous", words[8] == "0xd9",
      let count = Int(words[3]), count <= 8
    else { return false }
    return unsafe header.restartInterval == 0
      || header.restarts == picture[header.scanStart...].restartMarkCount
  }
}

extension MotionJPEGHeader {
  fileprivate var subsampling: TJSAMP {
    switch chroma {
    case nil: TJSAMP_GRAY
    case .planar444: TJSAMP_444
    case .planar422: TJSAMP_422
    case .planar440: TJSAMP_440
    default: TJSAMP_420
    }
  }

  /// The number of restart markers of a complete picture.
  fileprivate var restarts: Int {
    let (across, down) = chroma?.sharing ?? (1, 1)
    let columns = (width + 8 * across - 1) / (8 * across)
    let rows = (height + 8 * down - 1) / (8 * down)
    return (columns * rows + restartInterval - 1) / restartInterval - 1
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The number of restart markers in a picture's samples, which cannot contain these bytes
  /// otherwise.
  fileprivate var restartMarkCount: Int {
    unsafe zip(self, dropFirst()).count { $0 == 0xFF && (0xD0...0xD7).contains($1) }
  }
}
