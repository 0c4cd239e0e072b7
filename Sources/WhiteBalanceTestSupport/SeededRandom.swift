internal import ColorScience

/// Random numbers that a seed determines: the same on every machine. Not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var bits: SplitMix64

  /// The numbers of a seed; those of neighboring seeds are unrelated.
  public init(seed: UInt64) { bits = SplitMix64(state: seed) }

  /// The next number.
  public mutating func next() -> UInt64 { bits.next() }

  /// A number between 0 and 1, both excluded.
  public mutating func uniform() -> Double { bits.uniform() }

  /// A number of the normal distribution with mean 0 and standard deviation 1.
  public mutating func normal() -> Double { bits.normal() }
}
