/// The variation of a lamp's light over time, and its effect at an exposure time.
///
/// ```swift
/// let lamp = LightVariation([LightVariation.Component(frequency: 100, amplitude: 0.6)])
/// assert(lamp.steadyExposures(in: 0.001...0.025) == [0.01, 0.02])
/// assert(lamp.ripple(exposure: 0.005) > 0.3)
/// ```
///
/// Error: in simulated pictures the exposure times offered leave a ripple of less than 0.3 %
/// (`FlickerSceneTests`).
public struct LightVariation: Hashable, Sendable {
  /// The sines that add up to the light, besides its mean; the lowest frequency divides the others.
  public var components: [LightVariation.Component]

  /// Creates a sum of sines, the lowest frequency of which divides the others.
  ///
  /// - Precondition: there is one, and the frequencies are positive.
  public init(_ components: [LightVariation.Component]) {
    precondition(
      !components.isEmpty && components.allSatisfy { $0.frequency > 0 },
      "`components` must not be empty, and frequencies must be positive")
    self.components = components
  }

  /// The time after which the light repeats, in seconds.
  public var period: Double { 1 / components.map(\.frequency).min()! }

  /// The largest relative deviation from the mean of the light that an exposure collects. It is an
  /// upper bound, since the crests of the sines need not coincide.
  ///
  /// The mean of a sine of frequency f over a duration d is the sine, times sin(πfd)/(πfd).
  ///
  /// - Parameter exposure: the exposure time in seconds, at least 0.
  public func ripple(exposure: Double) -> Double {
    components.reduce(0) {
      $0 + $1.amplitude * FlickerEvidence.attenuation($1.frequency, exposure)
    }
  }

  /// The exposure times, in seconds, shortest first, that collect the same light whenever they
  /// begin: whole multiples of the period, and also of half the period if both halves are nearly
  /// alike.
  ///
  /// - Parameters:
  ///   - range: the allowed exposure times, in seconds.
  ///   - step: the step to whose multiples the camera rounds exposure times, in seconds; 0 for no
  ///     rounding.
  ///   - limit: the largest relative ripple at which a rounded exposure time is still offered.
  public func steadyExposures(
    in range: ClosedRange<Double>, step: Double = 0, limit: Double = 0.003
  ) -> [Double] {
    let half = period / 2
    let first = max((range.lowerBound / half).rounded(.up), 1)
    let last = (range.upperBound / half).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { count in
      let exact = count * half
      return step > 0 ? (exact / step).rounded() * step : exact
    }.filter { range.contains($0) && ripple(exposure: $0) <= limit }
  }
}
