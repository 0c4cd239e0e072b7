import ColorScience

/// How a lamp's light varies, and what an exposure leaves of it.
///
/// ```swift
/// let lamp = LightVariation([LightComponent(frequency: 100, amplitude: 0.6)])
/// assert(lamp.steadyExposures(in: 0.001...0.025) == [0.01, 0.02])
/// assert(lamp.ripple(exposure: 0.005) > 0.3)
/// ```
///
/// Error: in simulated pictures the durations offered leave less than 0.3 %
/// (`FlickerSceneTests`).
public struct LightVariation: Hashable, Sendable {
  /// Sines whose sum the light is, beside its mean; the lowest frequency divides the others.
  public var components: [LightComponent]

  /// A sum of sines, the lowest frequency of which divides the others.
  ///
  /// - Precondition: there is one, and the frequencies are positive.
  public init(_ components: [LightComponent]) {
    precondition(
      !components.isEmpty && components.allSatisfy { $0.frequency > 0 }, "there is a frequency")
    self.components = components
  }

  /// The time after which the light repeats, in seconds.
  public var period: Double { 1 / components.map(\.frequency).min()! }

  /// How far the light that an exposure collects swings to either side of its mean, relative: at
  /// most this, since the sines need not have their crests together.
  ///
  /// The mean of a sine of frequency f over a duration d is the sine, times sin(πfd)/(πfd).
  ///
  /// - Parameter exposure: in seconds, at least 0.
  public func ripple(exposure: Double) -> Double {
    components.reduce(0) {
      $0 + $1.amplitude * FlickerEvidence.remainder($1.frequency, exposure)
    }
  }

  /// The exposures, in seconds, shortest first, that collect as much light whenever they begin:
  /// whole multiples of the period, and of its half where its arches are alike.
  ///
  /// - Parameters:
  ///   - range: in seconds.
  ///   - step: what the camera rounds exposures to, in seconds; 0 is nothing.
  ///   - limit: the ripple, relative, up to which what is rounded is still offered.
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
