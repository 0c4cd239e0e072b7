#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import ColorScience
import WbcalSystem
package import WhiteBalance

/// A file in which pixels lie as in a frame, so that a picture can be read and made again in
/// strips: a binary pixmap, or a bare frame.
///
/// ```swift
/// if let file = PixelFile(pixmap: "in.ppm") {
///   let strip = try file.rows(0..<min(16, file.layout.height))
/// }
/// ```
package struct PixelFile: Sendable {
  package let path: String
  /// What another file of the same picture has before its pixels.
  package let header: [UInt8]
  /// The format of the file; `nil` for a bare frame.
  package let format: ImageFormat?
  /// The layout of the whole frame.
  package var layout: FrameLayout
  private let file: OpenFile
  /// Where the pixels start.
  private let start: Int
  /// The largest value of a pixmap.
  private let largest: Int?

  /// `nil` for all but sound binary pixmaps in regular files: `ImageFileReader` reads what else can
  /// be read, and says what is wrong with others.
  package init?(pixmap path: String) {
    guard [nil, .pnm].contains(ImageFormat(promisedBy: path)), let file = OpenFile(path: path)
    else { return nil }
    let beginning = try? file.bytes(0..<min(file.size, 1 << 16))
    guard let beginning, ImageFormat(signatureOf: beginning) == .pnm,
      let header = try? PNMHeader(beginning), header.isBinary,
      Frame.isAcceptable(width: header.width, height: header.height),
      let layout = try? FrameLayout(
        width: header.width, height: header.height, format: header.format,
        whiteLevel: Double(header.largest), transfer: .sRGB),
      file.size > header.length + layout.byteCount
    else { return nil }
    self.path = path
    self.header = PNMWriter.header(of: layout, largest: header.largest)
    format = .pnm
    self.layout = layout
    self.file = file
    start = header.length + 1
    largest = header.largest
  }

  /// `nil` for files of another length than a frame of the layout, for formats of several planes,
  /// and for what is no regular file.
  package init?(bareFrame path: String, layout: FrameLayout) {
    if case .subsampled = layout.format.arrangement { return nil }
    guard let file = OpenFile(path: path), file.size == layout.byteCount else { return nil }
    self.path = path
    header = []
    format = nil
    self.layout = layout
    self.file = file
    start = 0
    largest = nil
  }

  /// The bytes of rows, as in a frame; may be called by several threads at once.
  ///
  /// - Throws: `ImageFileError` where the file cannot be read any more, or a sample is above the
  ///   largest value.
  package func rows(_ rows: Range<Int>) throws(ImageFileError) -> [UInt8] {
    let first = start + rows.lowerBound * layout.bytesPerRow
    do throws(ImageFileProblem) {
      var bytes = try file.bytes(first..<first + rows.count * layout.bytesPerRow)
      // Any byte may be as large as 255.
      if let largest, largest != 255 {
        let most = PNMReader.arrange(&bytes, largest < 256 ? 1 : 2)
        guard most <= largest else { throw PNMReader.excess(most, largest) }
      }
      return bytes
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  /// Turns the bytes of rows into those of the file.
  package func encode(_ rows: inout [UInt8]) {
    if largest != nil, layout.format.bytesPerSample == 2 { _ = PNMReader.arrange(&rows, 2) }
  }
}

/// A regular file that is closed when nobody needs it any more.
private final class OpenFile: Sendable {
  let size: Int
  private let descriptor: CInt

  init?(path: String) {
    guard !path.utf8.contains(0) else { return nil }
    // Opening a pipe would wait for its writer.
    descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  func bytes(_ range: Range<Int>) throws(ImageFileProblem) -> [UInt8] {
    var problem: ImageFileProblem?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let done = unsafe pread(
          descriptor, buffer.baseAddress! + count, range.count - count,
          off_t(range.lowerBound + count))
        if done < 0, errno == EINTR { continue }
        guard done > 0 else {
          // A file that has become shorter meanwhile.
          problem = ImageFileProblem(errno: done < 0 ? errno : EIO)
          return
        }
        count += done
      }
    }
    if let problem { throw problem }
    return bytes
  }
}
