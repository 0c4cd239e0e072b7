package import WhiteBalance

/// Writes pictures for display, brightened and with drawings, which must not be measured.
package enum PreviewWriter {
  /// Returns the bytes of a PNG file with a frame of the format `rgb8`, interpreted as sRGB; `nil`
  /// if the library fails.
  package static func png(_ frame: Frame) -> [UInt8]? {
    frame.layout.format == .rgb8
      ? try? PNGWriter.encode(frame, chunks: PNGChunks.sRGB + PNGChunks.chunk("eXIf", exif)) : nil
  }

  /// Returns the bytes of a JPEG file with a frame of the format `rgb8`; it states no color space,
  /// which means sRGB. `nil` if the library fails.
  ///
  /// - Parameter quality: the quality, 1 to 100.
  package static func jpeg(_ frame: Frame, quality: Int = 95) -> [UInt8]? {
    let content = Array("Exif\0\0".utf8) + exif
    let segment = [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
    return frame.layout.format == .rgb8
      ? try? JPEGWriter.encode(
        frame, segments: JPEGSegments(iccProfile: nil), metadata: segment, quality: quality)
      : nil
  }

  private static let origin = PictureOrigin(make: "wbcal", model: "preview")

  /// Exif data that name this maker and model.
  private static let exif: [UInt8] =
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
    + [0x0F, 1, 2, 0, 6, 0, 0, 0, 38, 0, 0, 0]
    + [0x10, 1, 2, 0, 8, 0, 0, 0, 44, 0, 0, 0]
    + [0, 0, 0, 0] + Array("wbcal\0preview\0".utf8)

  /// Indicates whether a picture was written by this type.
  package static func made(_ picture: PictureOrigin) -> Bool {
    picture.make == origin.make && picture.model == origin.model
  }
}
