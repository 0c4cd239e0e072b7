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
  /// What the file says of its colors.
  package let colors: ColorStatement
  /// The camera that the file names; the numbers are named only of a raw photograph.
  package let origin: PictureOrigin

  /// What a file of the picture's format holds besides pixels.
  private enum Metadata {
    /// - Parameter transparency: the fourth samples that a chunk asks for, which the frame has not.
    case png(chunks: [UInt8], transparency: [UInt8]?)
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
      metadata = .png(
        chunks: PNGChunks.lasting(in: bytes),
        transparency: frame.layout.format.samplesPerPixel == 3
          ? try PNGReader.transparency(in: bytes) : nil)
      origin = PictureOrigin(exif: exif)
    case .jpeg:
      frame = try JPEGReader.read(bytes)
      let segments = JPEGSegments(bytes)
      let exif = ExifColorSpace(exif: segments.exif)
      // JPEG files are of sRGB unless they say otherwise.
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
    }
    if colors.iccProfile == nil, let transfer = colors.exif?.transfer,
      let layout = try? frame.layout.replacing(transfer: transfer),
      format != .png || !colors.isCurveStated
    {
      frame.layout = layout
    }
  }

  /// How programs that show pictures turn and mirror this one, which its frame is not, from 1 to 8
  /// as TIFF and Exif number it; 1 where they do not.
  package var orientation: Int {
    let orientation =
      switch metadata {
      case .png(let chunks, _): PNGChunks.orientation(in: chunks)
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
    colors = ColorStatement(isCurveStated: true)
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
      case .png(let chunks, let transparency):
        guard let transparency else { return try PNGWriter.encode(frame, chunks: chunks) }
        if let color = frame.color(ofTransparent: transparency) {
          return try PNGWriter.encode(frame, chunks: chunks, transparent: color)
        }
        return try PNGWriter.encode(frame.adding(fourth: transparency), chunks: chunks)
      case .jpeg(let segments): return try JPEGWriter.encode(frame, segments: segments)
      case .tiff(let fields): return try TIFFWriter.encode(frame, fields: fields)
      case .pnm(let largest): return PNMWriter.encode(frame, largest: largest)
      case .raw: throw .unwritable(.raw, "raw photographs are not written")
      case .bareFrame: return frame.bytes
      }
    } catch { throw ImageFileError(path: path, problem: error) }
  }
}

extension Frame {
  /// The one color that all transparent pixels have and no others; `nil` where there is none.
  ///
  /// - Parameter fourth: the fourth samples, of as many bytes as the frame's.
  fileprivate func color(ofTransparent fourth: [UInt8]) -> SIMD3<UInt16>? {
    let size = layout.format.bytesPerSample
    func sample(_ bytes: [UInt8], _ index: Int) -> UInt16 {
      size == 1
        ? UInt16(bytes[index]) : UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
    }
    func color(_ pixel: Int) -> SIMD3<UInt16> {
      SIMD3(
        sample(bytes, 3 * pixel), sample(bytes, 3 * pixel + 1), sample(bytes, 3 * pixel + 2))
    }
    let pixels = 0..<layout.width * layout.height
    guard let first = pixels.first(where: { sample(fourth, $0) == 0 }) else { return nil }
    let key = color(first)
    let opaque = UInt16(layout.format.maximumValue)
    let isOne = pixels.allSatisfy { sample(fourth, $0) == (color($0) == key ? 0 : opaque) }
    return isOne ? key : nil
  }

  /// The frame, of three samples a pixel, with a fourth.
  fileprivate func adding(fourth: [UInt8]) throws(ImageFileProblem) -> Frame {
    let size = layout.format.bytesPerSample
    var pixels: [UInt8] = []
    pixels.reserveCapacity(bytes.count / 3 * 4)
    for pixel in 0..<layout.width * layout.height {
      pixels += bytes[pixel * 3 * size..<(pixel + 1) * 3 * size]
      pixels += fourth[pixel * size..<(pixel + 1) * size]
    }
    do {
      return try Frame(
        layout: try FrameLayout(
          width: layout.width, height: layout.height, format: size == 2 ? .rgba16 : .rgba8,
          transfer: layout.transfer), bytes: pixels)
    } catch { throw .corrupt(.png, "\(error)") }
  }
}
