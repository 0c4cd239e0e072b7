internal import ColorScience

/// A lamp's light that varies with the voltage that feeds it.
public struct SimulatedFlicker: Hashable, Sendable {
  /// How the light varies within a period.
  public enum Waveform: Hashable, Sendable {
    /// A sine: a glowing filament.
    case sine
    /// The magnitude of a sine: a lamp without any store of energy.
    case rectifiedSine
    /// The magnitude of a sine, every other arch of which is lower by a share, 0…1: a tube on a
    /// magnetic ballast, whose ends age differently. It has a component at half the frequency.
    case unequalArches(Double)
    /// On for a share of the period, between 0 and 1, and off for the rest: a dimmed LED.
    case pulses(Double)
  }

  /// How the light varies within a period.
  public var waveform: Waveform
  /// Periods in a second, hertz: twice the frequency of the mains, or that of the pulses.
  public var frequency: Double
  /// The difference of the brightest and the darkest moment over their sum, 0…1: percent flicker
  /// of IEEE 1789, as a share. Arches that are unequal are measured by the higher one.
  public var modulation: Double

  /// A light with a waveform, its frequency in hertz, and its modulation, 0…1.
  public init(_ waveform: Waveform, frequency: Double, modulation: Double = 1) {
    precondition(
      frequency > 0 && (0...1).contains(modulation), "a frequency, and a modulation of 0…1")
    self.waveform = waveform
    self.frequency = frequency
    self.modulation = modulation
  }

  /// The mean light over a window, relative to that over all time.
  ///
  /// - Parameters:
  ///   - start: the window's first moment, in seconds.
  ///   - duration: its length in seconds; 0 is a moment, for which the limit stands.
  public func meanLight(from start: Double, for duration: Double) -> Double {
    // Shorter than this, the difference of two integrals is all rounding.
    let cycles = max(duration * frequency, 1e-6)
    let first = start * frequency
    let mean = (integral(to: first + cycles) - integral(to: first)) / cycles
    // Of the shape, between 0 and 1, the share that makes this modulation.
    let depth = 2 * modulation / (1 + modulation)
    return (1 - depth + depth * mean) / (1 - depth + depth * shapeMean)
  }

  /// The mean of the waveform between darkest 0 and brightest 1.
  private var shapeMean: Double {
    switch waveform {
    case .sine: 0.5
    case .rectifiedSine: 2 / .pi
    case .unequalArches(let share): (2 - share) / .pi
    case .pulses(let duty): duty
    }
  }

  /// The integral of the waveform from 0 up to a number of periods.
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
