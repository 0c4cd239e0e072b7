import ColorScience
import WhiteBalance

/// An estimate as the tool's contract lays it out in JSON.
struct EstimateRecord: Encodable {
  struct Pixels: Encodable { var total, used, clipped, dark: Int }
  struct StandardError: Encodable { var red, blue: Double }

  var file: String
  var method = "\(EstimateMethod.grayCard)"
  var gains: Gains?
  var rgb: [Double]
  var pixels: Pixels
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
  var accepted: Bool
  var reasons: [String]

  init(_ estimate: GrayCardEstimate, file: String, seen: LightReading?, model: String?) {
    let counts = estimate.pixels
    self.init(
      file: file, gains: estimate.gains, response: estimate.response,
      pixels: Pixels(
        total: counts.total, used: counts.used, clipped: counts.clipped, dark: counts.dark),
      seen: seen, model: model, reasons: estimate.refusals.map(\.description))
    accepted = estimate.isAccepted
    nonuniformity = estimate.nonuniformity
    standardError = StandardError(
      red: estimate.standardError.red, blue: estimate.standardError.blue)
  }

  init(
    file: String, gains: Gains?, response: LinearRGB, pixels: Pixels, seen: LightReading?,
    model: String?, reasons: [String]
  ) {
    self.file = file
    self.gains = gains
    rgb = [response.red, response.green, response.blue]
    self.pixels = pixels
    chromaticity = seen?.chromaticity
    temperature = finite(seen?.light?.temperature)
    tint = seen?.light?.tint
    temperatureError = finite(seen?.standardError?.temperature)
    tintError = finite(seen?.standardError?.tint)
    self.model = seen == nil ? nil : model
    accepted = gains != nil
    self.reasons = reasons
  }
}

struct PatchesRecord: Encodable {
  struct Ratios: Encodable { var red, blue: Double }

  var second: Gains?
  /// `agreement`, `black-level` or `disagreement`.
  var verdict: String?
  /// Differences between the patches in the logarithms of red/green and blue/green.
  var difference, remaining: Ratios?
  var fittedBlackLevel, blackLevelError: Double?

  init(_ patch: PictureReading.SecondPatch) {
    second = patch.estimate.gains
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
