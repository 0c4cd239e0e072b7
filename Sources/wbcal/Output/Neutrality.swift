import ColorScience
import WhiteBalance

/// The distance of a gray surface from neutral, read as linear sRGB.
struct Neutrality {
  /// The largest difference that `verify` and `gray` accept: about the smallest that the eye
  /// notices.
  static let limit = 1.0

  let lab: LabColor
  /// The difference from the neutral of the same lightness.
  let ciede2000: Double

  /// Returns `nil` if there is no color that could be judged.
  init?(of response: LinearRGB) {
    lab = LabColor(response, in: .sRGB)
    ciede2000 = lab.ciede2000(to: lab.neutral)
    guard ciede2000.isFinite, lab.l > 0.1 else { return nil }
  }

  /// Creates the effect of residual gains on an 18 % card.
  init?(residual gains: Gains) {
    self.init(of: LinearRGB(0.18 / gains.normalized(to: .smallest).vector))
  }

  /// The distance as text for messages.
  var text: String { "CIEDE2000 \(fixed(ciede2000, decimals: 2))" }
}

extension Gains {
  /// The gains as `--gains` takes them.
  var argument: String {
    [red, green, blue].map { fixed($0, decimals: 4) }.joined(separator: ",")
  }
}
