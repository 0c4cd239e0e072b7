internal import ColorScience

/// The probabilities of changes between two successive pictures of a series, from all but their
/// colors.
struct LightStep {
  /// The probability that the light has changed.
  var change: Double
  /// The probability that the place has changed, if the light has not.
  var place: Double

  /// The probability of a change of the light between pictures of which nothing is known.
  private static let usual = 0.03

  init(_ first: SeriesPicture, _ second: SeriesPicture) {
    (change, place) = (Self.usual, 0.25)
    if let before = first.time, let after = second.time {
      change += 0.5 * (1 - exponential(-abs(after - before) / 3600))
    }
    if let before = first.usesFlash, let after = second.usesFlash, before != after {
      weigh(1e6)
    }
    if let before = first.brightness, let after = second.brightness {
      let stops = after - before
      // Motifs differ by a stop, lights by three.
      weigh(
        Self.normal(stops, 3)
          / (0.95 * Self.normal(stops, 1) + 0.05 * Self.normal(stops, 3)))
    }
    if let before = first.scene, let after = second.scene,
      let shift = after.shift(since: before)
    {
      place = 0
      let size = (shift * shift).sum().squareRoot()
      func density(_ error: Double) -> Double { Self.normal(size, error) / error }
      weigh(density(0.5) / (0.98 * density(0.01) + 0.02 * density(0.03)))
    }
  }

  /// Changes the odds of a change of the light by a factor.
  private mutating func weigh(_ ratio: Double) {
    let odds = change / (1 - change) * ratio
    change = min(odds / (1 + odds), 1 - 1e-9)
  }

  /// Returns the density of a normal distribution but for a constant factor.
  private static func normal(_ value: Double, _ deviation: Double) -> Double {
    exponential(-power(value / deviation, 2) / 2) / deviation + 1e-300
  }
}
