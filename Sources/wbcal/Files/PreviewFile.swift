import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WhiteBalance

/// A preview, in which a user checks the position of a card or chart.
struct PreviewFile {
  let path: String
  private let format: ImageFormat

  /// - Parameter path: `-` for standard output. A name that ends in .jpg means a JPEG file, one
  ///   that ends like another kind of picture is refused, and any other means a PNG file.
  init(_ path: String) throws {
    self.path = path
    format = ImageFormat(promisedBy: path) ?? .png
    guard [.png, .jpeg].contains(format) else {
      throw ValidationError(
        "\(path) would not be a \(format.rawValue) file: use a name that ends in .png or .jpg.")
    }
  }

  /// Writes a frame with gains applied and with a rectangle, polygons and axes drawn in.
  func write(
    _ frame: Frame, gains: Gains?, rectangle: PixelRectangle?, polygons: [[SIMD2<Double>]] = []
  ) throws {
    let preview = try frame.preview(
      gains: gains ?? Gains(red: 1, blue: 1), rectangle: rectangle, polygons: polygons, axes: true)
    guard let file = format == .jpeg ? PreviewWriter.jpeg(preview) : PreviewWriter.png(preview)
    else { throw Failure(message: "the picture could not be made", code: .internalError) }
    try replaceFile(path, with: file)
  }
}
