/// The set of parameters that a model leaves free. A family is only a prior: the same fit serves
/// all families, and their evidence determines how probable each is.
package struct ModelFamily: Hashable, Sendable {
  /// The shape of the controls' laws.
  package var law: Law
  /// The channel mixing after the gains.
  package var mixing: Mixing
  /// Further properties of the camera.
  package var traits: Set<Trait> = []

  /// The shape of laws: gain = (1 + λ s (W(u) − W(u₀)))^(1/λ) for the position u in the range, with
  /// a monotone W.
  package enum Law: Hashable, Sendable, CaseIterable {
    /// λ = 1.
    case line
    /// λ = 0: each step is the same number of decibels.
    case exponential
    /// λ = −1.
    case reciprocal
    /// Any λ, and a W that is nearly a line.
    case power
    /// Any λ and W.
    case curve

    /// The mean of the exponent λ, its standard deviation, and the scale of W's coefficients.
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

  /// The channel mixing after the gains.
  package enum Mixing: Hashable, Sendable, CaseIterable {
    /// No mixing.
    case none
    /// Saturation of the codes alone.
    case saturation
    /// A matrix of linear values, and saturation.
    case matrix
  }

  /// A property that few cameras have; each adds one or two parameters.
  package enum Trait: Hashable, Sendable, CaseIterable {
    /// Blue's gain follows red's, by a fraction of its logarithm.
    case crosstalk
    /// Light is proportional to a power of the stated exposure.
    case exposurePower
    /// Controls have no further effect near the ends of their ranges.
    case deadEnds
    /// Each value's gain deviates slightly from the law, by the same amount each time.
    case stairs
    /// Dark and bright codes are less saturated.
    case lumaSaturation
    /// Colors are rotated around gray by an angle.
    case hue

    /// The prior odds that a camera has the trait.
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

  /// The prior odds of the family.
  var odds: Double {
    Trait.allCases.reduce(law.odds) { traits.contains($1) ? $0 * $1.odds : $0 }
  }
}
