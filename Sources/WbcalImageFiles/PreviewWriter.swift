package import WhiteBalance

package enum PreviewWriter {
  /// The bytes of a PNG file that holds a frame of the format `rgb8`, read as sRGB; `nil` if the
  /// library fails.
  package static func png(_ frame: Frame) -> [UInt8]? {
    frame.layout.format == .rgb8 ? try? PNGWriter.encode(frame, chunks: PNGChunks.sRGB) : nil
  }

  /// The same as a JPEG file, whose pixels are read as sRGB where it says nothing.
  ///
  /// - Parameter quality: 1 to 100.
  package static func jpeg(_ frame: Frame, quality: Int = 95) -> [UInt8]? {
    frame.layout.format == .rgb8
      ? try? JPEGWriter.encode(frame, segments: JPEGSegments([]), quality: quality) : nil
  }
}
