/// A generator of pseudorandom numbers: fast, and with the same numbers for a seed on every
/// machine. Not for secrets.
///
/// Source: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*,
/// 2014, in S. Vigna's form.
@usableFromInline package struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline package var state: UInt64

  @inlinable package init(state: UInt64) { self.state = state }

  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension RandomNumberGenerator {
  /// Returns a number distributed uniformly between 0 and 1, both excluded.
  package mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// Returns a number of the normal distribution with mean 0 and standard deviation 1 (G. E. P. Box
  /// and M. E. Muller, 1958).
  package mutating func normal() -> Double {
    (-2 * logarithm(uniform())).squareRoot() * cosine(2 * Double.pi * uniform())
  }
}
