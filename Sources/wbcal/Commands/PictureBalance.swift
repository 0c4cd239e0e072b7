import CameraProfiles
import ColorScience
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalSystem
import WhiteBalance

/// The gains or colors to apply to pictures, and the way to write them.
final class PictureBalance: Sendable {
  /// A picture and its output path.
  struct Job: Sendable { var file, output: String }

  /// The result for a picture.
  struct Done: Sendable {
    indirect enum Record: Sendable {
      case balance(BalanceRecord), development(DevelopmentRecord), dng(DNGRecord)
    }

    var record: Record
    var line: String
    var remarks: [String] = []
    /// The light that the picture suggests; `nil` if it has a card of its own.
    var seen: BalancedSeries.Member?
  }

  private let picture: PictureOptions
  private let anyCamera, preserveHighlights, noMetadata: Bool
  /// The gains of `--gains` or of a profile for the light; `nil` to use those of a card.
  private let gains: Gains?
  /// The picture of the card, if it is another one.
  private let card:
    (
      path: String, isRaw: Bool, gains: Result<Gains, any Error>, seen: BalancedSeries.Member
    )?
  /// The profile, whose flat fields correct the shading.
  private let profile: CameraProfile?
  private let target: Target
  /// The response to the glare of the profile's chart, with white 1; `nil` to leave it.
  private let glare: LinearRGB?

  /// The kind of picture that is written.
  private indirect enum Target: Sendable {
    case same
    case developed(Development)
    /// A raw picture, with the colors of a profile, under a light if it is known, or else those of
    /// its file.
    case dng(ProfileSource?, light: String?)
  }

  private struct Development: Sendable {
    var space: Balance.Target
    var light: String
    var polynomial: RootPolynomial
  }

  init(_ command: Balance, _ camera: ProfileSource?) throws {
    (picture, anyCamera) = (command.picture, command.anyCamera)
    (preserveHighlights, noMetadata) = (command.preserveHighlights, command.noMetadata)
    profile = camera?.profile
    let light = try command.light.flatMap { try camera?.profile.light(argument: $0) }
    glare = command.glare ? try camera?.chartGlare(under: [light].compactMap(\.self)).level : nil
    let isOwn = command.gains == nil && command.like == nil
    if let camera, let space = command.to, space != .dng {
      let colors = try ProfileColors(of: camera, light: command.light ?? "")
      target = .developed(
        Development(
          space: space, light: colors.light.name, polynomial: try colors.polynomial(to: .sRGB)))
      gains = try isOwn ? colors.requiredGains() : command.gains
    } else {
      target = command.to == .dng ? .dng(camera, light: command.light) : .same
      gains =
        isOwn
        ? try camera.flatMap { camera in try command.light.map { try camera.gains(for: $0) } }
        : command.gains
    }
    card = try command.like.map { [picture, profile, glare] path in
      var (other, origin) = try picture.pictureAndOrigin(path: path)
      let field = profile?.flatField(for: other.frame.layout, origin, path: path)
      try field?.correct(&other.frame)
      let gains = Result {
        try PictureBalance.gains(
          of: picture.card.estimator, in: other.frame, without: glare, path: path)
      }
      var seen = try Self.seen(other, path: path)
      seen.picture.neutral = (try? gains.get()).map { LinearRGB(1 / $0.vector) }
      return (path, origin.encoding == .raw, gains, seen)
    }
  }

  /// The card that provides the gains for all pictures, and what its picture shows of its light.
  var cardSeen: BalancedSeries.Member? { card?.seen }

  /// `true` if all pictures get the same gains.
  var hasCommonGains: Bool { card != nil || gains != nil }

  /// Returns what a picture shows of its light.
  private static func seen(
    _ source: Picture, path: String
  ) throws -> BalancedSeries.Member {
    let (frame, exposure) = (source.frame, source.exposure)
    return BalancedSeries.Member(
      file: path,
      picture: SeriesPicture(
        scene: try SceneLight(frame.bytes.span, layout: frame.layout), exposure: exposure.stops,
        time: exposure.time, usesFlash: exposure.usesFlash),
      colors: frame.layout.format.lightColors,
      isBalancedByCamera: exposure.isBalancedByCamera && source.format != .raw)
  }

  /// Returns what a picture shows of its light, from a strip of each row of cells.
  private static func seen(_ source: PixelFile, path: String) throws -> BalancedSeries.Member {
    let layout = source.layout
    let scene = try SceneLight(layout: layout) { rows in try source.rows(rows) }
    return BalancedSeries.Member(
      file: path, picture: SeriesPicture(scene: scene), colors: layout.format.lightColors)
  }

  /// Throws the error of the card that provides the gains for all pictures.
  func requireCard() throws { _ = try card?.gains.get() }

  /// Applies the gains to a picture and writes it; throws the reason if that fails.
  func balanced(_ job: Job) throws -> Done {
    switch target {
    case .developed(let development): return try develop(job, development)
    case .dng(let colors, let light): return try writeDNG(job, colors, light: light)
    case .same: break
    }
    var remarks: [String] = []
    let file = try picture.pixelFile(path: job.file)
    let (scaled, clipping, seen) =
      try file.map { try apply(to: $0, of: $1, job, &remarks) } ?? applyToWhole(job, &remarks)
    if clipping.clipped > 0 {
      let share = 100 * Double(clipping.clipped) / Double(clipping.pixels)
      remarks.append(
        "the gains clipped \(clipping.clipped) of \(clipping.pixels) pixels "
          + "(\(shortNumber(share)) %); --preserve-highlights would darken the picture instead")
    }
    let record = BalanceRecord(
      file: job.file, output: job.output, gains: scaled, gainsGreenOne: scaled.greenOne,
      pixels: .init(
        total: clipping.pixels, clipped: clipping.clipped, redClipped: clipping.redClipped,
        greenClipped: clipping.greenClipped, blueClipped: clipping.blueClipped))
    return Done(
      record: .balance(record), line: "wrote \(job.output): \(EstimateText.gains(scaled))",
      remarks: remarks, seen: seen)
  }

  private typealias Applied = (
    gains: Gains, clipping: GainApplication.ClippingCounts, seen: BalancedSeries.Member?
  )

  /// Returns the gains that were applied to the picture, and the pixels that they clipped.
  private func applyToWhole(_ job: Job, _ remarks: inout [String]) throws -> Applied {
    var (source, field, seen) = try source(of: job)
    try requireName(job, of: source.format)
    let scaled = scaled(try gains(for: source.frame, field, job))
    let layout = source.frame.layout
    let gains = try FrameGains(scaled, field, layout: layout)
    var span = source.frame.bytes.mutableSpan
    let clipping = try gains.apply(to: &span, rows: 0..<layout.height)
    let bytes = try source.encoded { remarks.append($0) }
    try replaceFile(job.output, with: bytes)
    remarks += [picture.curveRemark(of: source.colors, layout)].compactMap(\.self)
    return (scaled, clipping, seen)
  }

  /// Applies the gains in strips, so that all processors read and change them, and little memory is
  /// needed.
  private func apply(
    to source: PixelFile, of origin: PictureOrigin, _ job: Job, _ remarks: inout [String]
  ) throws -> Applied {
    try requireProfile(for: origin, job)
    try requireName(job, of: source.format)
    let seen = hasCommonGains ? try Self.seen(source, path: job.file) : nil
    let field = profile?.flatField(for: source.layout, origin, path: job.file)
    let scaled = scaled(try gains(for: source, field, job))
    let gains = try FrameGains(scaled, field, layout: source.layout)
    // Half a MiB stays in the cache of a processor.
    let height = max(2, (1 << 19) / source.layout.bytesPerRow & ~1)
    var strips = stride(from: 0, to: source.layout.height, by: height).makeIterator()
    var clipping = GainApplication.ClippingCounts()
    try replaceFile(job.output) { descriptor in
      if let code = writeAll(to: descriptor, source.header) { return code }
      let work = OrderedWork(nextInput: { strips.next() }) {
        { (first: Int) in
          Result {
            let rows = first..<min(first + height, source.layout.height)
            var bytes = try source.rows(rows)
            var span = bytes.mutableSpan
            let clipping = try gains.apply(to: &span, rows: rows)
            source.encode(&bytes)
            return (bytes, clipping)
          }
        }
      }
      var code: CInt?
      try work.forEach { _, result in
        let (bytes, strip) = try result.get()
        clipping.add(strip)
        if code == nil { code = writeAll(to: descriptor, bytes) }
      }
      return code
    }
    let colors = ColorStatement(isCurveStated: source.format == nil)
    remarks += [picture.curveRemark(of: colors, source.layout)].compactMap(\.self)
    return (scaled, clipping, seen)
  }

  private func scaled(_ gains: Gains) -> Gains {
    preserveHighlights ? gains.normalized(to: .largest) : gains.normalized(to: .smallest)
  }

  /// Reads the picture, which must match the profile, and returns it with its flat field and what
  /// it shows of its light.
  private func source(of job: Job) throws -> (Picture, ProfileShading?, BalancedSeries.Member?) {
    let (source, origin, seen) = try pictureAndOrigin(of: job)
    return (source, profile?.flatField(for: source.frame.layout, origin, path: job.file), seen)
  }

  /// Reads the picture, without what describes it if that is not wanted. It must match the profile.
  private func pictureAndOrigin(
    of job: Job
  ) throws -> (Picture, PictureOrigin, BalancedSeries.Member?) {
    var (source, origin) = try picture.pictureAndOrigin(path: job.file, saysCurve: false)
    try requireProfile(for: origin, job)
    let seen = hasCommonGains ? try Self.seen(source, path: job.file) : nil
    if noMetadata { source.removeDescription() }
    return (source, origin, seen)
  }

  private func requireProfile(for origin: PictureOrigin, _ job: Job) throws {
    let difference = try profile?.difference(from: origin, path: job.file, anyCamera: anyCamera)
    if let difference { remark("\(job.file): \(difference).") }
  }

  /// Writes the picture in a color space.
  private func develop(_ job: Job, _ development: Development) throws -> Done {
    let (file, output) = (job.file, job.output)
    var (source, field, seen) = try source(of: job)
    if case .gray = source.frame.layout.format.arrangement {
      throw Failure.badData("\(file) is a gray picture without colors")
    }
    let corrected = try field?.correct(&source.frame)
    let scaled = scaled(try gains(for: source.frame, nil, job))
    let developed = try source.frame.developed(gains: scaled, colors: development.polynomial)
    let picture = try developed.frame.upright(orientation: source.orientation)
    var remarks: [String] = []
    let bytes = try PictureWriter.encode(
      picture, as: ImageFormat(promisedBy: output) ?? .png, path: output, isSRGB: true,
      iccProfile: LittleCMS.sRGBProfile(), metadata: source.metadata
    ) { remarks.append($0) }
    try replaceFile(output, with: bytes)
    func share(_ count: Int) -> String {
      "\(count) of \(developed.pixels) pixels "
        + "(\(shortNumber(100 * Double(count) / Double(developed.pixels))) %)"
    }
    if let corrected, corrected.clipped > 0 {
      remarks.append(
        "the correction of shading raised \(corrected.clipped) of \(corrected.pixels) pixels of "
          + "\(file) to white")
    }
    if developed.clipped > 0 {
      remarks.append(
        "\(share(developed.clipped)) exceeded white and were clipped; "
          + "--preserve-highlights would darken the picture instead")
    }
    let space = development.space.rawValue
    if developed.beyondSpace > 0 {
      remarks.append("\(share(developed.beyondSpace)) have colors beyond \(space)")
    }
    let record = DevelopmentRecord(
      file: file, output: output, light: development.light, space: space, gains: scaled,
      gainsGreenOne: scaled.greenOne, matrix: development.polynomial.matrix,
      roots: development.polynomial.roots,
      pixels: .init(
        total: developed.pixels, clipped: developed.clipped, beyondSpace: developed.beyondSpace))
    let layout = picture.layout
    return Done(
      record: .development(record),
      line: "wrote \(output): \(layout.width)×\(layout.height) in \(space), "
        + EstimateText.gains(scaled), remarks: remarks, seen: seen)
  }

  /// Writes the picture's own codes, with the gains as its white.
  private func writeDNG(
    _ job: Job, _ colors: ProfileSource?, light: String?
  ) throws -> Done {
    var (source, origin, seen) = try pictureAndOrigin(of: job)
    if noMetadata { origin.serial = nil }
    let field = profile?.flatField(for: source.frame.layout, origin, path: job.file)
    // A DNG file has its own matrices.
    let own =
      colors == nil && source.format == .raw && job.file != "-"
      ? try? ProfileSource(argument: job.file) : nil
    let camera = try DNGCamera(origin, colors: colors ?? own, light: light, flatField: field)
    let gains = scaled(try gains(for: source.frame, field, job))
    let neutral = try camera.neutral(card: gains)
    let (black, white) = (source.frame.layout.blackLevel, source.frame.layout.whiteLevel)
    let blackLevels = glare.map { LinearRGB(black + (white - black) * $0.vector) }
    var file = try camera.file(
      of: source.frame, neutral: neutral, exposure: source.exposure,
      orientation: source.orientation, blackLevels: blackLevels, path: job.output,
      instead: "without --to, the picture keeps its format, such as .tiff and .png")
    let remarks = source.metadata.add(toDNG: &file.head, layout: source.frame.layout)
    try replaceFile(job.output, with: file)
    let record = DNGRecord(
      file: job.file, output: job.output, gains: gains, gainsGreenOne: gains.greenOne,
      neutral: neutral, blackLevels: blackLevels, hasMatrices: camera.hasColors,
      hasShading: field != nil)
    let blacks = blackLevels.map { levels in
      ", black "
        + [levels.red, levels.green, levels.blue].map { shortNumber($0) }.joined(separator: ", ")
    }
    return Done(
      record: .dng(record),
      line: "wrote \(job.output): balance \(EstimateText.gains(gains))\(blacks ?? "")",
      remarks: remarks + [camera.lack(of: neutral)].compactMap(\.self), seen: seen)
  }

  /// Refuses pictures that cannot be written, and names that imply another format than the
  /// picture's.
  private func requireName(_ job: Job, of format: ImageFormat?) throws {
    let (file, output) = (job.file, job.output)
    if format == .raw {
      throw Failure.badData(
        "\(file) is a raw photograph, whose format cannot be written; --to dng writes it with its "
          + "white balance, or develop it with the gains that wbcal estimate prints")
    }
    let promised = ImageFormat(promisedBy: output)
    if format == nil, let promised {
      throw ValidationError(
        "\(output) would not be a \(promised.rawValue) file: the frame stays without a header. "
          + "Use a name that ends in .raw.")
    }
    if let format, promised != format, !URL(filePath: output).pathExtension.isEmpty {
      throw ValidationError(
        "\(file) is a \(format.rawValue) file, and \(output) will be one, too: use a name that "
          + "ends in .\(format.extensions[0]), or convert the picture first.")
    }
  }

  /// Returns the gains for a picture, by default those of a card in it without shading.
  private func gains(for frame: Frame, _ field: ProfileShading?, _ job: Job) throws -> Gains {
    if let known = try knownGains(for: frame.layout, job) { return known }
    let flat = try field?.corrected(frame.bytes.span, layout: frame.layout) ?? frame
    return try Self.gains(of: picture.card.estimator, in: flat, without: glare, path: job.file)
  }

  /// Returns the gains for a picture, reading no more than the rows of the card.
  private func gains(for source: PixelFile, _ field: ProfileShading?, _ job: Job) throws -> Gains {
    if let known = try knownGains(for: source.layout, job) { return known }
    let (part, estimator): (Frame, GrayCardEstimator)
    do { (part, estimator) = try picture.rowsOfCard(in: source, field) } catch {
      throw Failure(error, about: job.file)
    }
    return try Self.gains(of: estimator, in: part, without: glare, path: job.file)
  }

  private func knownGains(for layout: FrameLayout, _ job: Job) throws -> Gains? {
    guard let card else { return gains }
    // The gains of a raw photograph are those of the sensor; those of a developed picture come on
    // top of them.
    guard card.isRaw == layout.format.isMosaic else {
      throw Failure.badData(
        "\(card.path): either this or \(job.file) is a raw photograph and the other is developed, "
          + "so their gains differ; develop both in the same way")
    }
    return try card.gains.get()
  }

  private static func gains(
    of estimator: GrayCardEstimator, in frame: Frame, without glare: LinearRGB?, path: String
  ) throws -> Gains {
    let card: GrayCardEstimate.Accepted
    do { card = try estimator.estimate(frame).accepted() } catch {
      let refusals = (error as? GrayCardError)?.refusals
      throw Failure.badData(
        "\(path): \(refusals.map { "\($0.sentenceWithAdvice)." } ?? "\(error)")")
    }
    guard let glare else { return card.gains }
    if let gains = Gains(neutralizing: LinearRGB(card.response.vector - glare.vector)) {
      return gains
    }
    throw Failure.badData(
      "\(path): the card is not brighter than the glare of the profile's chart; take the picture "
        + "with the chart's exposure and light, or leave out --glare")
  }
}

/// The output of `--json` for a balanced picture.
struct BalanceRecord: JSONRecord {
  struct Pixels: JSONRecord { var total, clipped, redClipped, greenClipped, blueClipped: Int }

  var file, output: String
  var gains, gainsGreenOne: Gains
  /// Numbers of pixels; the clipped ones are those that the gains raised to white.
  var pixels: Pixels
}

/// The output of `--json` for a picture in a color space.
struct DevelopmentRecord: JSONRecord {
  struct Pixels: JSONRecord { var total, clipped, beyondSpace: Int }

  var file, output, light, space: String
  var gains, gainsGreenOne: Gains
  /// The matrices from balanced camera RGB, and from √(red · green), √(green · blue) and √(blue ·
  /// red), to the space, row by row.
  var matrix, roots: Matrix3x3
  var pixels: Pixels
}

/// The output of `--json` for a DNG file.
struct DNGRecord: JSONRecord {
  var file, output: String
  var gains, gainsGreenOne: Gains
  /// The response to white (AsShotNeutral).
  var neutral: LinearRGB?
  /// The codes that are black, with `--glare` (BlackLevel).
  var blackLevels: LinearRGB?
  /// `true` if the file has color matrices.
  var hasMatrices: Bool
  /// `true` if the file has the gains of a flat field (OpcodeList2).
  var hasShading: Bool
}
