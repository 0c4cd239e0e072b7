package import WhiteBalance

package enum PreviewWriter {
  /// The bytes of a PNG file that holds a frame of the format `rgb8`, read as sRGB; `nil` if the
  /// library fails.
  package static func png(_ frame: Frame) -> [UInt8]? {
    frame.layout.format == .rgb8 ? try? PNGWriter.encode(frame, chunks: saysSRGB) : nil
  }

  /// The same as a JPEG file, whose pixels are read as sRGB where it says nothing.
  package static func jpeg(_ frame: Frame) -> [UInt8]? {
    frame.layout.format == .rgb8
      ? try? JPEGWriter.encode(frame, segments: JPEGSegments([])) : nil
  }

  /// An sRGB chunk with its checksum.
  private static let saysSRGB: [UInt8] =
    [0, 0, 0, 1] + Array("sRGB".utf8) + [0, 0xAE, 0xCE, 0x1C, 0xE9]
}
