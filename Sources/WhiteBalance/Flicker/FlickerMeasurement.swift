import ColorScience

/// The cause of flicker in the light of a scene, determined from the rows of successive frames.
///
/// ```swift
/// /// Exposures without flicker, or what to try next.
/// func exposures(for runs: [FlickerRun]) -> ([Double], FlickerMeasurement.Trial?) {
///   let measurement = FlickerMeasurement(runs)
///   let steady = measurement.light?.steadyExposures(in: 0.001...0.033, step: 1e-4)
///   return (steady ?? [], measurement.next)
/// }
/// ```
///
/// One run is seldom sufficient: frequencies that differ by a multiple of the frame rate look
/// alike, and bands that stand still look like the scene. So `next` suggests the frame rate and
/// exposure of a further run, and all runs are evaluated together. <doc:MainsFlicker> describes the
/// method and its measured errors.
///
/// Domain: the camera and the scene are still; rows are in the order in which they are read; a run
/// has about two seconds of frames.
///
/// Error: after up to six runs, the verdict is right in at least 99 % of 500 random scenes. Pulses
/// that no run shows count as no flicker there, and pulses that look like mains in every run may be
/// called mains. No other verdict is wrong (`FlickerSceneTests`).
public struct FlickerMeasurement: Sendable {
  /// The cause of the variation.
  public let verdict: FlickerMeasurement.Verdict
  /// The probability that the verdict is right, 0…1; 0 if the cause is not determined.
  public let confidence: Double
  /// A further run that would help to decide; `nil` if the confidence is 0.995 or more.
  public let next: FlickerMeasurement.Trial?
  /// The variation of the light, for choosing exposures. `nil` if its frequency is unknown, or if
  /// no run states its exposure, without which the picture does not show the light's amplitude.
  public let light: LightVariation?

  /// The smallest number of frames in a usable run.
  public static let fewestFrames = 16
  /// The probability from which on a cause is stated.
  static let sufficientProbability = 0.95
  /// The confidence from which on no further run is suggested.
  static let finalConfidence = 0.995

  /// Other lamps with their prior probabilities, relative to 0.25 for each mains frequency: pulses
  /// of 130 Hz up to 20 kHz, half of the weight spread evenly in the logarithm, half at the round
  /// frequencies that are usual for the clocks of dimmers.
  private static let others: [(lamp: FlickerEvidence.Candidate, weight: Double)] = {
    let steps = 4000
    let clocks =
      Array(stride(from: 200.0, to: 2000, by: 10))
      + Array(stride(from: 2000.0, through: 20_000, by: 100))
    let width = logarithm(20_000 / 130) / Double(steps)
    return (0..<steps).map { step in
      let frequency = 130 * exponential((Double(step) + 0.5) * width)
      return (.pulses(frequency, tolerance: width / 2), 0.125 / Double(steps))
    } + clocks.map { (.pulses($0, tolerance: 0.001), 0.125 / Double(clocks.count)) }
  }()

  /// Evaluates runs of frames together, taken under the same light with different settings.
  ///
  /// - Parameters:
  ///   - runs: at least one run.
  ///   - choices: the settings that the camera offers for a further run.
  /// - Complexity: O(frames² × rows + frames × rows²) for each run.
  public init(_ runs: [FlickerRun], choices: FlickerMeasurement.Trial.Choices = .init()) {
    precondition(!runs.isEmpty, "`runs` must not be empty")
    var evidence: [FlickerEvidence] = []
    var obstacle: FlickerMeasurement.Obstacle?
    for run in runs {
      do throws(FlickerMeasurement.Obstacle) {
        let new = try FlickerEvidence(run)
        if new.spectrum.isUnsteady { obstacle = .unsteadyScene } else { evidence.append(new) }
      } catch {
        obstacle = error
      }
    }
    let isSeen = evidence.contains { $0.spectrum.peak != nil }
    let mains = MainsFrequency.allCases.map { mains in
      evidence.reduce(0.25) { $0 * $1.likelihood(.mains(mains)) }
    }
    let others = Self.others.map { other in
      evidence.reduce(other.weight) { product, run in
        // Pulses that average out of all runs are equivalent to no flicker.
        isSeen
          ? product * run.likelihood(other.lamp)
          : product * max(run.standing(other.lamp.frequency), 1e-4)
      }
    }
    // The weight of anything else, at any frequency.
    let unknown = isSeen ? 1e-3 : 1e-6
    let nothing = isSeen ? 0 : evidence.reduce(0.25) { $0 * $1.steadiness }
    let other: Double = others.reduce(unknown, +)
    let total: Double = nothing + mains[0] + mains[1] + other
    let posteriors = [nothing / total, mains[0] / total, mains[1] / total, other / total]
    let best = posteriors.max()!
    if evidence.isEmpty {
      verdict = .undetermined(obstacle ?? .tooFewFrames)
      confidence = 0
    } else if best < Self.sufficientProbability {
      verdict = .undetermined(
        Self.obstacle(evidence, isSeen: isSeen, shares: mains.map { $0 / total }))
      confidence = 0
    } else {
      confidence = best
      verdict =
        switch posteriors.firstIndex(of: best) {
        case 0: .none
        case 1: .mains(.hertz50)
        case 2: .mains(.hertz60)
        default: .other(frequency: Self.frequency(others))
        }
    }
    light =
      switch verdict {
      case .mains(let mains): Self.light(evidence, .mains(mains))
      case .other(let frequency?):
        Self.light(evidence, .pulses(frequency, tolerance: 0.005))
      default: nil
      }
    let frequencies = [0] + MainsFrequency.allCases.map(\.light) + Self.others.map(\.lamp.frequency)
    let weights = ([nothing] + mains + others).map { $0 / total }
    next =
      confidence >= Self.finalConfidence
      ? nil
      : Self.trial(evidence, choices: choices, weights: Array(zip(frequencies, weights)))
  }

  /// The frequency of pulses, in hertz, if nearly all of the probability is near it.
  private static func frequency(_ weights: [Double]) -> Double? {
    let best = weights.indices.max { weights[$0] < weights[$1] }!
    let frequency = others[best].lamp.frequency
    let near = zip(others, weights).reduce(0) {
      $0 + (abs($1.0.lamp.frequency / frequency - 1) < 0.01 ? $1.1 : 0)
    }
    return near > sufficientProbability * weights.reduce(0, +) ? frequency : nil
  }

  /// The sines of a lamp's light, from the run that shows the fundamental best.
  private static func light(
    _ evidence: [FlickerEvidence], _ lamp: FlickerEvidence.Candidate
  ) -> LightVariation? {
    func visibility(_ run: FlickerEvidence) -> Double {
      guard let exposure = run.exposure, run.finds(lamp.frequency, lamp.tolerance) else { return 0 }
      return FlickerEvidence.attenuation(lamp.frequency, exposure)
        * (1 - run.standing(lamp.frequency))
    }
    guard let best = evidence.max(by: { visibility($0) < visibility($1) }), visibility(best) > 0.05,
      let peak = best.spectrum.peak, let exposure = best.exposure
    else { return nil }
    let interval = best.spectrum.interval
    func nearest(_ place: Double) -> Double {
      place + (lamp.frequency * interval - place).rounded()
    }
    let places = [nearest(peak.perFrame)] + (peak.isMirrored ? [nearest(-peak.perFrame)] : [])
    func miss(_ place: Double) -> Double { abs(place / interval - lamp.frequency) }
    let frequency = places.min { miss($0) < miss($1) }! / interval
    let first = peak.amplitude / FlickerEvidence.attenuation(frequency, exposure)
    // The harmonics are not measured, but assumed to be those of a rectified sine.
    var components = (1...4).map { order in
      let share = 3 / Double(4 * order * order - 1)
      return LightVariation.Component(
        frequency: Double(order) * frequency, amplitude: first * share)
    }
    guard lamp.waves[0].multiple < 1 else { return LightVariation(components) }
    // A component at half the frequency doubles the period.
    let halves: [Double] = evidence.compactMap { run in
      guard let exposure = run.exposure, run.standing(frequency / 2) < 0.5 else { return nil }
      // A run without a peak is taken to have the readout of the best run. If the frame rate has
      // changed the readout, some amplitude may be lost.
      let amplitude = run.spectrum.amplitude(
        perFrame: frequency / 2 * run.spectrum.interval,
        perReadout: run.spectrum.peak.map { $0.perReadout / 2 } ?? peak.perReadout / 2)
      return amplitude / max(FlickerEvidence.attenuation(frequency / 2, exposure), 0.05)
    }
    if halves.isEmpty || halves.max()! > 0.002 {
      components.append(
        LightVariation.Component(frequency: frequency / 2, amplitude: halves.max() ?? 0))
    }
    return LightVariation(components)
  }

  private static func obstacle(
    _ evidence: [FlickerEvidence], isSeen: Bool, shares: [Double]
  ) -> FlickerMeasurement.Obstacle {
    if isSeen { return .frequenciesLookAlike }
    let open = zip(MainsFrequency.allCases, shares).filter { $0.1 > 0.01 }.map(\.0)
    if evidence.contains(where: { $0.exposure == nil }) { return .exposureUnknown }
    let hidden = open.filter { mains in
      evidence.contains { FlickerEvidence.attenuation(mains.light, $0.exposure ?? 0) < 0.1 }
    }
    if !hidden.isEmpty { return .exposureHides(hidden) }
    let still = open.filter { mains in evidence.contains { $0.standing(mains.light) > 0.5 } }
    return still.isEmpty ? .noise : .bandsStandStill(still)
  }

  /// The frame rate at which the remaining candidates are easiest to distinguish, and an exposure
  /// if the last one would hide the flicker.
  private static func trial(
    _ evidence: [FlickerEvidence], choices: FlickerMeasurement.Trial.Choices,
    weights: [(frequency: Double, weight: Double)]
  ) -> FlickerMeasurement.Trial {
    let open = weights.filter { $0.weight > 1e-6 }
    let leading = open.sorted { $0.weight > $1.weight }.prefix(4)
    func confusion(_ rate: Double) -> Double {
      func place(_ frequency: Double) -> Double {
        let cycles = frequency / rate
        return cycles - cycles.rounded()
      }
      var sum = 0.0
      for one in leading {
        for other in open where other.frequency != one.frequency {
          let room = 0.004 * max(one.frequency, other.frequency) / rate + 0.02
          let distance = place(one.frequency) - place(other.frequency)
          let mirrored = place(one.frequency) + place(other.frequency)
          if abs(distance - distance.rounded()) < room {
            sum += one.weight * other.weight
          } else if abs(mirrored - mirrored.rounded()) < room {
            sum += one.weight * other.weight / 2
          }
        }
        // A candidate whose bands stand still would not be detected.
        if one.frequency > 0, abs(place(one.frequency)) < 0.03 { sum += 0.05 * one.weight }
      }
      return sum
    }
    func remaining(_ exposure: Double) -> Double {
      MainsFrequency.allCases.map { FlickerEvidence.attenuation($0.light, exposure) }.min()!
    }
    func shows(_ run: FlickerEvidence) -> Bool { run.exposure.map { remaining($0) > 0.2 } ?? false }
    let used = evidence.filter(shows).map { 1 / $0.spectrum.interval }
    let unused = choices.frameRates.filter { rate in
      !used.contains { abs($0 / rate - 1) < 0.005 }
    }
    let rate = (unused.isEmpty ? choices.frameRates : unused).map { ($0, confusion($0)) }
      .min { $0.1 < $1.1 }!.0
    if let last = evidence.last, shows(last) { return FlickerMeasurement.Trial(frameRate: rate) }
    // The longest exposure that leaves half of the flicker: shorter ones collect less light.
    let range = choices.exposures
    let exposures = (0...200).map {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double($0) / 200
    }
    let exposure =
      exposures.last { remaining($0) >= 0.5 && $0 <= 1 / rate }
      ?? exposures.max { remaining($0) < remaining($1) }!
    return FlickerMeasurement.Trial(frameRate: rate, exposure: exposure)
  }
}
