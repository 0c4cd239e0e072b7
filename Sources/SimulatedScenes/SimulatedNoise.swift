internal import ColorScience

extension SplitMix64 {
  /// Uniform in −1…1.
  package mutating func nextSigned() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

  /// Nearly standard normal: the sum of four uniform numbers of 16 bits, which ends at ±3.5.
  mutating func nextNormal() -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Float(Int32(truncatingIfNeeded: sum)) - 131_070) * (1 / 37_837.23)
  }
}
