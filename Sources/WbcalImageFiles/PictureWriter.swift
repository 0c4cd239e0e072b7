import ColorScience
package import WhiteBalance

/// Writes pictures that a camera took.
package enum PictureWriter {
  /// The bytes of a file: 16 bits a channel, of linear light in TIFF, with sRGB's curve in PNG.
  ///
  /// - Parameter iccProfile: what a TIFF file says of its colors, and of its light being linear.
  /// - Throws: `ImageFileError` for another format, or with the message of the library that writes
  ///   it.
  package static func encode(
    _ frame: Frame, as format: ImageFormat, path: String, iccProfile: [UInt8]
  ) throws -> [UInt8] {
    do throws(ImageFileProblem) {
      switch format {
      case .tiff:
        return try TIFFWriter.encode(
          try picture(frame, .linear), fields: TIFFFields(iccProfile: iccProfile))
      default: return try PNGWriter.encode(try picture(frame, .sRGB), chunks: [])
      }
    } catch { throw ImageFileError(path: path, problem: error) }
  }

  private static func picture(
    _ frame: Frame, _ transfer: TransferFunction
  ) throws(ImageFileProblem) -> Frame {
    do { return try frame.picture(encodedBy: transfer) } catch {
      throw .unwritable(transfer == .linear ? .tiff : .png, "\(error)")
    }
  }
}
