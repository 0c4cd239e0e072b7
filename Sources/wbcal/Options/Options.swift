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
  static let usualRegion = GrayCardEstimator.Region.center(0.5)

  @Option(help: "The stored value of no light; by default the file's own, or 0.")
  var black: Double?
  @Option(
    help: "The stored value at which a pixel is clipped; by default the file's own or the largest.")
  var white: Double?
  @Option(
    help: ArgumentHelp(
      "From stored values to linear light: linear, srgb, bt709 or gamma:G; by default the file's own.",
      valueName: "function"),
    transform: TransferFunction.init(argument:))
  var transfer: TransferFunction?

  var estimator: GrayCardEstimator {
    GrayCardEstimator(region: region ?? Self.usualRegion)
  }
}

/// The same, and how files that say nothing of themselves are read.
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
      "How luma and chroma of a --raw frame are coded: bt601, bt709 or bt2020, and limited or full, such "
        + "as bt709:full; bt601:limited by default.", valueName: "matrix:range"),
    transform: LumaChromaEncoding.init(argument:))
  var encoding: LumaChromaEncoding?

  /// Whether there is something that only files can be told.
  var areForFiles: Bool { raw != nil || encoding != nil }

  /// A picture's frame, its levels and curve replaced by those that were given.
  func frame(path: String) throws -> Frame {
    guard let raw else { return try picture(path: path).frame }
    var frame = try raw.frame(path: path)
    frame.layout = try layout(frame.layout, transfer: card.transfer)
    return frame
  }

  /// The same of a picture that has a header, with all that is needed to write it again.
  func picture(path: String) throws -> Picture {
    var picture = try ImageFile.readPicture(path: path)
    picture.frame.layout = try layout(
      picture.frame.layout, transfer: curve(path: path, iccProfile: picture.iccProfile))
    return picture
  }

  /// What a picture says, read by a method.
  func reading(
    path: String, method: EstimateMethod, secondRegion: GrayCardEstimator.Region?,
    reader: inout ImageFileReader
  ) throws -> PictureReading {
    func reading(_ pixels: Span<UInt8>, _ layout: FrameLayout) throws(FrameError) -> PictureReading
    {
      try PictureReading(
        pixels, layout: layout, method: method, region: card.region, secondRegion: secondRegion)
    }
    if raw != nil {
      let frame = try frame(path: path)
      return try reading(frame.bytes.span, frame.layout)
    }
    return try reader.withPixels(path: path) { pixels, layout, iccProfile in
      Result { () throws(FrameError) in
        try reading(
          pixels, self.layout(layout, transfer: curve(path: path, iccProfile: iccProfile)))
      }
    }.get()
  }

  /// The curve that was given or, as the file's own word, that of its ICC profile.
  private func curve(path: String, iccProfile: [UInt8]?) -> TransferFunction? {
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

  private func layout(
    _ layout: FrameLayout, transfer: TransferFunction?
  ) throws(FrameError) -> FrameLayout {
    try layout.replacing(
      blackLevel: card.black, whiteLevel: card.white, transfer: transfer, encoding: encoding)
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
  guard let gains, gains.normalized().areUsable, gains.attenuated().areUsable else {
    throw ValidationError("write gains as R,G,B, three positive numbers, such as 1.4,1,1.9.")
  }
  return gains
}
