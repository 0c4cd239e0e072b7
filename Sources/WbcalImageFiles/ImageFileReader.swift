package import WhiteBalance

/// Reads picture files one after another, each into the memory of the previous one.
///
/// Reuse of the memory matters: the system takes longer to allocate 48 MB than the file takes to
/// fill them.
package struct ImageFileReader {
  private var bytes: [UInt8] = []

  package init() {}

  /// Reads the picture in a file as it is stored: not rotated, no profile applied, alpha ignored.
  ///
  /// The content determines the format; a name that promises another one is an error. Samples of
  /// two bytes are little-endian. A raw photograph is read as the linear samples of its color
  /// filter array if that is a Bayer array. All other pictures are RGB: linear for a raw
  /// photograph, or else sRGB unless a PNG file states otherwise.
  package mutating func picture(path: String) throws(ImageFileError) -> Picture {
    do throws(ImageFileProblem) {
      let (format, _) = try load(path: path)
      return try Picture(path: path, format: format, bytes: bytes)
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  /// Returns the result of `body` for the pixels of a file, its information on colors, and its
  /// camera. There may be gaps between rows.
  ///
  /// The pixels of a raw photograph are passed as LibRaw decoded them, without a copy.
  package mutating func withPixels<Result>(
    path: String,
    _ body: (Span<UInt8>, FrameLayout, ColorStatement, PictureOrigin) -> Result
  ) throws(ImageFileError) -> Result {
    do throws(ImageFileProblem) {
      let (format, raw) = try load(path: path)
      if let raw {
        return try raw.withPixels { body($0, $1, ColorStatement(isCurveStated: true), $2) }
      }
      let picture = try Picture(path: path, format: format, bytes: bytes)
      return body(
        picture.frame.bytes.span, picture.frame.layout, picture.colors, picture.origin)
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  /// Returns the known colors of the camera that took a raw photograph; `nil` for other files.
  package mutating func cameraColors(path: String) throws(ImageFileError) -> CameraColors? {
    do throws(ImageFileProblem) {
      return try load(path: path).1?.cameraColors()
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  /// Loads a file whose content has the format that its name promises, and returns a `RawReader` if
  /// it is a raw photograph.
  private mutating func load(path: String) throws(ImageFileProblem) -> (ImageFormat, RawReader?) {
    try FileContents.load(path: path, into: &bytes)
    guard !bytes.isEmpty else { throw .empty }
    let promised = ImageFormat(promisedBy: path)
    let (content, raw) = try Self.format(of: bytes, promised: promised)
    if let promised, promised != content {
      throw .mislabelled(promised: promised, content: content)
    }
    return (content, try content == .raw && raw == nil ? RawReader(bytes) : raw)
  }

  /// Returns the format of a file's content, and a `RawReader` if one recognized it.
  ///
  /// Most makers' raw formats are TIFF files, so LibRaw determines which of these are raw
  /// photographs. A file that LibRaw rejects still counts as one if its name says so and libtiff
  /// cannot read it either.
  private static func format(
    of bytes: [UInt8], promised: ImageFormat?
  ) throws(ImageFileProblem) -> (ImageFormat, RawReader?) {
    guard let format = ImageFormat(signatureOf: bytes) else { throw .unknownFormat }
    guard format == .tiff else { return (format, nil) }
    // libtiff would read the file's preview.
    if promised == .raw, !RawReader.isAvailable { return (.raw, nil) }
    if let raw = try? RawReader(bytes), raw.isRecognized { return (.raw, raw) }
    return (promised == .raw && (try? TIFFReader.read(bytes)) == nil ? .raw : .tiff, nil)
  }
}
