import ColorScience

/// Random numbers that a seed determines: the same on every machine.
///
/// Source: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*,
/// 2014, in S. Vigna's form (SplitMix64). Not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of a seed; those of neighboring seeds have nothing in common.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number between 0 and 1, neither of them.
  public mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// A number of the normal distribution with mean 0 and standard deviation 1 (G. E. P. Box and
  /// M. E. Muller, 1958).
  public mutating func normal() -> Double {
    (-2 * logarithm(uniform())).squareRoot() * cosine(2 * Double.pi * uniform())
  }
}
