import ColorScience

/// What one run of frames says for and against a lamp's frequency.
struct FlickerEvidence {
  let spectrum: FlickerSpectrum
  let exposure, readout: Double?

  /// A frequency that a lamp's light may have.
  struct Candidate {
    /// Of the light, in hertz.
    var frequency: Double
    /// How far it may be off, relative.
    var tolerance: Double
    /// The waves in its light that may stand out, as multiples of the frequency, each with its
    /// usual amplitude beside the others.
    var waves: [(multiple: Double, amplitude: Double)]

    /// Mains are kept within 0.4 % of their nominal frequency (EN 50160: 1 % for 99.5 % of a year).
    static func mains(_ mains: MainsFrequency) -> Candidate {
      // Tubes have some light at the mains' own frequency; the second is a rectified sine's.
      Candidate(
        frequency: mains.light, tolerance: 0.004,
        waves: [(0.5, 0.1), (1, 1), (2, 0.2)])
    }

    /// Pulses.
    static func pulses(_ frequency: Double, tolerance: Double) -> Candidate {
      Candidate(frequency: frequency, tolerance: tolerance, waves: [(1, 1), (2, 0.1)])
    }
  }

  init(_ run: FlickerRun) throws(FlickerSpectrum.Failure) {
    spectrum = try FlickerSpectrum(run)
    (exposure, readout) = (run.exposure, run.readout)
  }

  /// The share of a wave that an exposure leaves.
  static func remainder(_ frequency: Double, _ exposure: Double) -> Double {
    let angle = Double.pi * frequency * exposure
    return angle > 1e-9 ? abs(sine(angle) / angle) : 1
  }

  /// How far a frequency is from standing still, in cycles a frame, −0.5…0.5.
  func motion(_ frequency: Double) -> Double {
    let cycles = frequency * spectrum.interval
    return cycles - cycles.rounded()
  }

  /// The probability that bands of a frequency move too little to be told from the scene.
  func standing(_ frequency: Double) -> Double {
    let reach = 2 / Double(spectrum.span)
    let error = max(3 * frequency * spectrum.intervalError, 1e-9)
    let motion = abs(motion(frequency))
    return max(min(motion + error, reach) - max(motion - error, -reach), 0) / (2 * error)
  }

  /// The probability that a lamp is not seen, if lamps' modulations are spread evenly in the
  /// logarithm from 3 % up.
  func hidden(_ candidate: Candidate) -> Double {
    // At a multiple of the nominal period the usual error leaves a little.
    let exposed =
      exposure.map { exposure in
        [1, 1 + candidate.tolerance / 2].map {
          Self.remainder($0 * candidate.frequency, exposure)
        }.max()!
      } ?? 0.1
    let weakest = 0.03
    let share = logarithm(spectrum.limit / max(exposed * weakest, 1e-12)) / -logarithm(weakest)
    // Mains are seldom so exact that nothing moves, and as seldom far off.
    return min(max(share, max(0.6 * standing(candidate.frequency), 1e-4)), 1)
  }

  /// How probable it is that the run drifts, or does not, under a steady light.
  var steadiness: Double { spectrum.isDrifting ? 0.2 : 1 }

  /// How probable what the run shows is by a lamp, beside 1 if any frequency were as good.
  func likelihood(_ candidate: Candidate) -> Double {
    guard let peak = spectrum.peak else {
      return hidden(candidate) * steadiness + (spectrum.isDrifting ? 0.4 : 0)
        * standing(candidate.frequency)
    }
    // Bands that stand still are seen where the mains are off a little, and else are not.
    let density = [0.3, 0.001].reduce(0) { sum, seen in
      let expected = candidate.waves.map { wave in
        let frequency = wave.multiple * candidate.frequency
        let exposed = exposure.map { Self.remainder(frequency, $0) } ?? 1
        let amplitude = wave.amplitude * exposed * (1 - (1 - seen) * standing(frequency))
        // The strongest is seen, and hardly ever one that is expected to be much weaker.
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

  /// Whether the peak is where a frequency, known but for a tolerance, would be.
  func finds(_ frequency: Double, _ tolerance: Double) -> Bool {
    spectrum.peak.map { density($0, frequency, tolerance) > 0 } ?? false
  }

  /// The density of a peak's place, in cycles a frame, if a wave of a frequency makes it.
  private func density(
    _ peak: FlickerSpectrum.Peak, _ frequency: Double, _ tolerance: Double
  ) -> Double {
    let cycles = frequency * spectrum.interval
    // Rows are read within the time that a frame takes, but hardly within 1.5 ms.
    guard peak.perReadout <= 1.02 * cycles + 0.6 else { return 0 }
    guard peak.perReadout < 0.5 || peak.perReadout + 0.2 > 0.0015 * frequency else { return 0 }
    if let readout, abs(peak.perReadout - frequency * readout) > 0.4 + 0.05 * frequency * readout {
      return 0
    }
    let span = Double(spectrum.span)
    // What hardly moves lost much of itself with the scene, and is not found exactly.
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
