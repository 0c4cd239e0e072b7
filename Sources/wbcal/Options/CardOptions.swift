import WbcalArguments
import WhiteBalance
import ColorScience

/// The position of the card in a picture, and the meaning of the picture's codes.
struct CardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The card's region: X,Y,W,H in pixels, or center:F for the share F of width and height in "
        + "the center; by default center:0.5.",
      valueName: "region"),
    transform: GrayCardEstimator.Region.init(argument:))
  var region: GrayCardEstimator.Region?
  static let defaultRegion = GrayCardEstimator.Region.center(0.5)

  @Option(
    help: "The black level, as a code value; by default that of the pictures, or 0.",
    transform: asNumber("a code value as a number, such as 64"))
  var black: Double?
  @Option(
    help:
      "The code value at which pixels clip; by default that of the pictures, or the largest.",
    transform: asNumber("a code value as a number, such as 1023"))
  var white: Double?
  @Option(
    help: ArgumentHelp(
      "The transfer function of the code values: linear, srgb, bt709 or gamma:G; by default that "
        + "of the pictures.",
      valueName: "function"),
    transform: TransferFunction.init(argument:))
  var transfer: TransferFunction?

  var estimator: GrayCardEstimator { GrayCardEstimator(region: region ?? Self.defaultRegion) }
}
