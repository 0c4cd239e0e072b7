package import WhiteBalance

extension Frame {
  /// Returns the picture as displayed: rotated and mirrored by the number of TIFF and Exif.
  ///
  /// - Parameter orientation: the number, from 1 (unchanged) to 8, such as `Picture.orientation`.
  /// - Precondition: the pixels are interleaved without gaps between rows.
  package func upright(orientation: Int) throws(FrameError) -> Frame {
    if orientation == 1 { return self }
    let (width, height) = (layout.width, layout.height)
    let isOnItsSide = orientation >= 5
    let turned = try FrameLayout(
      width: isOnItsSide ? height : width, height: isOnItsSide ? width : height,
      format: layout.format, blackLevel: layout.blackLevel, whiteLevel: layout.whiteLevel,
      transfer: layout.transfer)
    let size = layout.format.samplesPerPixel * layout.format.bytesPerSample
    var result = [UInt8](repeating: 0, count: turned.byteCount)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (column, row) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, height - 1 - x)
          case 7: (width - 1 - y, height - 1 - x)
          default: (width - 1 - y, x)
          }
        let (from, to) = ((row * width + column) * size, (y * turned.width + x) * size)
        for byte in 0..<size { result[to + byte] = bytes[from + byte] }
      }
    }
    return try Frame(layout: turned, bytes: result)
  }
}
