internal import ColorScience

/// A fault that may have occurred while a camera was observed. Faults are compared by how probable
/// each makes the observations.
package enum FaultHypothesis: Hashable, Sendable {
  /// No fault.
  case none
  /// The lamp drifts from observation to observation.
  case drift
  /// The effective value lags behind the setting, from whichever side it is approached.
  case hysteresis
  /// Each value's gain deviates slightly from the law, by the same amount each time.
  case stairs
  /// From one observation on, the automatic mode sets the white balance, whatever is written.
  case returns(fromLook: Int)
  /// From one observation on, the light on the card is different.
  case sceneChange(fromLook: Int)
  /// None of these explains the observations.
  case unknown
}

/// The probability of each fault.
package struct FaultDiagnosis: Sendable {
  /// The probabilities, whose sum is 1.
  package let probabilities: [FaultHypothesis: Double]
  /// The error of the best explanation that noise does not account for, in codes.
  package let floor: Double

  /// The most probable fault, and its probability.
  package var mostProbable: (fault: FaultHypothesis, probability: Double) {
    let best = probabilities.max { $0.value < $1.value }
    return (best?.key ?? .none, best?.value ?? 0)
  }
}

extension ModelFit {
  /// Determines the probability of each fault from the observations.
  ///
  /// All faults are compared with the same error floor, the one that the best of them needs.
  /// `unknown` stands for none of them, with the floor that the plain fit needs.
  package func diagnose() -> FaultDiagnosis {
    var trial = self
    trial.looks.floor = LookTable.leastFloor
    var found = trial.explanations()
    for _ in 0..<2 {
      guard let best = found.max(by: { $0.score < $1.score })?.fit,
        best.misfit >= 1.6, trial.looks.floor < floor
      else { break }
      trial.looks.floor = min(
        trial.looks.floor * best.misfit.squareRoot(), max(floor, LookTable.leastFloor))
      found = trial.explanations()
    }
    let shared = trial.looks.floor
    // If contradictions remain, stairs are no explanation. An active automatic mode may still be
    // one, because its balance wanders by itself.
    if shared > Self.doubtfulFloor { found.removeAll { $0.fault == .stairs } }
    if floor > 1.5 * shared {
      trial.looks.floor = floor
      let fit = trial.bestExplanation(nil, [.curve, .line])
      found.append((.unknown, logarithm(0.03) + fit.evidence, fit))
    }
    let most = found.map(\.score).max() ?? 0
    let shares = found.map { ($0.fault, exponential($0.score - most)) }
    let total = shares.reduce(0.0) { $0 + $1.1 }
    return FaultDiagnosis(
      probabilities: Dictionary(
        shares.map { ($0, $1 / total) }, uniquingKeysWith: { max($0, $1) }),
      floor: shared)
  }

  private typealias Explanation = (fault: FaultHypothesis, score: Double, fit: FamilyFit)

  private func explanations() -> [Explanation] {
    let laws: [ModelFamily.Law] =
      controls.areSeparate ? [.line, .exponential, .reciprocal, .curve] : [.curve]
    var found: [Explanation] = []
    func add(_ fault: FaultHypothesis, _ odds: Double, _ fit: FamilyFit) {
      found.append((fault, logarithm(odds) + fit.evidence, fit))
    }
    add(.none, 0.8, bestExplanation(nil, laws))
    add(.drift, 0.03, bestExplanation(.drift, laws))
    if !controls.isMenu {
      add(.hysteresis, 0.03, bestExplanation(.hysteresis, laws))
      add(.stairs, 0.03, bestExplanation(nil, laws, more: [.stairs]))
    }
    let each = 0.03 / Double(max(looks.count, 1))
    if let look = likeliestLook({ .returned(at: $0) }) {
      add(.returns(fromLook: look), each, bestExplanation(.returned(at: look), laws))
    }
    if let look = likeliestLook({ .change(at: $0) }) {
      add(.sceneChange(fromLook: look), each, bestExplanation(.change(at: look), laws))
    }
    return found
  }

  private func bestExplanation(
    _ cause: LookCause?, _ laws: [ModelFamily.Law], more: Set<ModelFamily.Trait> = [],
    effort: FamilyFit.Effort = .careful
  ) -> FamilyFit {
    let fits = laws.map {
      fitted(
        ModelFamily(law: $0, mixing: .matrix, traits: traits.union(more)), cause: cause,
        effort: effort)
    }
    return fits.max { $0.evidence < $1.evidence } ?? fits[0]
  }

  /// The observation from which a cause is most probable, found with the freest law, for which few
  /// steps suffice.
  private func likeliestLook(_ cause: (Int) -> LookCause) -> Int? {
    let scores = (3..<max(looks.count, 3)).map {
      ($0, bestExplanation(cause($0), [.curve], effort: .brief).evidence)
    }
    return scores.max { $0.1 < $1.1 }?.0
  }
}
