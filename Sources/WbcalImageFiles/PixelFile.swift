import ColorScience
import WbcalSystem
package import WhiteBalance

/// A file whose pixels have the layout of a frame, so that a picture can be read and written in
/// strips: a binary pixmap, or a bare frame.
///
/// ```swift
/// if let file = PixelFile(pixmap: "in.ppm") {
///   let strip = try file.rows(0..<min(16, file.layout.height))
/// }
/// ```
package struct PixelFile: Sendable {
  package let path: String
  /// The bytes before the pixels in another file of the same picture.
  package let header: [UInt8]
  /// The format of the file; `nil` for a bare frame.
  package let format: ImageFormat?
  /// The layout of the whole frame.
  package var layout: FrameLayout
  private let file: OpenFile
  /// The offset at which the pixels start.
  private let start: Int
  /// The largest value of a pixmap.
  private let largest: Int?

  /// Opens a binary pixmap; `nil` if it is damaged or not a regular file, and for all other
  /// formats: `ImageFileReader` reads the other formats, and reports the defects of a file.
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

  /// Opens a bare frame; `nil` for files whose length differs from that of a frame of the layout,
  /// for formats of several planes, and for files that are not regular.
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

  /// Returns the bytes of rows, as in a frame; several threads may call this at once.
  ///
  /// - Throws: `ImageFileError` if the file can no longer be read, or a sample is above the largest
  ///   value.
  package func rows(_ rows: Range<Int>) throws(ImageFileError) -> [UInt8] {
    let first = start + rows.lowerBound * layout.bytesPerRow
    do throws(ImageFileProblem) {
      var bytes = try file.bytes(first..<first + rows.count * layout.bytesPerRow)
      // No byte can exceed 255.
      if let largest, largest != 255 {
        let most = PNMReader.arrange(&bytes, largest < 256 ? 1 : 2)
        guard most <= largest else { throw PNMReader.excess(most, largest) }
      }
      return bytes
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  /// Converts the bytes of rows to those of the file.
  package func encode(_ rows: inout [UInt8]) {
    if largest != nil, layout.format.bytesPerSample == 2 { _ = PNMReader.arrange(&rows, 2) }
  }
}

/// A regular file that is closed with its last reference.
private final class OpenFile: Sendable {
  let size: Int
  private let descriptor: CInt

  init?(path: String) {
    guard !path.utf8.contains(0) else { return nil }
    // Opening a pipe would otherwise wait for its writer.
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
          // The file has become shorter since it was opened.
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
