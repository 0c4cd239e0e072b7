package import WhiteBalance

/// Reads picture files one after another, each into the memory of the one before.
///
/// To have the system hand out 48 MB of empty memory takes longer than to fill it.
package struct ImageFileReader {
  private var bytes: [UInt8] = []

  /// A reader that has read nothing.
  package init() {}

  /// The picture in a file, described at `ImageFile.read(path:)`.
  package mutating func picture(path: String) throws(ImageFileError) -> Picture {
    do throws(ImageFileProblem) {
      let (format, _) = try load(path: path)
      return try Picture(path: path, format: format, bytes: bytes)
    } catch {
      throw ImageFileError(path: path, problem: error)
    }
  }

  /// What `body` makes of the pixels of a file and its ICC profile; rows may lie apart.
  ///
  /// The pixels of a raw photograph are not copied, but lent as LibRaw decoded them.
  package mutating func withPixels<Result>(
    path: String, _ body: (Span<UInt8>, FrameLayout, _ iccProfile: [UInt8]?) -> Result
  ) throws(ImageFileError) -> Result {
    do throws(ImageFileProblem) {
      let (format, raw) = try load(path: path)
      if let raw { return try raw.withPixels { body($0, $1, nil) } }
      let picture = try Picture(path: path, format: format, bytes: bytes)
      return body(picture.frame.bytes.span, picture.frame.layout, picture.iccProfile)
    } catch {
      throw ImageFileError(path: path, problem: error)
    }
  }

  /// Loads a file whose content is of the format that its name promises; there is a reader if it is
  /// raw.
  private mutating func load(path: String) throws(ImageFileProblem)
    -> (ImageFormat, RawReader?)
  {
    try FileContents.load(path: path, into: &bytes)
    guard !bytes.isEmpty else { throw .empty }
    let promised = ImageFormat(promisedBy: path)
    let (content, raw) = try ImageFile.format(of: bytes, promised: promised)
    if let promised, promised != content {
      throw .mislabelled(promised: promised, content: content)
    }
    return (content, try content == .raw && raw == nil ? RawReader(bytes) : raw)
  }
}
