package import WhiteBalance

/// Pictures on disk.
package enum ImageFile {
  /// The picture in a file, as it is stored: not rotated, no profile applied, alpha ignored.
  ///
  /// The content decides on the format; a name that promises another one is an error. Samples of two
  /// bytes are little-endian. A raw photograph comes as the linear samples of its color filter array;
  /// all else is RGB, taken to be sRGB unless a PNG file says otherwise.
  package static func read(path: String) throws(ImageFileError) -> Frame {
    try readPicture(path: path).frame
  }

  /// The same with all that is needed to write it again.
  package static func readPicture(path: String) throws(ImageFileError) -> Picture {
    do throws(ImageFileProblem) {
      let bytes = try FileContents.load(path: path)
      guard !bytes.isEmpty else { throw .empty }
      let promised = ImageFormat(promisedBy: path)
      let content = try format(of: bytes, promised: promised)
      if let promised, promised != content {
        throw .mislabelled(promised: promised, content: content)
      }
      return try Picture(path: path, format: content, bytes: bytes)
    } catch {
      throw ImageFileError(path: path, problem: error)
    }
  }

  /// The format, which for TIFF files, as most makers' raw formats are too, is LibRaw's to tell.
  ///
  /// What it refuses is a raw photograph all the same if the name says so and libtiff cannot read it.
  private static func format(
    of bytes: [UInt8], promised: ImageFormat?
  ) throws(ImageFileProblem) -> ImageFormat {
    guard let format = ImageFormat(signatureOf: bytes) else { throw .unknownFormat }
    guard format == .tiff else { return format }
    if RawReader.recognizes(bytes) { return .raw }
    return promised == .raw && (try? TIFFReader.read(bytes)) == nil ? .raw : .tiff
  }
}
