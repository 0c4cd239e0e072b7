import ColorScience

/// The evidence of one run of frames for and against the frequencies of lamps.
struct FlickerEvidence {
  let spectrum: FlickerSpectrum
  let exposure, readout: Double?

  /// A frequency that a lamp's light may have.
  struct Candidate {
    /// The frequency of the light, in hertz.
    var frequency: Double
    /// The relative tolerance of the frequency.
    var tolerance: Double
    /// The waves in its light that may be the strongest, as multiples of the frequency, each with
    /// its usual amplitude relative to the others.
    var waves: [(multiple: Double, amplitude: Double)]

    /// Creates the candidate of a lamp on the mains, which stay within 0.4 % of their nominal
    /// frequency (EN 50160: 1 % for 99.5 % of a year).
    static func mains(_ mains: MainsFrequency) -> Candidate {
      // Tubes have a component at the mains' own frequency; the second harmonic is a rectified
      // sine's.
      Candidate(
        frequency: mains.light, tolerance: 0.004,
        waves: [(0.5, 0.1), (1, 1), (2, 0.2)])
    }

    /// Creates the candidate of a pulsed lamp.
    static func pulses(_ frequency: Double, tolerance: Double) -> Candidate {
      Candidate(frequency: frequency, tolerance: tolerance, waves: [(1, 1), (2, 0.1)])
    }
  }

  init(_ run: FlickerRun) throws(FlickerMeasurement.Obstacle) {
    spectrum = try FlickerSpectrum(run)
    (exposure, readout) = (run.exposure, run.readout)
  }

  /// The factor by which an exposure, in seconds, reduces the amplitude of a wave of a frequency,
  /// in hertz.
  static func attenuation(_ frequency: Double, _ exposure: Double) -> Double {
    let angle = Double.pi * frequency * exposure
    return angle > 1e-9 ? abs(sine(angle) / angle) : 1
  }

  /// The distance of a frequency from one whose bands stand still, in cycles per frame, −0.5…0.5.
  func motion(_ frequency: Double) -> Double {
    let cycles = frequency * spectrum.interval
    return cycles - cycles.rounded()
  }

  /// The probability that bands of a frequency move too little to be distinguished from the scene.
  func standing(_ frequency: Double) -> Double {
    let reach = 2 / Double(spectrum.span)
    let error = max(3 * frequency * spectrum.intervalError, 1e-9)
    let motion = abs(motion(frequency))
    return max(min(motion + error, reach) - max(motion - error, -reach), 0) / (2 * error)
  }

  /// The probability that a lamp is not detected, if the modulations of lamps are distributed
  /// evenly in the logarithm from 3 % up.
  func hidden(_ candidate: Candidate) -> Double {
    // At a multiple of the nominal period the usual deviation of the frequency leaves a small
    // amplitude.
    let exposed =
      exposure.map { exposure in
        [1, 1 + candidate.tolerance / 2].map {
          Self.attenuation($0 * candidate.frequency, exposure)
        }.max()!
      } ?? 0.1
    let weakest = 0.03
    let share = logarithm(spectrum.limit / max(exposed * weakest, 1e-12)) / -logarithm(weakest)
    // Lamps are rarely so exact that their bands stand still completely (0.6), and rarely so far
    // off that they stand still unexpectedly (1e-4).
    return min(max(share, max(0.6 * standing(candidate.frequency), 1e-4)), 1)
  }

  /// The likelihood, under a steady light, that the run drifts, or that it does not.
  var steadiness: Double { spectrum.isDrifting ? 0.2 : 1 }

  /// The likelihood of the run's result given a lamp, relative to a peak at a uniformly distributed
  /// position.
  func likelihood(_ candidate: Candidate) -> Double {
    guard let peak = spectrum.peak else {
      return hidden(candidate) * steadiness + (spectrum.isDrifting ? 0.4 : 0)
        * standing(candidate.frequency)
    }
    // Bands of a frequency that should stand still are seen at 0.3 of their amplitude if it is
    // slightly off, and otherwise at 0.001; both cases have the same weight.
    let density = [0.3, 0.001].reduce(0) { sum, seen in
      let expected = candidate.waves.map { wave in
        let frequency = wave.multiple * candidate.frequency
        let exposed = exposure.map { Self.attenuation(frequency, $0) } ?? 1
        let amplitude = wave.amplitude * exposed * (1 - (1 - seen) * standing(frequency))
        // The strongest wave makes the peak, and one expected to be much weaker hardly ever does.
        return amplitude * amplitude * amplitude * amplitude
      }
      let total = max(expected.reduce(0, +), 1e-30)
      return zip(candidate.waves, expected).reduce(sum) { sum, pair in
        let density = self.density(
          peak, pair.0.multiple * candidate.frequency, candidate.tolerance)
        return sum + pair.1 / total / 2 * density
      }
    }
    return max(max(1 - hidden(candidate), 0.1) * density, 1e-9)
  }

  /// Returns whether the peak is at a position that a frequency within a relative tolerance allows.
  func finds(_ frequency: Double, _ tolerance: Double) -> Bool {
    spectrum.peak.map { density($0, frequency, tolerance) > 0 } ?? false
  }

  /// The probability density of a peak's position, in cycles per frame, if a wave of a frequency
  /// causes it.
  private func density(
    _ peak: FlickerSpectrum.Peak, _ frequency: Double, _ tolerance: Double
  ) -> Double {
    let cycles = frequency * spectrum.interval
    // The rows are read within the time of a frame; unless all are read at once, it takes 1.5 ms or
    // more.
    guard peak.perReadout <= 1.02 * cycles + 0.6 else { return 0 }
    guard peak.perReadout < 0.5 || peak.perReadout + 0.2 > 0.0015 * frequency else { return 0 }
    if let readout, abs(peak.perReadout - frequency * readout) > 0.4 + 0.05 * frequency * readout {
      return 0
    }
    let span = Double(spectrum.span)
    // A wave that hardly moves is partly removed with the scene, so that its position is inexact.
    let error = standing(frequency) > 0.5 ? 2.5 / span : 0.15 / span
    let width =
      frequency * (tolerance * spectrum.interval + 3 * spectrum.intervalError) + error
    func matches(_ place: Double) -> Bool {
      let distance = place - cycles
      return abs(distance - distance.rounded()) <= width
    }
    let fits = matches(peak.perFrame) ? 1.0 : 0
    let density = max(1 / (2 * width), 1)
    guard peak.isMirrored else { return fits * density }
    return (fits + (matches(-peak.perFrame) ? 1 : 0)) / 2 * density
  }
}
