import CameraControl
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

/// The options for cards, and how files without a header are read.
struct PictureOptions: ParsableArguments {
  @OptionGroup var card: CardOptions
  @Option(
    help: ArgumentHelp(
      "Read files as one raw frame without a header; FORMAT is a V4L2 fourcc such as RG10.",
      valueName: "WxH:FORMAT"),
    transform: RawGeometry.init(argument:))
  var raw: RawGeometry?
  @Option(
    help: ArgumentHelp(
      "How luma and chroma of a --raw frame are coded: bt601, bt709 or bt2020, and limited or "
        + "full, such as bt709:full; bt601:limited by default.", valueName: "matrix:range"),
    transform: LumaChromaEncoding.init(argument:))
  var encoding: LumaChromaEncoding?

  /// Refuses options that are for files only.
  func requireForCamera() throws {
    if raw == nil, encoding == nil { return }
    throw ValidationError("--raw and --encoding go with files; a camera tells its format.")
  }

  /// Where a picture came from, its numbers being read in a layout.
  private static func origin(_ origin: PictureOrigin, layout: FrameLayout) -> PictureOrigin {
    let isMosaic = if case .bayer = layout.format.arrangement { true } else { false }
    var origin = origin
    origin.encoding = origin.encoding ?? (isMosaic ? .raw : .developed(layout.transfer))
    return origin
  }

  /// A picture, its levels and transfer function replaced by those that were given; `-` is the one
  /// in standard input.
  func picture(path: String) throws -> Picture {
    let path = path == "-" ? "/dev/stdin" : path
    Progress.shared.show("reading \(shown(path))")
    var reader = ImageFileReader()
    var picture =
      try raw.map { Picture(path: path, bareFrame: try $0.frame(path: path)) }
      ?? reader.picture(path: path)
    try Self.requireNoPreview(picture.origin, path: path)
    picture.frame.layout = try layout(
      picture.frame.layout, path: path, iccProfile: picture.iccProfile)
    return picture
  }

  /// Refuses pictures that were brightened and drawn on for people.
  private static func requireNoPreview(_ origin: PictureOrigin, path: String) throws {
    guard PreviewWriter.made(origin) else { return }
    throw Failure.badData(
      "\(shown(path)) is a picture for people, brightened and drawn on by wbcal: take what it was "
        + "made of, or from a camera 'wbcal bracket --count 1 -o chart.tiff'")
  }

  func frame(path: String) throws -> Frame { try picture(path: path).frame }

  /// The same of a picture whose file can be read in strips, without reading it; `nil` for others.
  func pixelFile(path: String) throws -> (PixelFile, PictureOrigin)? {
    guard path != "-" else { return nil }
    let found =
      try raw.map { PixelFile(bareFrame: path, layout: try $0.layout()) } ?? PixelFile(pixmap: path)
    guard var file = found else { return nil }
    file.layout = try layout(file.layout, path: path, iccProfile: nil)
    return (file, Self.origin(PictureOrigin(), layout: file.layout))
  }

  /// The rows of a file that show the card, and what finds it there.
  func rowsOfCard(in source: PixelFile) throws -> (Frame, GrayCardEstimator) {
    let layout = source.layout
    var place = card.estimator.rectangle(in: layout)
    try layout.require(place)
    // The card keeps its place in the blocks that compression may have left.
    let (first, last) = (place.y & ~15, place.y + place.height)
    let part = try FrameLayout(
      width: layout.width, height: last - first, bytesPerRow: layout.bytesPerRow,
      format: layout.format, blackLevel: layout.blackLevel, whiteLevel: layout.whiteLevel,
      transfer: layout.transfer)
    place.y -= first
    return (
      try Frame(layout: part, bytes: source.rows(first..<last)),
      GrayCardEstimator(region: .rectangle(place))
    )
  }

  /// A picture and where it came from.
  func pictureAndOrigin(path: String) throws -> (Picture, PictureOrigin) {
    let picture = try picture(path: path)
    return (picture, Self.origin(picture.origin, layout: picture.frame.layout))
  }

  /// What a picture shows, and in what it differs from those that a profile is for.
  ///
  /// - Throws: `Failure` where it differs and `anyCamera` is not set.
  func reading(
    path: String, profile: CameraProfile?, anyCamera: Bool, method: EstimateMethod,
    secondRegion: GrayCardEstimator.Region?,
    reader: inout ImageFileReader
  ) throws -> (PictureReading, difference: String?) {
    func reading(
      _ pixels: Span<UInt8>, _ layout: FrameLayout, _ iccProfile: [UInt8]?, _ origin: PictureOrigin
    ) -> Result<(PictureReading, PictureOrigin), any Error> {
      Result {
        let layout = try self.layout(layout, path: path, iccProfile: iccProfile)
        let reading = try PictureReading(
          pixels, layout: layout, method: method, region: card.region, secondRegion: secondRegion)
        return (reading, Self.origin(origin, layout: layout))
      }
    }
    let (result, origin): (PictureReading, PictureOrigin)
    if case .grayCard = method.subject, secondRegion == nil,
      let (source, its) = try pixelFile(path: path)
    {
      let (part, estimator) = try rowsOfCard(in: source)
      (result, origin) = (.card(try estimator.estimate(part), second: nil), its)
    } else if let raw {
      let frame = try raw.frame(path: path)
      (result, origin) = try reading(frame.bytes.span, frame.layout, nil, PictureOrigin()).get()
    } else {
      (result, origin) = try reader.withPixels(path: path, reading).get()
      try Self.requireNoPreview(origin, path: path)
    }
    return (result, try profile?.difference(from: origin, path: path, anyCamera: anyCamera))
  }

  /// A file's layout with what was given in place of what the file says of itself.
  private func layout(
    _ layout: FrameLayout, path: String, iccProfile: [UInt8]?
  ) throws -> FrameLayout {
    let hasChroma = if case .subsampled = layout.format.arrangement { true } else { false }
    if encoding != nil, !hasChroma {
      throw Failure(
        message: "\(shown(path)) has no luma and chroma, which --encoding is for: drop it",
        code: .usage)
    }
    return try layout.replacing(
      blackLevel: card.black, whiteLevel: card.white,
      transfer: transfer(path: path, iccProfile: iccProfile), encoding: encoding)
  }

  /// The transfer function that was given or, as the file's own word, that of its ICC profile.
  private func transfer(path: String, iccProfile: [UInt8]?) -> TransferFunction? {
    if let transfer = card.transfer { return transfer }
    guard let iccProfile else { return nil }
    let function = LittleCMS.transfer(ofICCProfile: iccProfile)
    if function == nil {
      let reason =
        LittleCMS.isAvailable
        ? "the tone curves of its ICC profile are none that are known, and are not used"
        : "its ICC profile is not used, for this build was made without Little CMS"
      remark("\(path): \(reason); --transfer can name others.")
    }
    return function
  }
}
