import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

/// The options for cards, and how files without a header are read.
struct PictureOptions: ParsableArguments {
  @OptionGroup var card: CardOptions
  @Option(
    help: ArgumentHelp(
      "Read files as raw frames without a header; FORMAT is a V4L2 fourcc such as RG10. stride is "
        + "the bytes from row to row, by default as the file's size tells; of several frames the "
        + "mean is taken, or the one that frame names, from 1 on.",
      valueName: "WxH:FORMAT[:stride=N][:frame=K]"),
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
  ///
  /// - Parameter saysCurve: whether it is said that nothing names the picture's curve, as where
  ///   nothing else is to tell it.
  func picture(path: String, saysCurve: Bool = true) throws -> Picture {
    let path = path == "-" ? "/dev/stdin" : path
    Progress.shared.show("reading \(shown(path))")
    var reader = ImageFileReader()
    var picture =
      try raw.map { Picture(path: path, bareFrame: try $0.frame(path: path)) }
      ?? reader.picture(path: path)
    try Self.requireNoPreview(picture.origin, path: path)
    if saysCurve {
      assumedCurve(of: picture.colors, picture.frame.layout, picture.frame.bytes.span)?
        .say(about: path)
    }
    picture.frame.layout = try layout(
      picture.frame.layout, path: path, iccProfile: picture.iccProfile)
    return picture
  }

  /// What is assumed of a picture's curve; `nil` where the file or `--transfer` names it.
  private func assumedCurve(
    of colors: ColorStatement, _ layout: FrameLayout, _ pixels: Span<UInt8>
  ) -> AssumedCurve? {
    AssumedCurve(of: colors, named: card.transfer, layout, pixels)
  }

  /// Whether nothing says how the numbers of a picture are coded.
  func isCurveAssumed(of picture: Picture) -> Bool {
    card.transfer == nil && picture.colors.isCurveAssumed
  }

  /// Refuses pictures that were brightened and drawn on for people.
  private static func requireNoPreview(_ origin: PictureOrigin, path: String) throws {
    guard PreviewWriter.made(origin) else { return }
    throw Failure.badData(
      "\(shown(path)) is a picture for people, brightened and drawn on by wbcal: take what it was "
        + "made of, or from a camera 'wbcal bracket --count 1 -o chart.tiff'")
  }

  func frame(path: String) throws -> Frame { try picture(path: path).frame }

  /// That a picture's curve is assumed, where its depth alone tells that it may be another.
  func curveRemark(of colors: ColorStatement, _ layout: FrameLayout) -> String? {
    AssumedCurve(of: colors, named: card.transfer, layout)?.sentence
  }

  /// The same of a picture whose file can be read in strips, without reading it; `nil` for others.
  func pixelFile(path: String) throws -> (PixelFile, PictureOrigin)? {
    guard path != "-", raw?.frame ?? 1 == 1 else { return nil }
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
  func pictureAndOrigin(
    path: String, saysCurve: Bool = true
  ) throws -> (Picture, PictureOrigin) {
    let picture = try picture(path: path, saysCurve: saysCurve)
    return (picture, Self.origin(picture.origin, layout: picture.frame.layout))
  }

  /// What `estimate` says of a file.
  struct FileReading: Sendable {
    var reading: PictureReading
    /// In what the picture differs from those that a profile is for.
    var difference: String?
    /// How its numbers were taken.
    var transfer: TransferFunction
    var assumedCurve: AssumedCurve?
    /// The gains of the card if its numbers are linear, where that may be and nothing tells.
    var gainsIfLinear: Gains?
  }

  /// The gains of a card whose curve is assumed, as many pictures of 16 bits are linear.
  private func gainsIfLinear(
    _ assumed: AssumedCurve?, _ pixels: Span<UInt8>, _ layout: FrameLayout,
    _ estimator: GrayCardEstimator
  ) throws -> Gains? {
    guard assumed?.mayBeLinear == true else { return nil }
    let linear = try layout.replacing(transfer: .linear)
    return try estimator.estimate(pixels, layout: linear).gains
  }

  /// What a picture shows, and in what it differs from those that a profile is for.
  ///
  /// - Throws: `Failure` where it differs and `anyCamera` is not set.
  func reading(
    path: String, profile: CameraProfile?, anyCamera: Bool, method: EstimateMethod,
    secondRegion: GrayCardEstimator.Region?,
    reader: inout ImageFileReader
  ) throws -> FileReading {
    func reading(
      _ pixels: Span<UInt8>, _ layout: FrameLayout, _ colors: ColorStatement,
      _ origin: PictureOrigin
    ) -> Result<(FileReading, PictureOrigin), any Error> {
      Result {
        let assumed = assumedCurve(of: colors, layout, pixels)
        let layout = try self.layout(layout, path: path, iccProfile: colors.iccProfile)
        let reading = try PictureReading(
          pixels, layout: layout, method: method, region: card.region, secondRegion: secondRegion)
        var file = FileReading(
          reading: reading, transfer: layout.transfer, assumedCurve: assumed)
        if case .grayCard = method.subject {
          file.gainsIfLinear = try gainsIfLinear(assumed, pixels, layout, card.estimator)
        }
        return (file, Self.origin(origin, layout: layout))
      }
    }
    var (result, origin): (FileReading, PictureOrigin)
    if case .grayCard = method.subject, secondRegion == nil,
      let (source, its) = try pixelFile(path: path)
    {
      let (part, estimator) = try rowsOfCard(in: source)
      let colors = ColorStatement(isCurveStated: source.format == nil)
      let assumed = assumedCurve(of: colors, part.layout, part.bytes.span)
      (result, origin) = (
        FileReading(
          reading: .card(try estimator.estimate(part), second: nil),
          transfer: part.layout.transfer, assumedCurve: assumed,
          gainsIfLinear: try gainsIfLinear(assumed, part.bytes.span, part.layout, estimator)), its
      )
    } else if let raw {
      let frame = try raw.frame(path: path)
      let colors = ColorStatement(isCurveStated: true)
      (result, origin) = try reading(frame.bytes.span, frame.layout, colors, PictureOrigin()).get()
    } else {
      (result, origin) = try reader.withPixels(path: path, reading).get()
      try Self.requireNoPreview(origin, path: path)
    }
    result.difference = try profile?.difference(from: origin, path: path, anyCamera: anyCamera)
    return result
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
