package import WhiteBalance

/// A picture file's frame, and the metadata that another file of the same format must keep.
///
/// The metadata define how to display the pixels: bit depth, alpha, the ICC profile or the other
/// chunks that define the meaning of the colors, orientation and resolution, a JPEG file's Exif
/// data and a PNG file's texts. Only the first page of a TIFF file is kept.
package struct Picture: Sendable {
  package let path: String
  /// The pixels. Another frame must have the same width, height and format, and no gaps between
  /// rows.
  package var frame: Frame
  /// The format of the file; `nil` for a bare frame, whose file has no header.
  package let format: ImageFormat?
  /// The information on colors in the file.
  package let colors: ColorStatement
  /// The camera that the file names; its `encoding` is set only for a raw photograph.
  package let origin: PictureOrigin
  /// The exposure; empty except for raw photographs.
  package private(set) var exposure = PictureExposure()

  /// The contents of a file in the picture's format, except the pixels.
  private enum Metadata {
    case png(chunks: [UInt8])
    case jpeg(JPEGSegments)
    case tiff(TIFFFields)
    case pnm(largest: Int)
    case raw(orientation: Int?)
    case bareFrame
  }
  private let metadata: Metadata

  /// The embedded ICC profile, not checked.
  package var iccProfile: [UInt8]? { colors.iccProfile }

  package init(path: String, format: ImageFormat, bytes: [UInt8]) throws(ImageFileProblem) {
    self.path = path
    self.format = format
    switch format {
    case .png:
      frame = try PNGReader.read(bytes)
      let exif = PNGChunks.exif(in: bytes)
      colors = ColorStatement(
        iccProfile: try PNGReader.iccProfile(in: bytes), exif: ExifColorSpace(exif: exif),
        isCurveStated: PNGChunks.haveCurve(in: bytes))
      metadata = .png(chunks: PNGChunks.lasting(in: bytes))
      origin = PictureOrigin(exif: exif)
    case .jpeg:
      frame = try JPEGReader.read(bytes)
      let segments = JPEGSegments(bytes)
      let exif = ExifColorSpace(exif: segments.exif)
      // JPEG files are sRGB unless they state otherwise.
      colors = ColorStatement(
        iccProfile: segments.iccProfile, exif: exif, isCurveStated: exif != .uncalibrated)
      origin = PictureOrigin(exif: segments.exif)
      metadata = .jpeg(segments)
    case .tiff:
      frame = try TIFFReader.read(bytes)
      let fields = try TIFFReader.fields(in: bytes)
      colors = ColorStatement(
        iccProfile: fields.iccProfile, exif: ExifColorSpace(exif: bytes))
      origin = PictureOrigin(exif: bytes)
      metadata = .tiff(fields)
    case .pnm:
      frame = try PNMReader.read(bytes)
      colors = ColorStatement()
      origin = PictureOrigin()
      metadata = .pnm(largest: Int(frame.layout.whiteLevel))
    case .raw:
      (frame, origin) = try RawReader(bytes).withPixels { (Frame(copying: $0, layout: $1), $2) }
      colors = ColorStatement(isCurveStated: true)
      metadata = .raw(orientation: TIFFDirectories(bytes).orientation)
      exposure = PictureExposure(exif: bytes)
    }
    if colors.iccProfile == nil, let transfer = colors.exif?.transfer,
      let layout = try? frame.layout.replacing(transfer: transfer),
      format != .png || !colors.isCurveStated
    {
      frame.layout = layout
    }
  }

  /// The orientation in which programs display this picture, from 1 to 8 as in TIFF and Exif; 1 if
  /// the file gives none. The frame is not rotated.
  package var orientation: Int {
    let orientation =
      switch metadata {
      case .png(let chunks): PNGChunks.orientation(in: chunks)
      case .jpeg(let segments): segments.orientation
      case .tiff(let fields): fields.orientation.map(Int.init)
      case .raw(let orientation): orientation
      case .pnm, .bareFrame: nil as Int?
      }
    return orientation.flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
  }

  /// Creates the picture in a file that contains only the bytes of a frame.
  package init(path: String, bareFrame frame: Frame) {
    self.path = path
    self.frame = frame
    format = nil
    colors = ColorStatement(isCurveStated: true)
    origin = PictureOrigin()
    metadata = .bareFrame
  }

  /// Returns the bytes of a file of the same format: a JPEG file has quality 95 without chroma
  /// subsampling, a TIFF file is in strips and losslessly compressed if the original was
  /// compressed.
  ///
  /// - Throws: `ImageFileError` for a raw photograph, or with the message of the library that
  ///   writes the format.
  package func encoded() throws(ImageFileError) -> [UInt8] {
    do throws(ImageFileProblem) {
      switch metadata {
      case .png(let chunks): return try PNGWriter.encode(frame, chunks: chunks)
      case .jpeg(let segments): return try JPEGWriter.encode(frame, segments: segments)
      case .tiff(let fields): return try TIFFWriter.encode(frame, fields: fields)
      case .pnm(let largest): return PNMWriter.encode(frame, largest: largest)
      case .raw: throw .unwritable(.raw, "raw photographs are not written")
      case .bareFrame: return frame.bytes
      }
    } catch { throw ImageFileError(path: path, problem: error) }
  }
}
