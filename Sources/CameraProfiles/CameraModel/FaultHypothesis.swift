internal import ColorScience

/// What may have gone wrong while a camera was looked at, told apart by how probable each makes the
/// looks that exist.
package enum FaultHypothesis: Hashable, Sendable {
  /// Nothing.
  case none
  /// The lamp changes from look to look.
  case drift
  /// What acts stays behind what is set, from whichever side it comes.
  case hysteresis
  /// Each value has a gain a little beside the law, the same each time.
  case stairs
  /// From a look on the automatic sets the balance, whatever is set.
  case returns(fromLook: Int)
  /// Gains start from where the automatic left them.
  case relative
  /// From a look on the light is another.
  case sceneChange(fromLook: Int)
  /// None of these explains it.
  case unknown
}

/// How probable each fault is.
package struct FaultDiagnosis: Sendable {
  /// The probabilities, whose sum is 1.
  package let probabilities: [FaultHypothesis: Double]
  /// How far codes are beside the best explanation, in codes, whatever the noise.
  package let floor: Double

  /// The most probable one, and how probable it is.
  package var mostProbable: (fault: FaultHypothesis, probability: Double) {
    let best = probabilities.max { $0.value < $1.value }
    return (best?.key ?? .none, best?.value ?? 0)
  }
}

extension ModelFit {
  /// What went wrong, by the looks that exist.
  ///
  /// All faults are compared with the same floor, the one that the best of them needs; `unknown` is
  /// none of them, with the floor that this needs.
  ///
  /// - Parameter toggled: the first look after the automatic was on and off again, if it was.
  package func diagnose(automaticWasOnBefore toggled: Int? = nil) -> FaultDiagnosis {
    var trial = self
    trial.looks.floor = LookTable.leastFloor
    var found = trial.explanations(toggled)
    for _ in 0..<2 {
      guard let best = found.max(by: { $0.score < $1.score })?.fit,
        best.misfit >= 1.6, trial.looks.floor < floor
      else { break }
      trial.looks.floor = min(
        trial.looks.floor * best.misfit.squareRoot(), max(floor, LookTable.leastFloor))
      found = trial.explanations(toggled)
    }
    let shared = trial.looks.floor
    // What leaves contradictions is no explanation; an automatic that acts wanders itself.
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

  private func explanations(_ toggled: Int?) -> [Explanation] {
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
    if let toggled {
      add(.relative, 0.03, bestExplanation(.change(at: toggled), laws))
    }
    return found
  }

  private func bestExplanation(
    _ cause: LookCause?, _ laws: [ModelFamily.Law], more: Set<ModelFamily.Trait> = [],
    rounds: Int = 25
  ) -> FamilyFit {
    let fits = laws.map {
      fitted(
        ModelFamily(law: $0, mixing: .matrix, traits: traits.union(more)), cause: cause,
        rounds: rounds)
    }
    return fits.max { $0.evidence < $1.evidence } ?? fits[0]
  }

  /// The look from which on a cause is most probable, by the freest law, for which few steps do.
  private func likeliestLook(_ cause: (Int) -> LookCause) -> Int? {
    let scores = (3..<max(looks.count, 3)).map {
      ($0, bestExplanation(cause($0), [.curve], rounds: 6).evidence)
    }
    return scores.max { $0.1 < $1.1 }?.0
  }
}
