import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

/// An estimate as the tool's contract lays it out in JSON and in the columns of CSV.
struct EstimateRecord: Encodable {
  struct Pixels: Encodable { var total, used, clipped, dark: Int }
  struct StandardError: Encodable { var red, blue: Double }

  var file: String
  var method: String
  /// The smallest is 1.
  var gains: Gains?
  var gainsGreenOne: Gains?
  /// These are missing where nothing was read.
  var rgb: [Double]?
  var pixels: Pixels?
  /// Only of a card.
  var nonuniformity: Double?
  /// Only of a card: nobody knows how far a scene is from its assumption.
  var standardError: StandardError?
  /// What a scene was assumed to be.
  var assumption: String?
  var patches: PatchesRecord?
  var chromaticity: Chromaticity?
  var temperature, tint, temperatureError, tintError: Double?
  /// The camera model that gave the temperature.
  var model: String?
  /// In what the picture differs from those that the profile is for, with `--any-camera`.
  var otherCamera: String?
  /// By which function the stored numbers of a file were taken, and whether nothing names it, so
  /// that it is assumed; and why that is in doubt.
  var transfer: String?
  var transferAssumed: Bool?
  var transferDoubt: String?
  /// The gains if the numbers are linear, where that may be and nothing tells.
  var gainsIfLinear: Gains?
  /// The lamps that were named, the likeliest first.
  var lamps: [LampRecord]?
  var accepted: Bool
  /// Where it is not accepted: `refused`, or what kept the file from being read.
  var error: String?
  var exitCode: Int32?
  var reasons: [String]

  /// An input that could not be read.
  init(_ failure: Failure, file: String, method: EstimateMethod) {
    self.file = file
    self.method = "\(method)"
    accepted = false
    error = failure.code.word
    exitCode = failure.code.rawValue
    reasons = [failure.message]
  }

  init(_ estimate: GrayCardEstimate, file: String, seen: LightReading?, model: String?) {
    let counts = estimate.pixels
    self.init(
      file: file, method: .grayCard, gains: estimate.gains, response: estimate.response,
      pixels: Pixels(
        total: counts.total, used: counts.used, clipped: counts.clipped, dark: counts.dark),
      seen: seen, model: model, reasons: estimate.refusals.map(\.description))
    nonuniformity = finite(estimate.nonuniformity)
    let errors = estimate.standardError
    if errors.red.isFinite, errors.blue.isFinite {
      standardError = StandardError(red: errors.red, blue: errors.blue)
    }
  }

  init(
    file: String, method: EstimateMethod, gains: Gains?, response: LinearRGB, pixels: Pixels,
    seen: LightReading?,
    model: String?, reasons: [String]
  ) {
    self.file = file
    self.method = "\(method)"
    self.gains = gains
    gainsGreenOne = gains?.greenOne
    rgb = [response.red, response.green, response.blue]
    self.pixels = pixels
    chromaticity = seen?.isTintKnown == true ? seen?.chromaticity : nil
    temperature = finite(seen?.light?.temperature)
    tint = seen?.tint
    temperatureError = finite(seen?.standardError?.temperature)
    tintError = finite(seen?.standardError?.tint)
    self.model = seen == nil ? nil : model
    accepted = true
    self.reasons = []
    for reason in reasons { refuse(reason) }
  }

  /// Adds what is known of the file.
  mutating func take(_ file: PictureOptions.FileReading?) {
    guard let file else { return }
    otherCamera = file.difference
    transfer = file.transfer.name
    transferAssumed = file.assumedCurve == nil ? nil : true
    transferDoubt = file.assumedCurve?.doubt
    gainsIfLinear = file.gainsIfLinear
  }

  mutating func refuse(_ reason: String) {
    accepted = false
    error = "refused"
    exitCode = ExitCode.badData.rawValue
    reasons.append(reason)
  }
}

struct LampRecord: Encodable {
  var light: String
  /// The probability among the lamps named.
  var share: Double
  /// Whether it can be this one at all.
  var plausible: Bool
  /// By how much the card's gains are larger than the lamp's, green being equal.
  var red, blue: Double

  init(_ match: LampMatch) {
    (light, share, plausible) = (match.light.name, match.share, match.isPlausible)
    (red, blue) = (match.red, match.blue)
  }
}

extension EstimateRecord {
  static let columns = [
    "file", "status", "red", "green", "blue", "red_per_green", "blue_per_green", "red_error",
    "blue_error", "x", "y", "temperature", "tint", "temperature_error", "tint_error",
    "nonuniformity", "pixels", "used", "clipped", "dark", "other_camera",
  ]

  /// The row of CSV: `ok` or the error's word behind the name, and nothing of color in the row of
  /// what is not accepted.
  var row: String {
    let trusted: [Double?] =
      accepted
      ? [
        gains?.red, gains?.green, gains?.blue, gainsGreenOne?.red, gainsGreenOne?.blue,
        standardError?.red, standardError?.blue, chromaticity?.x, chromaticity?.y, temperature,
        tint, temperatureError, tintError,
      ] : Array(repeating: nil, count: 13)
    let counts = [pixels?.total, pixels?.used, pixels?.clipped, pixels?.dark]
    return
      ([String(FieldSeparator.quoted(file[...])), error ?? "ok"]
      + (trusted + [nonuniformity]).map { $0.map { "\($0)" } ?? "" }
      + counts.map { $0.map { "\($0)" } ?? "" }
      + [String(FieldSeparator.quoted((otherCamera ?? "")[...]))]).joined(separator: ",")
  }
}

extension Gains {
  /// The same color with green 1.
  var greenOne: Gains { Gains(red: relativeToGreen.red, blue: relativeToGreen.blue) }
}

struct PatchesRecord: Encodable {
  struct Ratios: Encodable { var red, blue: Double }

  var second, secondGreenOne: Gains?
  /// `agreement`, `black-level` or `disagreement`.
  var verdict: String?
  /// Differences between the patches in the logarithms of red/green and blue/green.
  var difference, remaining: Ratios?
  var fittedBlackLevel, blackLevelError: Double?

  init(_ patch: PictureReading.SecondPatch) {
    second = patch.estimate.gains
    secondGreenOne = second?.greenOne
    guard let check = patch.check else { return }
    verdict =
      switch check.verdict {
      case .agreement: "agreement"
      case .blackLevel: "black-level"
      case .disagreement: "disagreement"
      }
    difference = Ratios(red: check.spread.red, blue: check.spread.blue)
    remaining = Ratios(red: check.remainingSpread.red, blue: check.remainingSpread.blue)
    fittedBlackLevel = check.fittedLevel
    blackLevelError = finite(check.standardError)
  }
}
