package import WhiteBalance

/// Pictures on disk.
package enum ImageFile {
  /// The picture in a file, as it is stored: not rotated, no profile applied, alpha ignored.
  ///
  /// The content decides on the format; a name that promises another one is an error. Samples of
  /// two bytes are little-endian. A raw photograph comes as the linear samples of its color filter
  /// array; all else is RGB, taken to be sRGB unless a PNG file says otherwise.
  package static func read(path: String) throws(ImageFileError) -> Frame {
    try readPicture(path: path).frame
  }

  /// The same with all that is needed to write it again.
  package static func readPicture(path: String) throws(ImageFileError) -> Picture {
    var reader = ImageFileReader()
    return try reader.picture(path: path)
  }

  /// The picture in the bytes of a file of a format.
  package static func decode(
    _ bytes: [UInt8], as format: ImageFormat
  ) throws(ImageFileProblem) -> Frame {
    try Picture(path: "", format: format, bytes: bytes).frame
  }

  /// The format, which for TIFF files, as most makers' raw formats are too, is LibRaw's to tell,
  /// and a reader if it is a raw photograph.
  ///
  /// What it refuses is a raw photograph all the same if the name says so and libtiff cannot read
  /// it.
  static func format(
    of bytes: [UInt8], promised: ImageFormat?
  ) throws(ImageFileProblem) -> (ImageFormat, RawReader?) {
    guard let format = ImageFormat(signatureOf: bytes) else { throw .unknownFormat }
    guard format == .tiff else { return (format, nil) }
    // libtiff would read the preview in it.
    if promised == .raw, !RawReader.isAvailable { return (.raw, nil) }
    if let raw = try? RawReader(bytes), raw.isRecognized { return (.raw, raw) }
    return (promised == .raw && (try? TIFFReader.read(bytes)) == nil ? .raw : .tiff, nil)
  }
}
