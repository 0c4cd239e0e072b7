internal import ColorScience

extension SplitMix64 {
  /// Returns a number distributed uniformly in −1…1.
  package mutating func nextSigned() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

  /// Returns an approximately standard normal number: the sum of four uniform numbers of 16 bits,
  /// which is limited to ±3.5.
  package mutating func nextNormal() -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Float(Int32(truncatingIfNeeded: sum)) - 131_070) * (1 / 37_837.23)
  }
}
