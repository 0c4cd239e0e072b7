internal import ColorScience

/// The variation of a lamp's light with the voltage that supplies it.
public struct SimulatedFlicker: Hashable, Sendable {
  /// The variation of the light within a period.
  public enum Waveform: Hashable, Sendable {
    /// A sine, as of an incandescent filament.
    case sine
    /// The magnitude of a sine, as of a lamp without energy storage.
    case rectifiedSine
    /// The magnitude of a sine with every other arch lower by a fraction, 0…1, as of a tube on a
    /// magnetic ballast whose ends age differently. It has a component at half the frequency.
    case unequalArches(Double)
    /// On for a fraction of the period, between 0 and 1, and off for the rest, as of a dimmed LED.
    case pulses(Double)
  }

  /// The variation of the light within a period.
  public var waveform: Waveform
  /// The number of periods per second, in hertz: twice the mains frequency, or the frequency of the
  /// pulses.
  public var frequency: Double
  /// The difference between the brightest and the darkest moment divided by their sum, 0…1: percent
  /// flicker of IEEE 1789, as a fraction. For unequal arches the higher one counts.
  public var modulation: Double

  /// Creates the flicker of a lamp.
  ///
  /// - Parameters:
  ///   - waveform: the variation of the light within a period.
  ///   - frequency: the number of periods per second, in hertz.
  ///   - modulation: the modulation, 0…1.
  public init(_ waveform: Waveform, frequency: Double, modulation: Double = 1) {
    precondition(
      frequency > 0 && (0...1).contains(modulation),
      "`frequency` must be positive, and `modulation` 0…1")
    self.waveform = waveform
    self.frequency = frequency
    self.modulation = modulation
  }

  /// Returns the mean light over a window, relative to that over all time.
  ///
  /// - Parameters:
  ///   - start: the start of the window, in seconds.
  ///   - duration: the length of the window in seconds; 0 gives the light at a moment, as the
  ///     limit.
  public func meanLight(from start: Double, for duration: Double) -> Double {
    // For a shorter window the difference of the two integrals would be mostly rounding error.
    let cycles = max(duration * frequency, 1e-6)
    let first = start * frequency
    let mean = (integral(to: first + cycles) - integral(to: first)) / cycles
    // The amplitude of the shape, which is between 0 and 1, that gives this modulation.
    let depth = 2 * modulation / (1 + modulation)
    return (1 - depth + depth * mean) / (1 - depth + depth * shapeMean)
  }

  /// The mean of the waveform, which is 0 at its darkest and 1 at its brightest.
  private var shapeMean: Double {
    switch waveform {
    case .sine: 0.5
    case .rectifiedSine: 2 / .pi
    case .unequalArches(let share): (2 - share) / .pi
    case .pulses(let duty): duty
    }
  }

  /// Returns the integral of the waveform from 0 to a number of periods.
  private func integral(to cycles: Double) -> Double {
    let whole = cycles.rounded(.down)
    let rest = cycles - whole
    switch waveform {
    case .sine: return cycles / 2 - sine(2 * .pi * rest) / (4 * .pi)
    case .rectifiedSine: return whole * 2 / .pi + (1 - cosine(.pi * rest)) / .pi
    case .unequalArches(let share):
      let pairs = (whole / 2).rounded(.down)
      let isSecond = whole - 2 * pairs > 0
      return
        (pairs * 2 * (2 - share) + (isSecond ? 2 : 0) + (1 - cosine(.pi * rest))
          * (isSecond ? 1 - share : 1))
        / .pi
    case .pulses(let duty): return whole * duty + min(rest, duty)
    }
  }
}
