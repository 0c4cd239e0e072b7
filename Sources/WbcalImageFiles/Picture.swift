package import CameraControl
package import WhiteBalance

/// A picture file's frame, and what else another file of the same format must keep of it.
///
/// Besides the pixels, that is what says how to display them: bit depth, alpha, the ICC profile or
/// the other chunks that say what the colors mean, orientation and resolution, a JPEG file's Exif
/// data and a PNG file's texts. Of TIFF files only the first page is kept.
package struct Picture: Sendable {
  package let path: String
  /// The pixels. Another frame must have the same width, height and format, and no gaps between
  /// rows.
  package var frame: Frame
  /// The format of the file; `nil` for a bare frame, whose file has no header.
  package let format: ImageFormat?
  /// The embedded ICC profile, not checked.
  package let iccProfile: [UInt8]?
  /// The camera that the file names; the numbers are named only of a raw photograph.
  package let origin: PictureOrigin

  /// What a file of the picture's format holds besides pixels.
  private enum Metadata {
    case png(chunks: [UInt8])
    case jpeg(JPEGSegments)
    case tiff(TIFFFields)
    case pnm(largest: Int)
    case raw(orientation: Int?)
    case bareFrame
  }
  private let metadata: Metadata

  package init(path: String, format: ImageFormat, bytes: [UInt8]) throws(ImageFileProblem) {
    self.path = path
    self.format = format
    switch format {
    case .png:
      frame = try PNGReader.read(bytes)
      iccProfile = try PNGReader.iccProfile(in: bytes)
      metadata = .png(chunks: PNGChunks.lasting(in: bytes))
      origin = PictureOrigin(exif: PNGChunks.exif(in: bytes))
    case .jpeg:
      frame = try JPEGReader.read(bytes)
      let segments = JPEGSegments(bytes)
      iccProfile = segments.iccProfile
      origin = PictureOrigin(exif: segments.exif)
      metadata = .jpeg(segments)
    case .tiff:
      frame = try TIFFReader.read(bytes)
      let fields = try TIFFReader.fields(in: bytes)
      iccProfile = fields.iccProfile
      origin = PictureOrigin(exif: bytes)
      metadata = .tiff(fields)
    case .pnm:
      frame = try PNMReader.read(bytes)
      iccProfile = nil
      origin = PictureOrigin()
      metadata = .pnm(largest: Int(frame.layout.whiteLevel))
    case .raw:
      (frame, origin) = try RawReader(bytes).withPixels { (Frame(copying: $0, layout: $1), $2) }
      iccProfile = nil
      metadata = .raw(orientation: TIFFDirectories(bytes).orientation)
    }
  }

  /// How programs that show pictures turn and mirror this one, which its frame is not, from 1 to 8
  /// as TIFF and Exif number it; 1 where they do not.
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

  /// The picture in a file that holds the bytes of a frame and nothing else.
  package init(path: String, bareFrame frame: Frame) {
    self.path = path
    self.frame = frame
    format = nil
    iccProfile = nil
    origin = PictureOrigin()
    metadata = .bareFrame
  }

  /// The bytes of a file of the same format: a JPEG file of quality 95 without chroma subsampling,
  /// a TIFF file in strips that is compressed without loss if the original was at all.
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
