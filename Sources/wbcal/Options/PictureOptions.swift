import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalImageFiles
import WhiteBalance

/// The options for cards, and for files without a header.
struct PictureOptions: ParsableArguments {
  @OptionGroup var card: CardOptions
  @Option(
    help: ArgumentHelp(
      "Read files as raw frames without a header; FORMAT is a V4L2 fourcc such as RG10. stride is "
        + "the number of bytes from row to row, by default determined from the file's size. The "
        + "mean of several frames is used, unless frame selects one, counted from 1.",
      valueName: "WxH:FORMAT[:stride=N][:frame=K]"),
    transform: RawGeometry.init(argument:))
  var raw: RawGeometry?
  @Option(
    help: ArgumentHelp(
      "The encoding of luma and chroma of a --raw frame: bt601, bt709 or bt2020, and limited or "
        + "full, such as bt709:full; by default bt601:limited.", valueName: "matrix:range"),
    transform: LumaChromaEncoding.init(argument:))
  var encoding: LumaChromaEncoding?

  /// Refuses options that are for files only.
  func requireForCamera() throws {
    if raw == nil, encoding == nil { return }
    throw ValidationError("--raw and --encoding require files; a camera reports its format.")
  }

  /// Adds the encoding to a picture's origin if it is missing, according to the layout.
  private static func origin(_ origin: PictureOrigin, layout: FrameLayout) -> PictureOrigin {
    var origin = origin
    origin.encoding =
      origin.encoding ?? (layout.format.isMosaic ? .raw : .developed(layout.transfer))
    return origin
  }

  /// Reads a picture, and replaces its levels and transfer function by the given ones; `-` is
  /// standard input.
  ///
  /// - Parameter saysCurve: `true` to print a remark if the picture's curve is assumed; `false` for
  ///   callers that determine or report it themselves.
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

  /// Returns the assumption about a picture's curve; `nil` if the file or `--transfer` states it.
  private func assumedCurve(
    of colors: ColorStatement, _ layout: FrameLayout, _ pixels: Span<UInt8>
  ) -> AssumedCurve? {
    AssumedCurve(of: colors, named: card.transfer, layout, pixels)
  }

  /// Indicates whether nothing states how the numbers of a picture are coded.
  func isCurveAssumed(of picture: Picture) -> Bool {
    card.transfer == nil && picture.colors.isCurveAssumed
  }

  /// Refuses previews, which were brightened and drawn on for people.
  private static func requireNoPreview(_ origin: PictureOrigin, path: String) throws {
    guard PreviewWriter.made(origin) else { return }
    throw Failure.badData(
      "\(shown(path)) is a preview, brightened and drawn on by wbcal, and cannot be measured: use "
        + "its original, or take a picture with 'wbcal bracket --count 1 -o chart.tiff'")
  }

  func frame(path: String) throws -> Frame { try picture(path: path).frame }

  /// Returns a clause that states that a picture's curve is assumed, if its bit depth alone
  /// suggests another curve.
  func curveRemark(of colors: ColorStatement, _ layout: FrameLayout) -> String? {
    AssumedCurve(of: colors, named: card.transfer, layout)?.sentence
  }

  /// Returns a picture whose file can be read in strips, without reading it; `nil` for other files.
  func pixelFile(path: String) throws -> (PixelFile, PictureOrigin)? {
    guard path != "-", raw?.frame ?? 1 == 1 else { return nil }
    let found =
      try raw.map { PixelFile(bareFrame: path, layout: try $0.layout()) } ?? PixelFile(pixmap: path)
    guard var file = found else { return nil }
    file.layout = try layout(file.layout, path: path, iccProfile: nil)
    return (file, Self.origin(PictureOrigin(), layout: file.layout))
  }

  /// Reads the rows of a file that show the card, without shading if there is a flat field, and
  /// returns them with the estimator for them.
  func rowsOfCard(
    in source: PixelFile, _ flatField: ProfileShading?
  ) throws -> (Frame, GrayCardEstimator) {
    let layout = source.layout
    var place = card.estimator.rectangle(in: layout)
    try layout.require(place)
    // The first row is a multiple of 16, so that the blocks of a compression keep their positions.
    let (first, last) = (place.y & ~15, place.y + place.height)
    let part = try layout.withRows(last - first)
    place.y -= first
    var frame = try Frame(layout: part, bytes: source.rows(first..<last))
    try flatField?.correct(&frame.bytes, rows: first..<last, of: layout)
    return (frame, GrayCardEstimator(region: .rectangle(place)))
  }

  /// Returns a picture and its origin.
  func pictureAndOrigin(
    path: String, saysCurve: Bool = true
  ) throws -> (Picture, PictureOrigin) {
    let picture = try picture(path: path, saysCurve: saysCurve)
    return (picture, Self.origin(picture.origin, layout: picture.frame.layout))
  }

  /// The result of `estimate` for a file.
  struct FileReading: Sendable {
    var reading: PictureReading
    /// The difference between the picture and those that the profile is for, in words.
    var difference: String?
    /// The transfer function that was used.
    var transfer: TransferFunction
    var assumedCurve: AssumedCurve?
    /// The gains of the card with linear codes, if they may be linear and nothing states the curve.
    var gainsIfLinear: Gains?
    /// The profile's flat field, with which shading was corrected.
    var flatField: ProfileShading?
  }

  /// Returns the gains of a card with linear codes if its curve is assumed, since many 16-bit
  /// pictures are linear.
  private func gainsIfLinear(
    _ assumed: AssumedCurve?, _ pixels: Span<UInt8>, _ layout: FrameLayout,
    _ estimator: GrayCardEstimator
  ) throws -> Gains? {
    guard assumed?.mayBeLinear == true else { return nil }
    let linear = try layout.replacing(transfer: .linear)
    return try estimator.estimate(pixels, layout: linear).gains
  }

  /// Reads a picture, compares its origin with that of the profile, and corrects its shading if
  /// the profile has a flat field for it.
  ///
  /// - Throws: `Failure` if the origin differs and `anyCamera` is not set.
  func reading(
    path: String, profile: CameraProfile?, anyCamera: Bool, method: EstimateMethod,
    secondRegion: GrayCardEstimator.Region?,
    reader: inout ImageFileReader
  ) throws -> FileReading {
    var (result, origin) =
      if method.scene == nil, secondRegion == nil, let source = try pixelFile(path: path) {
        try reading(
          strips: source, profile?.flatField(for: source.0.layout, source.1, path: path))
      } else {
        try withPixels(path: path, reader: &reader) { pixels, layout, colors, origin in
          let assumed = assumedCurve(of: colors, layout, pixels)
          let layout = try self.layout(layout, path: path, iccProfile: colors.iccProfile)
          let origin = Self.origin(origin, layout: layout)
          let flatField = profile?.flatField(for: layout, origin, path: path)
          func read(_ pixels: Span<UInt8>) throws -> FileReading {
            let reading = try PictureReading(
              pixels, layout: layout, method: method, region: card.region,
              secondRegion: secondRegion)
            let linear =
              try method.scene == nil
              ? gainsIfLinear(assumed, pixels, layout, card.estimator) : nil
            return FileReading(
              reading: reading, transfer: layout.transfer, assumedCurve: assumed,
              gainsIfLinear: linear, flatField: flatField)
          }
          guard let flatField else { return (try read(pixels), origin) }
          let flat = try flatField.corrected(pixels, layout: layout)
          return (try read(flat.bytes.span), origin)
        }
      }
    result.difference = try profile?.difference(from: origin, path: path, anyCamera: anyCamera)
    return result
  }

  /// Reads the card in a file of which only the rows of the card are loaded.
  private func reading(
    strips: (file: PixelFile, origin: PictureOrigin), _ flatField: ProfileShading?
  ) throws -> (FileReading, PictureOrigin) {
    let (part, estimator) = try rowsOfCard(in: strips.file, flatField)
    let colors = ColorStatement(isCurveStated: strips.file.format == nil)
    let assumed = assumedCurve(of: colors, part.layout, part.bytes.span)
    return (
      FileReading(
        reading: .card(try estimator.estimate(part), second: nil),
        transfer: part.layout.transfer, assumedCurve: assumed,
        gainsIfLinear: try gainsIfLinear(assumed, part.bytes.span, part.layout, estimator),
        flatField: flatField),
      strips.origin
    )
  }

  /// Returns the result of `body` for a file's pixels, its own layout, its information on colors,
  /// and its camera.
  func withPixels<Result>(
    path: String, reader: inout ImageFileReader,
    _ body: (Span<UInt8>, FrameLayout, ColorStatement, PictureOrigin) throws -> Result
  ) throws -> Result {
    if let raw {
      let frame = try raw.frame(path: path)
      let colors = ColorStatement(isCurveStated: true)
      return try body(frame.bytes.span, frame.layout, colors, PictureOrigin())
    }
    return try reader.withPixels(path: path) { pixels, layout, colors, origin in
      Swift.Result {
        try Self.requireNoPreview(origin, path: path)
        return try body(pixels, layout, colors, origin)
      }
    }.get()
  }

  /// Returns a file's layout with the given values in place of those that the file states.
  private func layout(
    _ layout: FrameLayout, path: String, iccProfile: [UInt8]?
  ) throws -> FrameLayout {
    let hasChroma = if case .subsampled = layout.format.arrangement { true } else { false }
    if encoding != nil, !hasChroma {
      throw Failure.usage("\(shown(path)) has no luma and chroma, which --encoding requires")
    }
    return try layout.replacing(
      blackLevel: card.black, whiteLevel: card.white,
      transfer: transfer(path: path, iccProfile: iccProfile), encoding: encoding)
  }

  /// Returns the given transfer function or else that of the file's ICC profile.
  private func transfer(path: String, iccProfile: [UInt8]?) -> TransferFunction? {
    if let transfer = card.transfer { return transfer }
    guard let iccProfile else { return nil }
    let function = LittleCMS.transfer(ofICCProfile: iccProfile)
    if function == nil {
      let reason =
        LittleCMS.isAvailable
        ? "the tone curves of its ICC profile are unknown, and are not used"
        : "its ICC profile is not used, because this build does not include Little CMS"
      remark("\(path): \(reason); --transfer can name another.")
    }
    return function
  }
}
