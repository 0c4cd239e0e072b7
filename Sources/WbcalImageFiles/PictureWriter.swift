import ColorScience
package import WhiteBalance

/// Writes pictures of red, green and blue in 16 bits that are not those of a file.
package enum PictureWriter {
  /// Returns the bytes of a file: 16 bits a channel, but 8 in JPEG.
  ///
  /// - Parameters:
  ///   - picture: the picture, in the format `rgb16` without gaps between rows.
  ///   - isSRGB: `true` if its colors are those of sRGB, which a PNG file then states.
  ///   - iccProfile: the profile that a TIFF or JPEG file gets.
  ///   - metadata: those of the picture from which this one was developed to sRGB.
  ///   - remark: gets the remarks on metadata that were left out.
  /// - Throws: `ImageFileError` for a raw photograph, or with the message of the library that
  ///   writes the format.
  package static func encode(
    _ picture: Frame, as format: ImageFormat, path: String, isSRGB: Bool, iccProfile: [UInt8]?,
    metadata: PictureMetadata = PictureMetadata(), remark: (String) -> Void = { _ in }
  ) throws -> [UInt8] {
    do throws(ImageFileProblem) {
      var metadata = metadata.developed(to: picture.layout)
      defer { metadata.remarks.forEach(remark) }
      switch format {
      case .tiff:
        return try TIFFWriter.encode(
          picture, fields: TIFFFields(iccProfile: iccProfile), metadata: &metadata)
      case .png:
        let chunks = PNGChunks.encode([], metadata: metadata.pngChunks())
        return try PNGWriter.encode(picture, chunks: (isSRGB ? PNGChunks.sRGB : []) + chunks)
      case .jpeg:
        return try JPEGWriter.encode(
          try eightBits(picture), segments: JPEGSegments(iccProfile: iccProfile),
          metadata: metadata.jpegSegments())
      case .pnm: return PNMWriter.encode(picture, largest: 65_535)
      case .raw: throw .unwritable(.raw, "raw photographs are not written")
      }
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  private static func eightBits(_ picture: Frame) throws(ImageFileProblem) -> Frame {
    let layout = picture.layout
    let bytes = stride(from: 0, to: layout.byteCount, by: 2).map { place in
      let code = UInt32(picture.bytes[place]) | UInt32(picture.bytes[place + 1]) << 8
      return UInt8((code * 255 + 32_767) / 65_535)
    }
    do {
      return try Frame(
        layout: try FrameLayout(
          width: layout.width, height: layout.height, format: .rgb8, transfer: layout.transfer),
        bytes: bytes)
    } catch { throw .unwritable(.jpeg, "\(error)") }
  }
}
