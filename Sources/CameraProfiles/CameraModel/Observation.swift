internal import ColorScience

/// An observation of a gray card: the settings, and the mean of the card's pixels.
///
/// Codes and their deviations are in 8-bit codes, 0…255, as red, green and blue. All knowledge of a
/// camera (`ModelFit`) follows from a list of observations and nothing else.
package struct Observation: Hashable, Sendable, Codable {
  /// The index of the lamp that lights the card, counted from 0. The lamp does not change between
  /// observations under it.
  package var lamp: Int
  /// The settings of the balance controls.
  package var settings: [ControlID: Int]
  /// The exposure (exposure time times sensor gain) relative to that of another observation.
  package var exposure: Double
  /// The mean codes of the card.
  package var codes: SIMD3<Double>
  /// The standard errors of the mean codes.
  package var errors: SIMD3<Double>
  /// The standard deviation of single pixels.
  package var deviations: SIMD3<Double>
  /// The fraction of pixels at either end of the codes, 0…1.
  package var clipped: SIMD3<Double>

  /// Creates an observation.
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

  /// The channels that can be used. If one channel is near white none can, since clipping there
  /// reaches the others through the matrix; a black channel cannot be used either.
  var usable: SIMDMask<SIMD3<Double>.MaskStorage> {
    if isWhite { return SIMDMask(repeating: false) }
    return .!((isClipped .| (codes .< SIMD3(repeating: 14))) .& .!isBright)
  }

  /// Indicates whether a channel is near white.
  var isWhite: Bool { any((codes .> SIMD3(repeating: 246)) .| (isClipped .& isBright)) }

  private var isClipped: SIMDMask<SIMD3<Double>.MaskStorage> {
    clipped .> SIMD3(repeating: 1e-3)
  }

  private var isBright: SIMDMask<SIMD3<Double>.MaskStorage> { codes .> SIMD3(repeating: 128) }

  /// The variance of the codes due to noise and rounding. Rounding to whole codes has an effect
  /// where no noise dithers it.
  var variance: SIMD3<Double> {
    var result = errors * errors + (Self.relative * codes) * (Self.relative * codes)
    for channel in 0..<3 {
      let wave = exponential(-2 * Double.pi * Double.pi * deviations[channel] * deviations[channel])
      result[channel] += (wave / Double.pi) * (wave / Double.pi) / 2
    }
    return result
  }

  /// The error of a mean code that noise does not explain, relative to the code.
  static let relative = 2e-4
}
