import CameraControl
import WhiteBalance

/// Makes frames from the contents of a driver's buffers when they are wanted.
protocol FrameContent {
  /// Passes the frame in a buffer's planes to `body`; returns `nil` if it is not wanted.
  ///
  /// - Throws: `CameraError` if no frame of this stream can be read, `FrameDamage` if only this one
  ///   cannot.
  mutating func read<Result>(
    _ planes: [UnsafeBufferPointer<UInt8>], where isWanted: (FrameLayout) -> Bool,
    _ body: (FrameLayout, Span<UInt8>) -> Result
  ) throws -> Result?
}

/// Frames that lie in one plane in a format that can be measured; they are not copied.
struct RawFrames: FrameContent {
  let layout: FrameLayout
  let camera: String
  private var shortFrames = (count: 0, bytes: 0)

  /// The number of consecutive frames that are too short by the same number of bytes before this
  /// counts as the driver's error: a connection that loses data does not lose the same amount each
  /// time.
  private static let agreeingFrames = 8

  init(layout: FrameLayout, camera: String) {
    self.layout = layout
    self.camera = camera
  }

  mutating func read<Result>(
    _ planes: [UnsafeBufferPointer<UInt8>], where isWanted: (FrameLayout) -> Bool,
    _ body: (FrameLayout, Span<UInt8>) -> Result
  ) throws -> Result? {
    let frame = unsafe planes[0]
    let found = layout.bytesPerRow(ofFrame: frame.count)
    guard frame.count >= layout.byteCount else {
      shortFrames = (shortFrames.bytes == frame.count ? shortFrames.count + 1 : 1, frame.count)
      if let found, shortFrames.count >= Self.agreeingFrames {
        throw rowLengthError(found, frame.count)
      }
      throw FrameDamage(reason: "\(frame.count) bytes instead of \(layout.byteCount)")
    }
    shortFrames.count = 0
    if let found { throw rowLengthError(found, frame.count) }
    return isWanted(layout) ? unsafe body(layout, frame.span) : nil
  }

  private func rowLengthError(_ found: Int, _ bytes: Int) -> CameraError {
    .rowLength(camera: camera, reported: layout.bytesPerRow, actual: found, frame: bytes)
  }
}

extension FrameLayout {
  /// Returns the length of a row in bytes that follows from the size of a frame; `nil` if it equals
  /// this layout's, or the size does not determine it.
  ///
  /// A frame may be larger than its rows: by rows up to a multiple of 16, which encoders and image
  /// processors add, or up to the end of a page of memory.
  func bytesPerRow(ofFrame bytes: Int) -> Int? {
    // Twice the ratio of a frame's size to that of `height` rows of luma.
    let halves: Int
    switch format.arrangement {
    case .subsampled(.nv12), .subsampled(.nv21), .subsampled(.yu12): halves = 3
    case .subsampled(.planar422), .subsampled(.planar440): halves = 4
    case .subsampled(.planar444): halves = 6
    case .subsampled, .interleaved, .bayer, .gray: halves = 2
    }
    let expected = height * halves * bytesPerRow / 2
    guard 2 * bytes % (height * halves) == 0 else { return nil }
    let found = 2 * bytes / (height * halves)
    let least = try? FrameLayout(width: width, height: height, format: format).bytesPerRow
    guard found != bytesPerRow, found >= least ?? .max else { return nil }
    if bytes < expected { return bytes < byteCount ? found : nil }
    let page = 4096
    let hasMoreRows = bytes % (8 * halves * bytesPerRow) == 0
    let fillsPage = bytes == (expected + page - 1) / page * page
    return hasMoreRows || found % 8 != 0 || fillsPage ? nil : found
  }
}

/// Frames whose luma and chroma have separate memory. A wanted frame's planes are copied one after
/// the other, which takes a fraction of the time of measuring it.
struct PlanarFrames: FrameContent {
  /// The layout of the copies.
  let layout: FrameLayout
  private var frame: [UInt8]

  init(layout: FrameLayout) {
    self.layout = layout
    frame = [UInt8](repeating: 0, count: layout.byteCount)
  }

  mutating func read<Result>(
    _ planes: [UnsafeBufferPointer<UInt8>], where isWanted: (FrameLayout) -> Bool,
    _ body: (FrameLayout, Span<UInt8>) -> Result
  ) throws -> Result? {
    let starts = [0] + layout.chroma.map(\.offset)
    guard unsafe planes.count == starts.count else {
      throw unsafe FrameDamage(reason: "\(planes.count) planes instead of \(starts.count)")
    }
    let sizes = layout.planeByteCounts
    for (index, size) in sizes.enumerated() {
      guard unsafe planes[index].count >= size else {
        throw unsafe FrameDamage(
          reason: "a plane of \(planes[index].count) bytes instead of \(size)")
      }
    }
    guard isWanted(layout) else { return nil }
    unsafe frame.withUnsafeMutableBytes { frame in
      for index in starts.indices {
        unsafe frame[starts[index]..<starts[index] + sizes[index]]
          .copyBytes(from: planes[index][..<sizes[index]])
      }
    }
    return body(layout, frame.span)
  }
}

extension FrameLayout {
  /// The sizes of luma and of each chroma plane in bytes, without a gap after the last row.
  var planeByteCounts: [Int] {
    guard case .subsampled(let places) = format.arrangement else { return [byteCount] }
    let size = places.planeSize(width: width, height: height)
    return [(height - 1) * bytesPerRow + width]
      + chroma.map { (size.rows - 1) * $0.bytesPerRow + size.columns }
  }
}

/// Frames that a camera compresses individually. Unwanted frames are not decoded.
struct CompressedFrames: FrameContent {
  let decoder: any FrameDecoder
  let format: DriverFormat
  let camera: String
  private var frame: [UInt8] = []

  /// The number of pixels by which a picture may be larger than the driver reports, because
  /// encoders fill the last blocks.
  private static let filling = 15

  init(decoder: any FrameDecoder, format: DriverFormat, camera: String) {
    self.decoder = decoder
    self.format = format
    self.camera = camera
  }

  mutating func read<Result>(
    _ planes: [UnsafeBufferPointer<UInt8>], where isWanted: (FrameLayout) -> Bool,
    _ body: (FrameLayout, Span<UInt8>) -> Result
  ) throws -> Result? {
    let picture = unsafe planes[0].span
    let decoder = decoder
    do throws(FrameDecodingError) {
      let layout = try decoder.layout(of: picture)
      guard (format.width...format.width + Self.filling).contains(layout.width),
        (format.height...format.height + Self.filling).contains(layout.height)
      else {
        throw .damaged(
          "\(layout.width)×\(layout.height) pixels instead of \(format.width)×\(format.height)")
      }
      guard let shown = format.colored(layout) else {
        throw .unsupported("an unknown tone curve or color encoding")
      }
      guard isWanted(shown) else { return nil }
      if frame.count != layout.byteCount {
        frame = [UInt8](repeating: 0, count: layout.byteCount)
      }
      var bytes = frame.mutableSpan
      try decoder.decode(picture, layout: layout, into: &bytes)
      return body(shown, frame.span)
    } catch {
      switch error {
      case .damaged(let words): throw FrameDamage(reason: words)
      case .unsupported(let words):
        throw CameraError.noFormat(
          camera: camera, asked: nil,
          offered: ["\(format.fourCC) of an unsupported kind (\(words))"])
      }
    }
  }
}
