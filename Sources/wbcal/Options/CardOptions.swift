import WbcalArguments
import WhiteBalance
import ColorScience

/// The position of the card in a picture, and the meaning of the picture's codes.
struct CardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the card is: X,Y,W,H in pixels, or center:F for that share of width and height; "
        + "center:0.5 by default.",
      valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  static let defaultRegion = GrayCardEstimator.Region.center(0.5)

  @Option(
    help: "The stored value of no light; by default the pictures' own, or 0.",
    transform: asNumber("a stored value as a number, such as 64"))
  var black: Double?
  @Option(
    help:
      "The stored value at which a pixel is clipped; by default the pictures' own, or the largest.",
    transform: asNumber("a stored value as a number, such as 1023"))
  var white: Double?
  @Option(
    help: ArgumentHelp(
      "From stored values to linear light: linear, srgb, bt709 or gamma:G; by default the "
        + "pictures' own.",
      valueName: "function"),
    transform: TransferFunction.init(argument:))
  var transfer: TransferFunction?

  var estimator: GrayCardEstimator { GrayCardEstimator(region: region ?? Self.defaultRegion) }
}
