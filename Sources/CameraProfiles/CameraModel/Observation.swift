internal import ColorScience

/// A look at a gray card: what was set, and the mean of the card's pixels.
///
/// Codes and their deviations are in 8-bit codes, 0…255, as red, green and blue. What is known of a
/// camera (`ModelFit`) follows from a list of these and nothing else.
package struct Observation: Hashable, Sendable, Codable {
  /// Which lamp lit the card, counted from 0; the lamp does not change between looks at it.
  package var lamp: Int
  /// What the balance controls were set to.
  package var settings: [ControlID: Int]
  /// The light that was gathered, beside that of another look: exposure time times gain.
  package var exposure: Double
  /// The mean codes of the card.
  package var codes: SIMD3<Double>
  /// Their standard errors.
  package var errors: SIMD3<Double>
  /// The standard deviation of single pixels.
  package var deviations: SIMD3<Double>
  /// The share of pixels at either end of the codes, 0…1.
  package var clipped: SIMD3<Double>

  /// A look.
  package init(
    lamp: Int = 0, settings: [ControlID: Int], exposure: Double = 1, codes: SIMD3<Double>,
    errors: SIMD3<Double>, deviations: SIMD3<Double>, clipped: SIMD3<Double> = .zero
  ) {
    self.lamp = lamp
    self.settings = settings
    self.exposure = exposure
    self.codes = codes
    self.errors = errors
    self.deviations = deviations
    self.clipped = clipped
  }

  /// The channels that tell something: none where one of them is near white, since what clips there
  /// reaches the others through the matrix; not one that is black.
  var usable: SIMDMask<SIMD3<Double>.MaskStorage> {
    let isClipped = clipped .> SIMD3(repeating: 1e-3)
    let isBright = codes .> SIMD3(repeating: 128)
    let isWhite = (codes .> SIMD3(repeating: 246)) .| (isClipped .& isBright)
    if any(isWhite) { return SIMDMask(repeating: false) }
    return .!((isClipped .| (codes .< SIMD3(repeating: 14))) .& .!isBright)
  }

  /// The variance of the codes that noise and rounding explain: rounding to whole codes shows where
  /// no noise dithers it.
  var variance: SIMD3<Double> {
    var result = errors * errors + (Self.relative * codes) * (Self.relative * codes)
    for channel in 0..<3 {
      let wave = exponential(-2 * Double.pi * Double.pi * deviations[channel] * deviations[channel])
      result[channel] += (wave / Double.pi) * (wave / Double.pi) / 2
    }
    return result
  }

  /// What no noise explains of a mean code, beside it.
  static let relative = 2e-4
}
