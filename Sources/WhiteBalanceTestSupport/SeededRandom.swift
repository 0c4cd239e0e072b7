internal import ColorScience

/// Random numbers that are determined by a seed and are the same on every machine. Not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var bits: SplitMix64

  /// Creates the sequence of a seed; those of neighboring seeds are unrelated.
  public init(seed: UInt64) { bits = SplitMix64(state: seed) }

  /// Returns the next number.
  public mutating func next() -> UInt64 { bits.next() }

  /// Returns a number between 0 and 1, both excluded.
  public mutating func uniform() -> Double { bits.uniform() }

  /// Returns a number of the normal distribution with mean 0 and standard deviation 1.
  public mutating func normal() -> Double { bits.normal() }
}
