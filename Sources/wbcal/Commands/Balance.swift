import WbcalArguments
import CameraControl
import ColorScience
import Foundation
import WbcalImageFiles
import WbcalSystem
import WhiteBalance

struct Balance: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Apply gains to a picture, so that a gray card in it becomes neutral.",
    discussion: """
      The gains are those of --gains, or else of the gray card in the picture, or in
      another one --like it, from the same camera under the same light, or those that
      a --profile has for a --light. They multiply linear light: the ICC profile's
      tone curves say what that is, then the file, then sRGB, unless --transfer
      does.

      Gains are scaled so that the smallest is 1: white stays white, and what they
      raise to white is clipped and counted on standard error. With
      --preserve-highlights the largest is 1 and nothing is clipped; the picture
      becomes darker. Either way a sample that was at white already stays there.
      JSON has the gains also with green 1.

      The file keeps its format, bit depth, alpha, ICC profile, orientation and
      resolution. JPEG files are compressed again (quality 95, no chroma
      subsampling); palettes become RGB without transparency, and of a TIFF file the
      first page is written. Raw photographs cannot be written: develop them with the
      gains that wbcal estimate prints, or here.

      With --to srgb the colors of the profile's camera under the light are applied as
      well (a root polynomial of a calibrated camera, else a matrix), and surfaces
      look as they do under D65: a picture in sRGB for eyes and programs alike, 16
      bits in .png, .tiff and .ppm, 8 in .jpg, upright. Raw photographs and raw frames
      become half as wide and high, each cell of the filter a pixel. Highlights stay
      neutral, and colors beyond sRGB are clipped to it and counted.

        wbcal balance shot.png --region 796,908,36,36 -o balanced.png
        wbcal balance shot.tif --like card.tif -o balanced.tif
        wbcal balance shot.jpg --gains 1.4,1,1.9 --preserve-highlights -o balanced.jpg
        wbcal balance frame.raw --raw 1920x1080:RG10 --black 64 -o balanced.raw
        wbcal balance shot.dng --profile desk.json --light LED-B3 --to srgb -o a.png
      """)

  /// A space of colors in which pictures are written.
  enum Space: String, CaseIterable, ExpressibleByArgument { case srgb }

  @Argument(help: "The picture; - for one in standard input.", completion: .file()) var file: String
  @Option(
    name: .shortAndLong, help: "The picture to write; - for standard output.", completion: .file())
  var output: String
  @Option(
    help: ArgumentHelp("The gains, red, green and blue.", valueName: "R,G,B"), transform: parseGains
  )
  var gains: Gains?
  @Option(
    help: ArgumentHelp(
      "Another picture, whose --region shows the gray card.", valueName: "picture"),
    completion: .file())
  var like: String?
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .json) var profile: String?
  @Option(help: "The light on the scene, as 'wbcal calibrate' takes it, for --profile.")
  var light: String?
  @Option(help: "The colors to write, by those of the profile's camera: srgb.") var to: Space?
  @OptionGroup var picture: PictureOptions
  @Flag(help: "Use the profile for a picture of another camera, too.") var anyCamera = false
  @Flag(help: "Darken the picture instead of clipping.") var preserveHighlights = false
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    if gains != nil, like != nil {
      throw ValidationError("--gains and --like both say what the gains are: drop one.")
    }
    if (profile == nil) != (light == nil) {
      throw ValidationError("--profile and --light go together.")
    }
    if to != nil, profile == nil {
      throw ValidationError("--to takes the colors of a --profile under a --light.")
    }
    if anyCamera, profile == nil { throw ValidationError("--any-camera goes with --profile.") }
    if profile != nil, to == nil, gains != nil || like != nil {
      throw ValidationError(
        "the --profile says what the gains are: drop \(gains == nil ? "--like" : "--gains").")
    }
    if profile != nil, like == nil, picture.card.region != nil {
      throw ValidationError(
        "--region shows a gray card, and the gains are those of the --profile: drop one.")
    }
    if json, output == "-" {
      throw ValidationError("--json and the picture cannot both go to standard output.")
    }
  }

  func execute() async throws {
    try refuse(output: output, over: [file] + [like, profile].compactMap(\.self))
    let camera = try profile.map { try ProfileSource(argument: $0) }
    if let camera, let to { return try develop(camera, to) }
    let (scaled, clipping) =
      try picture.pixelFile(path: file).map { try apply(to: $0, of: $1, camera) }
      ?? applyToWhole(camera)
    if clipping.clipped > 0 {
      let share = 100 * Double(clipping.clipped) / Double(clipping.pixels)
      remark(
        "the gains clipped \(clipping.clipped) of \(clipping.pixels) pixels "
          + "(\(shortNumber(share)) %); --preserve-highlights would darken the picture instead")
    }
    if json {
      try printJSON(
        BalanceRecord(
          file: file, output: output, gains: scaled, gainsGreenOne: scaled.greenOne,
          pixels: .init(
            total: clipping.pixels, clipped: clipping.clipped, redClipped: clipping.redClipped,
            greenClipped: clipping.greenClipped, blueClipped: clipping.blueClipped)))
    } else if output != "-" {
      try StandardOutput.line("wrote \(output): \(EstimateText.gains(scaled))")
    }
  }

  /// The gains that were applied to the picture, and what they clipped.
  private func applyToWhole(_ camera: ProfileSource?) throws -> (Gains, GainApplication.Clipping) {
    var source = try source(from: camera?.profile)
    try requireName(of: source.format)
    let gains = try gains ?? camera.map(gains(of:)) ?? estimatedGains(for: source.frame)
    let scaled = scaled(gains)
    let clipping = try source.frame.apply(scaled)
    try replaceFile(output, with: try source.encoded())
    return (scaled, clipping)
  }

  /// The same in strips, so that all processors read and change, and little memory is needed.
  private func apply(
    to source: PixelFile, of origin: PictureOrigin, _ camera: ProfileSource?
  ) throws -> (Gains, GainApplication.Clipping) {
    try requireProfile(camera?.profile, for: origin)
    try requireName(of: source.format)
    let gains = try gains ?? camera.map(gains(of:)) ?? estimatedGains(for: source)
    let scaled = scaled(gains)
    let application = try GainApplication(of: scaled, layout: source.layout)
    // Half a MiB stays in the cache of a processor.
    let height = max(2, (1 << 19) / source.layout.bytesPerRow & ~1)
    var strips = stride(from: 0, to: source.layout.height, by: height).makeIterator()
    var clipping = GainApplication.Clipping()
    try replaceFile(output) { descriptor in
      if let code = writeAll(to: descriptor, source.header) { return code }
      let work = OrderedWork(nextInput: { strips.next() }) {
        { (first: Int) in
          Result {
            let rows = first..<min(first + height, source.layout.height)
            var bytes = try source.rows(rows)
            var span = bytes.mutableSpan
            let clipping = try application.apply(to: &span, rows: rows.count)
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
    return (scaled, clipping)
  }

  private func scaled(_ gains: Gains) -> Gains {
    preserveHighlights ? gains.attenuated() : gains.normalized()
  }

  /// The picture, which a profile must be for.
  private func source(from profile: CameraProfile?) throws -> Picture {
    let (source, origin) = try picture.pictureAndOrigin(path: file)
    try requireProfile(profile, for: origin)
    return source
  }

  private func requireProfile(_ profile: CameraProfile?, for origin: PictureOrigin) throws {
    if let difference = try profile?.difference(from: origin, path: file, anyCamera: anyCamera) {
      remark("\(file): \(difference).")
    }
  }

  private func gains(of camera: ProfileSource) throws -> Gains {
    let light = try camera.profile.light(argument: light ?? "")
    guard let gains = camera.profile.model.gains(for: light) else {
      throw Failure.badData("\(camera.name) has no gains for \(light.name)")
    }
    return gains
  }

  /// Writes the picture in a space of colors.
  private func develop(_ camera: ProfileSource, _ space: Space) throws {
    let format = output == "-" ? .png : ImageFormat(promisedBy: output)
    guard let format, format != .raw else {
      throw ValidationError(
        "\(output) would be no picture that is written: end it in .png, .tiff, .jpg or .ppm.")
    }
    let colors = try ProfileColors(of: camera, light: light ?? "")
    let polynomial = try colors.polynomial(to: .sRGB)
    let source = try source(from: colors.profile)
    if case .gray = source.frame.layout.format.arrangement {
      throw Failure.badData("\(file) is gray, and has no colors to write")
    }
    let isOwn = gains == nil && like == nil
    let gains = try isOwn ? colors.requiredGains() : gains ?? estimatedGains(for: source.frame)
    let scaled = scaled(gains)
    let developed = try source.frame.developed(gains: scaled, colors: polynomial)
    let picture = try developed.frame.upright(orientation: source.orientation)
    let bytes = try PictureWriter.encode(
      picture, as: format, path: output, isSRGB: true, iccProfile: LittleCMS.sRGBProfile())
    try replaceFile(output, with: bytes)
    func share(_ count: Int) -> String {
      "\(count) of \(developed.pixels) pixels "
        + "(\(shortNumber(100 * Double(count) / Double(developed.pixels))) %)"
    }
    if developed.clipped > 0 {
      remark(
        "\(share(developed.clipped)) came out above white and were clipped; "
          + "--preserve-highlights would darken the picture instead")
    }
    if developed.beyondSpace > 0 {
      remark("\(share(developed.beyondSpace)) have colors beyond \(space.rawValue)")
    }
    if json {
      try printJSON(
        DevelopmentRecord(
          file: file, output: output, light: colors.light.name, space: space.rawValue,
          gains: scaled, gainsGreenOne: scaled.greenOne, matrix: polynomial.matrix,
          roots: polynomial.roots,
          pixels: .init(
            total: developed.pixels, clipped: developed.clipped,
            beyondSpace: developed.beyondSpace)))
    } else if output != "-" {
      try StandardOutput.line(
        "wrote \(output): \(picture.layout.width)×\(picture.layout.height) in "
          + "\(space.rawValue), \(EstimateText.gains(scaled))")
    }
  }

  /// Refuses pictures that cannot be written, and names that promise another format than the
  /// picture's.
  private func requireName(of format: ImageFormat?) throws {
    if format == .raw {
      throw Failure.badData(
        "\(file) is a raw photograph, which cannot be written; develop it with the gains "
          + "that wbcal estimate prints")
    }
    let promised = ImageFormat(promisedBy: output)
    if format == nil, let promised {
      throw ValidationError(
        "\(output) would be no \(promised.rawValue) file: the frame stays without a header. "
          + "Name it to end in .raw.")
    }
    if let format, promised != format, !URL(filePath: output).pathExtension.isEmpty {
      throw ValidationError(
        "\(file) is a \(format.rawValue) file, and so will be \(output): name it to end in "
          + ".\(format.extensions[0]), or convert the picture first.")
    }
  }

  /// The gains of the gray card in the frame, or in the picture that it is like.
  private func estimatedGains(for frame: Frame) throws -> Gains {
    if let like { return try estimatedGains(like: like, for: frame.layout) }
    return try estimatedGains(of: picture.card.estimator, in: frame, path: file)
  }

  /// The same, without reading more than the rows of the card.
  private func estimatedGains(for source: PixelFile) throws -> Gains {
    let layout = source.layout
    if let like { return try estimatedGains(like: like, for: layout) }
    var card = picture.card.estimator.rectangle(in: layout)
    do { try layout.require(card) } catch { throw Failure.badData("\(file): \(error)") }
    // The card keeps its place in the blocks that compression may have left.
    let (first, last) = (card.y & ~15, card.y + card.height)
    let part = try FrameLayout(
      width: layout.width, height: last - first, bytesPerRow: layout.bytesPerRow,
      format: layout.format, blackLevel: layout.blackLevel, whiteLevel: layout.whiteLevel,
      transfer: layout.transfer)
    card.y -= first
    return try estimatedGains(
      of: GrayCardEstimator(region: .rectangle(card)),
      in: Frame(layout: part, bytes: source.rows(first..<last)), path: file)
  }

  private func estimatedGains(like path: String, for layout: FrameLayout) throws -> Gains {
    let (other, origin) = try picture.pictureAndOrigin(path: path)
    // A raw photograph's gains are those of the sensor; a developed picture's come on top of them.
    guard (origin.encoding == .raw) == layout.isMosaic else {
      throw Failure.badData(
        "\(path): one of it and \(file) is a raw photograph and the other is developed, and their "
          + "gains differ; develop both alike")
    }
    return try estimatedGains(of: picture.card.estimator, in: other.frame, path: path)
  }

  private func estimatedGains(
    of estimator: GrayCardEstimator, in frame: Frame, path: String
  ) throws -> Gains {
    do { return try estimator.estimate(frame).accepted().gains } catch {
      let refusals = (error as? GrayCardError)?.refusals
      throw Failure.badData(
        "\(path): \(refusals.map { "\($0.sentenceWithAdvice)." } ?? "\(error)")")
    }
  }
}

extension FrameLayout {
  fileprivate var isMosaic: Bool {
    if case .bayer = format.arrangement { true } else { false }
  }
}

private struct BalanceRecord: Encodable {
  struct Pixels: Encodable { var total, clipped, redClipped, greenClipped, blueClipped: Int }

  var file, output: String
  var gains, gainsGreenOne: Gains
  /// Counts of pixels; clipped are those that the gains raised to white.
  var pixels: Pixels
}

private struct DevelopmentRecord: Encodable {
  struct Pixels: Encodable { var total, clipped, beyondSpace: Int }

  var file, output, light, space: String
  var gains, gainsGreenOne: Gains
  /// From balanced camera RGB, and from √(red · green), √(green · blue) and √(blue · red), to the
  /// space, row by row.
  var matrix, roots: Matrix3x3
  var pixels: Pixels
}
