/// Which of its parameters a model leaves free. A family is nothing but a prior: the same fit
/// serves all, and their evidence says how probable each is.
package struct ModelFamily: Hashable, Sendable {
  /// The shape of the controls' laws.
  package var law: Law
  /// How channels are mixed behind the gains.
  package var mixing: Mixing
  /// What else the camera does.
  package var traits: Set<Trait> = []

  /// The shape of laws: gain = (1 + λ s (W(u) − W(u₀)))^(1/λ) of the place u in the range, with a
  /// monotone W.
  package enum Law: Hashable, Sendable, CaseIterable {
    /// λ = 1.
    case line
    /// λ = 0: each step is as many decibels.
    case exponential
    /// λ = −1.
    case reciprocal
    /// Any λ, and a W that is nearly a line.
    case power
    /// Any λ and W.
    case curve

    /// The exponent λ, its deviation, and that of W.
    var prior: (exponent: Double, deviation: Double, warp: Double) {
      switch self {
      case .line: (1, 0, 0)
      case .exponential: (0, 0, 0)
      case .reciprocal: (-1, 0, 0)
      case .power: (0.4, 0.8, 0.06)
      case .curve: (0.6, 0.7, 0.35)
      }
    }

    var odds: Double {
      switch self {
      case .line: 0.4
      case .exponential: 0.2
      case .reciprocal: 0.15
      case .power: 0.1
      case .curve: 0.15
      }
    }
  }

  /// How channels are mixed behind the gains.
  package enum Mixing: Hashable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// By saturation of the codes alone.
    case saturation
    /// By a matrix of light, and by saturation.
    case matrix
  }

  /// What few cameras do, each with a parameter or two of its own.
  package enum Trait: Hashable, Sendable, CaseIterable {
    /// Blue follows red, by a share of red's logarithm.
    case crosstalk
    /// Light is a power of what is taken for the exposure.
    case exposurePower
    /// Controls rest before the ends of their ranges.
    case deadEnds
    /// Each value has a gain a little beside the law, the same each time.
    case stairs
    /// Dark and bright codes are less saturated.
    case lumaSaturation
    /// Colors are turned around gray by an angle.
    case hue

    /// The odds that a camera has it.
    var odds: Double {
      switch self {
      case .crosstalk: 0.05
      case .exposurePower: 0.05
      case .deadEnds: 0.05
      case .stairs: 0.02
      case .lumaSaturation: 0.05
      case .hue: 0.1
      }
    }
  }

  /// How probable the family is before any look.
  var odds: Double {
    Trait.allCases.reduce(law.odds) { traits.contains($1) ? $0 * $1.odds : $0 }
  }
}
