internal import ColorScience

/// The card's picture before anything was learned under the first lamp. The same settings must show
/// the same colors again at the end; otherwise the lamp was not the same throughout.
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
  ///   - delay: The number of frames until a setting has surely shown.
  package func change(to later: SIMD3<Double>, error: Double = 0, delay: Int) -> Double {
    let first = measurable(after: delay)
    if first.count < Self.evidence { return 0 }
    let now = Self.ratios((0..<3).map { later[$0] })
    let changes = first.map { CardColor.size(Self.ratios($0.codes) - now) }.sorted()
    let noise =
      first.flatMap { frame in
        zip(frame.codes, frame.errors).map { $1 / max($0, Self.darkest) }
      }.max() ?? 0
    let change = changes[changes.count - Self.evidence]
    return change > max(Self.tolerance, 20 * noise, 12 * error) ? change : 0
  }

  /// Returns the change to a later observation. A card that is clipped by then, but was not, is
  /// brighter or has another color.
  package func change(to later: Observation, delay: Int) -> Double {
    if later.clipped.max() >= Self.mostClipped {
      return measurable(after: delay).count < Self.evidence ? 0 : 1
    }
    let error = (later.errors / pointwiseMax(later.codes, SIMD3(repeating: Self.darkest))).max()
    return change(to: later.codes, error: error, delay: delay)
  }

  /// The frames after some others in which few pixels are clipped.
  private func measurable(after delay: Int) -> [CodeMean] {
    frames.dropFirst(delay).filter { $0.clipped.allSatisfy { $0 < Self.mostClipped } }
  }

  /// The fraction of clipped pixels up to which the mean of the others is that of the card.
  private static let mostClipped = 0.05
  /// The code below which a channel counts as black.
  private static let darkest = 14.0

  /// ln(red/green) and ln(blue/green) of codes that follow about sRGB's curve.
  private static func ratios(_ codes: [Double]) -> SIMD2<Double> {
    let light = codes.map { logarithm(TransferFunction.sRGB.linear(max($0, darkest) / 255)) }
    return SIMD2(light[0] - light[1], light[2] - light[1])
  }
}
