import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

/// An estimate in the layout of the tool's JSON and of the columns of its CSV.
struct EstimateRecord: JSONRecord {
  struct Pixels: JSONRecord { var total, used, clipped, dark: Int }
  struct StandardError: JSONRecord { var red, blue: Double }

  var file: String
  var method: String
  /// The gains, the smallest of which is 1.
  var gains: Gains?
  var gainsGreenOne: Gains?
  /// Missing if nothing was read.
  var rgb: [Double]?
  var pixels: Pixels?
  /// Only for a card.
  var nonuniformity: Double?
  /// Only for a card: the distance of a scene from its assumption is not known.
  var standardError: StandardError?
  /// The assumption about a scene.
  var assumption: String?
  var patches: PatchesRecord?
  var chromaticity: Chromaticity?
  var temperature, tint, temperatureError, tintError: Double?
  /// The camera model that gave the temperature.
  var model: String?
  /// The difference between the picture and those that the profile is for, in words, with
  /// `--any-camera`.
  var otherCamera: String?
  /// The transfer function of the file's codes; `true` if it is assumed because nothing states it;
  /// and a reason to doubt it.
  var transfer: String?
  var transferAssumed: Bool?
  var transferDoubt: String?
  /// The gains with linear codes, if the codes may be linear and nothing states the curve.
  var gainsIfLinear: Gains?
  /// The largest relative standard error of the gains with which shading was corrected; missing if
  /// it was not.
  var shadingError: Double?
  /// The named lamps, the most likely first.
  var lamps: [LampRecord]?
  var accepted: Bool
  /// The reason that it is not accepted: `refused`, or the error that prevented reading the file.
  var error: String?
  var exitCode: Int32?
  var reasons: [String]

  /// Creates the record of an input that could not be read.
  init(_ failure: Failure, file: String, method: String) {
    self.file = file
    self.method = method
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
    shadingError = file.flatField?.largestError
  }

  mutating func refuse(_ reason: String) {
    accepted = false
    error = "refused"
    exitCode = ExitCode.badData.rawValue
    reasons.append(reason)
  }
}

struct LampRecord: JSONRecord {
  var light: String
  /// The probability among the named lamps.
  var share: Double
  /// `true` if the light can be this lamp at all.
  var plausible: Bool
  /// The relative excess of the card's gains over the lamp's, with equal green.
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

  /// The row of CSV: after the name, `ok` or the error's word. The row of a file that is not
  /// accepted has no color.
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
  /// The gains scaled so that green is 1.
  var greenOne: Gains { Gains(red: relativeToGreen.red, blue: relativeToGreen.blue) }
}

struct PatchesRecord: JSONRecord {
  struct Ratios: JSONRecord { var red, blue: Double }

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
