/// A number as TIFF files store it: a fraction of 32-bit integers.
struct Fraction: Hashable {
  var numerator: Int32
  var denominator: Int32

  var value: Double { Double(numerator) / Double(denominator) }

  init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the decimal fraction with the fewest digits that equals a value, or else the first
  /// continued fraction that equals it, or else the nearest decimal fraction; `nil` from 2³¹ − 1
  /// on.
  ///
  /// The first two equal the value to the last bit. The third has an error of at most 5e-10 for
  /// |value| < 2, and in proportion above. The value of a fraction yields the same fraction again.
  init?(_ value: Double) {
    guard abs(value) < 0x7FFF_FFFF else { return nil }
    let decimals = Self.decimals(value)
    if let exact = decimals.first(where: { $0.value == value }) ?? Self.continued(value) {
      self = exact
      return
    }
    guard var nearest = decimals.last else { return nil }
    while nearest.numerator % 10 == 0, nearest.denominator > 1 {
      nearest = Fraction(nearest.numerator / 10, nearest.denominator / 10)
    }
    self = nearest
  }

  /// Returns the nearest fractions with denominators of 1, 10, 100 … that fit.
  private static func decimals(_ value: Double) -> [Fraction] {
    var fractions: [Fraction] = []
    var denominator: Int32 = 1
    while true {
      let numerator = (value * Double(denominator)).rounded()
      guard abs(numerator) <= 0x7FFF_FFFF else { return fractions }
      fractions.append(Fraction(Int32(numerator), denominator))
      guard denominator < 1_000_000_000 else { return fractions }
      denominator *= 10
    }
  }

  /// Returns the first convergent of the value's continued fraction whose quotient equals the
  /// value.
  private static func continued(_ value: Double) -> Fraction? {
    guard value.isNormal, value.exponent >= -11 else { return nil }
    // The value is an integer divided by a power of two. Euclid's algorithm on the two yields the
    // partial quotients.
    var (a, b) = (UInt64(value.significand * 0x1p52), UInt64(1) << UInt64(52 - value.exponent))
    var (n0, n1, d0, d1): (UInt64, UInt64, UInt64, UInt64) = (0, 1, 1, 0)
    while b != 0 {
      let quotient = a / b
      let (n, overflow) = n1.multipliedReportingOverflow(by: quotient)
      let (d, other) = d1.multipliedReportingOverflow(by: quotient)
      guard !overflow, !other, n <= 0x7FFF_FFFF, d <= 0x7FFF_FFFF else { return nil }
      (n0, n1, d0, d1) = (n1, n + n0, d1, d + d0)
      guard n1 <= 0x7FFF_FFFF, d1 <= 0x7FFF_FFFF else { return nil }
      let fraction = Fraction(Int32(n1) * (value < 0 ? -1 : 1), Int32(d1))
      if fraction.value == value { return fraction }
      (a, b) = (b, a % b)
    }
    return nil
  }
}
