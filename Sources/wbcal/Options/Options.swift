import WbcalArguments
import CameraControl
import ColorScience
import Foundation
import WbcalImageFiles
import WhiteBalance

/// Where in a picture the card is, and what its numbers mean.
struct CardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the card is: X,Y,W,H in pixels, or center:F for that share of width and height; "
        + "center:0.5 by default.",
      valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  static let defaultRegion = GrayCardEstimator.Region.center(0.5)

  @Option(help: "The stored value of no light; by default the file's own, or 0.")
  var black: Double?
  @Option(
    help: "The stored value at which a pixel is clipped; by default the file's own or the largest.")
  var white: Double?
  @Option(
    help: ArgumentHelp(
      "From stored values to linear light: linear, srgb, bt709 or gamma:G; by default the file's "
        + "own.",
      valueName: "function"),
    transform: TransferFunction.init(argument:))
  var transfer: TransferFunction?

  var estimator: GrayCardEstimator {
    GrayCardEstimator(region: region ?? Self.defaultRegion)
  }
}

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
        + "full, such "
        + "as bt709:full; bt601:limited by default.", valueName: "matrix:range"),
    transform: LumaChromaEncoding.init(argument:))
  var encoding: LumaChromaEncoding?

  /// Whether an option is given that is for files only.
  var areForFiles: Bool { raw != nil || encoding != nil }

  /// A picture, its levels and transfer function replaced by those that were given.
  func picture(path: String) throws -> Picture {
    var reader = ImageFileReader()
    var picture =
      try raw.map { Picture(path: path, bareFrame: try $0.frame(path: path)) }
      ?? reader.picture(path: path)
    picture.frame.layout = try layout(
      picture.frame.layout, path: path, iccProfile: picture.iccProfile)
    return picture
  }

  /// The frame of such a picture.
  func frame(path: String) throws -> Frame { try picture(path: path).frame }

  /// What a picture shows, estimated by a method.
  func reading(
    path: String, method: EstimateMethod, secondRegion: GrayCardEstimator.Region?,
    reader: inout ImageFileReader
  ) throws -> PictureReading {
    func reading(
      _ pixels: Span<UInt8>, _ layout: FrameLayout, _ iccProfile: [UInt8]?
    ) -> Result<PictureReading, FrameError> {
      Result { () throws(FrameError) in
        try PictureReading(
          pixels, layout: self.layout(layout, path: path, iccProfile: iccProfile), method: method,
          region: card.region, secondRegion: secondRegion)
      }
    }
    guard let raw else { return try reader.withPixels(path: path, reading).get() }
    let frame = try raw.frame(path: path)
    return try reading(frame.bytes.span, frame.layout, nil).get()
  }

  /// A file's layout with what was given in place of what the file says of itself.
  private func layout(
    _ layout: FrameLayout, path: String, iccProfile: [UInt8]?
  ) throws(FrameError) -> FrameLayout {
    try layout.replacing(
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

/// The size and format of a frame that has no header.
struct RawGeometry: Sendable {
  var width, height: Int
  var format: PixelFormat

  init(argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let sides = parts.first?.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      width > 0, height > 0
    else { throw ValidationError("write a raw frame as WxH:FORMAT, such as 1920x1080:RG10.") }
    guard let format = PixelFormat(fourCC: String(parts[1])) else {
      throw ValidationError(
        "'\(parts[1])' is not a format that can be read; there are "
          + PixelFormat.fourCCs.joined(separator: ", ") + ".")
    }
    self.width = width
    self.height = height
    self.format = format
  }

  func frame(path: String) throws -> Frame {
    let layout = try FrameLayout(width: width, height: height, format: format)
    let data = try readFile(path)
    // A longer file has a header, padding or another size, and would be read askew.
    guard data.count == layout.byteCount else {
      throw Failure(
        message: "\(path) has \(data.count) bytes, and a frame of \(width)x\(height) in its format "
          + "\(layout.byteCount); check --raw", code: .badData)
    }
    return try Frame(layout: layout, bytes: Array(data))
  }
}

extension GrayCardEstimator.Region {
  init(argument: String) throws {
    if argument.hasPrefix("center:") {
      guard let share = Double(argument.dropFirst(7)), share > 0, share <= 1 else {
        throw ValidationError(
          "the share of the center is above 0 and at most 1, such as center:0.5.")
      }
      self = .center(share)
      return
    }
    let fields = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard fields.count == 4, let x = fields[0], let y = fields[1], let width = fields[2],
      let height = fields[3], width > 0, height > 0
    else { throw ValidationError("write a region as X,Y,W,H in pixels or center:F.") }
    self = .rectangle(PixelRectangle(x: x, y: y, width: width, height: height))
  }
}

extension LumaChromaEncoding {
  init(argument: String) throws {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let matrix = Matrix(rawValue: parts[0]),
      let range = CodeRange(rawValue: parts[1])
    else { throw ValidationError("write an encoding as MATRIX:RANGE, such as bt709:full.") }
    self.init(matrix: matrix, range: range)
  }
}

extension TransferFunction {
  init(argument: String) throws {
    guard let function = TransferFunction(named: argument) else {
      throw ValidationError(
        "the transfer function is linear, srgb, bt709 or gamma:G with G above 0.")
    }
    self = function
  }
}

/// Three numbers for red, green and blue, all positive.
func parseGains(_ argument: String) throws -> Gains {
  let gains = numbers(argument, count: 3).map { Gains(red: $0[0], green: $0[1], blue: $0[2]) }
  guard let gains, gains.normalized().arePositiveAndFinite, gains.attenuated().arePositiveAndFinite
  else {
    throw ValidationError("write gains as R,G,B, three positive numbers, such as 1.4,1,1.9.")
  }
  return gains
}
