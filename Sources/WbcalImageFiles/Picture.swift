package import WhiteBalance

/// A picture file's frame, and the metadata that another file of the same format must keep.
///
/// The metadata define how to display the pixels: bit depth, alpha, the ICC profile or the other
/// chunks that define the meaning of the colors, orientation and resolution. They also include what
/// was written about the picture: Exif, XMP and IPTC data, a JPEG file's comments and a PNG file's
/// texts. Only the first page of a TIFF file is kept.
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
  /// The exposure, as far as the file states it.
  package private(set) var exposure = PictureExposure()

  /// The Exif, XMP and IPTC data.
  package private(set) var metadata = PictureMetadata()

  /// The other contents of a file in the picture's format, except the pixels.
  private enum Container {
    case png(chunks: [PNGChunks.Lasting])
    case jpeg(JPEGSegments)
    case tiff(TIFFFields)
    case pnm(largest: Int)
    case raw
    case bareFrame
  }
  private var container: Container
  /// Exif's number.
  private let statedOrientation: Int?

  /// The embedded ICC profile, not checked.
  package var iccProfile: [UInt8]? { colors.iccProfile }

  package init(path: String, format: ImageFormat, bytes: [UInt8]) throws(ImageFileProblem) {
    self.path = path
    self.format = format
    switch format {
    case .png:
      frame = try PNGReader.read(bytes)
      let chunks = PNGChunks.lasting(in: bytes)
      metadata = PNGChunks.metadata(in: chunks)
      container = .png(chunks: chunks)
      let exif = metadata.exif?.encoded() ?? []
      colors = ColorStatement(
        iccProfile: try PNGReader.iccProfile(in: bytes), exif: ExifColorSpace(exif: exif),
        isCurveStated: PNGChunks.haveCurve(in: bytes))
      statedOrientation = TIFFDirectories(exif).orientation
      origin = PictureOrigin(exif: exif)
      exposure = PictureExposure(exif: exif)
    case .jpeg:
      frame = try JPEGReader.read(bytes)
      let segments = JPEGSegments(bytes)
      let exif = ExifColorSpace(exif: segments.exif)
      // JPEG files are sRGB unless they state otherwise.
      colors = ColorStatement(
        iccProfile: segments.iccProfile, exif: exif, isCurveStated: exif != .uncalibrated)
      origin = PictureOrigin(exif: segments.exif)
      exposure = PictureExposure(exif: segments.exif)
      statedOrientation = segments.orientation
      metadata = segments.metadata
      container = .jpeg(segments)
    case .tiff:
      frame = try TIFFReader.read(bytes)
      let fields = try TIFFReader.fields(in: bytes)
      colors = ColorStatement(
        iccProfile: fields.iccProfile, exif: ExifColorSpace(exif: bytes))
      origin = PictureOrigin(exif: bytes)
      exposure = PictureExposure(exif: bytes)
      statedOrientation = fields.orientation.map(Int.init)
      metadata = PictureMetadata(tiff: bytes)
      container = .tiff(fields)
    case .pnm:
      frame = try PNMReader.read(bytes)
      colors = ColorStatement()
      origin = PictureOrigin()
      statedOrientation = nil
      container = .pnm(largest: Int(frame.layout.whiteLevel))
    case .raw:
      (frame, origin) = try RawReader(bytes).withPixels { (Frame(copying: $0, layout: $1), $2) }
      colors = ColorStatement(isCurveStated: true)
      let directories = TIFFDirectories(bytes)
      statedOrientation = directories.orientation
      metadata = PictureMetadata(tiff: bytes)
      container = .raw
      exposure = PictureExposure(exif: bytes)
      if directories.raws.count == 1 { exposure.noise = directories.raws[0].noise }
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
    statedOrientation.flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
  }

  /// Leaves out all metadata that are not necessary to display the picture.
  package mutating func removeDescription() {
    metadata.reduceToDisplay()
    exposure = PictureExposure(noise: exposure.noise)
    switch container {
    case .png(let chunks): container = .png(chunks: PNGChunks.reducedToDisplay(chunks))
    case .jpeg(var segments):
      segments.comments = []
      container = .jpeg(segments)
    default: break
    }
  }

  /// Creates the picture in a file that contains only the bytes of a frame.
  package init(path: String, bareFrame frame: Frame) {
    self.path = path
    self.frame = frame
    format = nil
    colors = ColorStatement(isCurveStated: true)
    origin = PictureOrigin()
    statedOrientation = nil
    container = .bareFrame
  }

  /// Returns the bytes of a file of the same format: a JPEG file has quality 95 without chroma
  /// subsampling, a TIFF file is in strips and losslessly compressed if the original was
  /// compressed.
  ///
  /// - Parameter remark: gets the remarks on metadata that were left out.
  /// - Throws: `ImageFileError` for a raw photograph, or with the message of the library that
  ///   writes the format.
  package func encoded(remark: (String) -> Void = { _ in }) throws(ImageFileError) -> [UInt8] {
    do throws(ImageFileProblem) {
      var metadata = metadata
      defer { metadata.remarks.forEach(remark) }
      switch container {
      case .png(let chunks):
        return try PNGWriter.encode(
          frame, chunks: PNGChunks.encode(chunks, metadata: metadata.pngChunks()))
      case .jpeg(let segments):
        return try JPEGWriter.encode(
          frame, segments: segments, metadata: metadata.jpegSegments())
      case .tiff(let fields):
        return try TIFFWriter.encode(frame, fields: fields, metadata: &metadata)
      case .pnm(let largest): return PNMWriter.encode(frame, largest: largest)
      case .raw: throw .unwritable(.raw, "raw photographs are not written")
      case .bareFrame: return frame.bytes
      }
    } catch { throw ImageFileError(path: path, problem: error) }
  }
}
