package import ColorScience

/// The card's picture before anything was learned under the first lamp. The same settings must show
/// the same colors again at the end; otherwise the lamp was not the same throughout.
///
/// Colors are compared as linear values at equal brightness: a lamp may flicker, and an error of
/// the tone curve then changes the ratios of linear values as well.
package struct FirstPicture: Sendable {
  /// The settings of the balances.
  package let balances: [ControlValue]
  /// The setting of the exposure; `nil` if it cannot be set.
  package let exposure: Int?
  /// The codes of successive frames.
  package let frames: [CodeMean]

  /// Creates a picture from what was sent and read.
  package init(balances: [ControlValue], exposure: Int?, frames: [CodeMean]) {
    (self.balances, self.exposure, self.frames) = (balances, exposure, frames)
  }

  /// The largest accepted change of the ratios of red and blue to green.
  private static let tolerance = 0.02
  /// The number of frames that must have changed.
  private static let evidence = 3

  /// Returns the change of color from the frames that surely showed the settings to other codes of
  /// them; 0 if it is within noise, or too few frames are known.
  ///
  /// - Parameters:
  ///   - later: The codes.
  ///   - error: The relative standard error of the codes.
  ///   - transfer: The tone curve of the codes, as far as it is known.
  ///   - delay: The number of frames until a setting has surely shown.
  package func change(
    to later: SIMD3<Double>, error: Double = 0, behind transfer: TransferFunction = .sRGB,
    delay: Int
  ) -> Double {
    let first = measurable(after: delay)
    if first.count < Self.evidence { return 0 }
    let now = Color((0..<3).map { later[$0] }, behind: transfer)
    let colors = first.map { Color($0.codes, behind: transfer) }
    let slope = Self.slope(of: colors)
    let changes = colors.map { color in
      let expected = color.ratios + slope * (now.brightness - color.brightness)
      // A channel that is black in both pictures shows no change, however bright green is.
      return CardColor.size(
        SIMD2(
          color.isRedDark && now.isRedDark ? 0 : expected.x - now.ratios.x,
          color.isBlueDark && now.isBlueDark ? 0 : expected.y - now.ratios.y))
    }.sorted()
    let noise =
      first.flatMap { frame in
        zip(frame.codes, frame.errors).map { $1 / max($0, Self.darkest) }
      }.max() ?? 0
    let change = changes[changes.count - Self.evidence]
    return change > max(Self.tolerance, 20 * noise, 12 * error) ? change : 0
  }

  /// Returns the change to a later observation. A card that is clipped by then, but was not, is
  /// brighter or has another color.
  package func change(
    to later: Observation, behind transfer: TransferFunction = .sRGB, delay: Int
  ) -> Double {
    if later.clipped.max() >= Self.mostClipped {
      return measurable(after: delay).count < Self.evidence ? 0 : 1
    }
    let error = (later.errors / pointwiseMax(later.codes, SIMD3(repeating: Self.darkest))).max()
    return change(to: later.codes, error: error, behind: transfer, delay: delay)
  }

  /// The frames after some others in which few pixels are clipped.
  private func measurable(after delay: Int) -> [CodeMean] {
    frames.dropFirst(delay).filter { $0.clipped.allSatisfy { $0 < Self.mostClipped } }
  }

  /// The fraction of clipped pixels up to which the mean of the others is that of the card.
  private static let mostClipped = 0.05
  /// The code below which a channel counts as black.
  private static let darkest = 14.0

  /// The least linear value of a code: that of `darkest` in sRGB.
  private static let faintest = TransferFunction.sRGB.linear(darkest / 255)

  /// The color and the brightness of codes.
  private struct Color {
    /// ln(red/green) and ln(blue/green).
    let ratios: SIMD2<Double>
    /// ln(green).
    let brightness: Double
    /// `true` for a channel that counts as black; its ratio is that of the darkest code.
    let (isRedDark, isBlueDark): (Bool, Bool)

    init(_ codes: [Double], behind transfer: TransferFunction) {
      let light = codes.map {
        logarithm(
          max(transfer.linear(max($0, FirstPicture.darkest) / 255), FirstPicture.faintest))
      }
      (ratios, brightness) = (SIMD2(light[0] - light[1], light[2] - light[1]), light[1])
      (isRedDark, isBlueDark) = (codes[0] <= FirstPicture.darkest, codes[2] <= FirstPicture.darkest)
    }
  }

  /// The change of the ratios with brightness from frame to frame. A contrast curve changes them by
  /// at most a third of the change of brightness; another lamp changes them more.
  private static func slope(of colors: [Color]) -> SIMD2<Double> {
    let count = Double(colors.count)
    let center = colors.reduce(0.0) { $0 + $1.brightness } / count
    let ratios = colors.reduce(SIMD2<Double>()) { $0 + $1.ratios } / count
    var products = SIMD2<Double>()
    // Without flicker there is only noise, whose slope is not believed.
    var squares = count * steady * steady
    for color in colors {
      let way = color.brightness - center
      products += way * (color.ratios - ratios)
      squares += way * way
    }
    return (products / squares).clamped(
      lowerBound: SIMD2(repeating: -steepest), upperBound: SIMD2(repeating: steepest))
  }

  /// The standard deviation of brightness below which frames count as equally bright, and the
  /// largest slope of ratios with brightness.
  private static let (steady, steepest) = (0.005, 1.0 / 3)
}
