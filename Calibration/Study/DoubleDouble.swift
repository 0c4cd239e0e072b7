/// An unevaluated sum of two doubles: 106 bits of precision, the same on every machine.
///
/// Source: T. J. Dekker, Numer. Math. 18 (1971) 224; D. E. Knuth, TAOCP 2, §4.2.2.
struct DoubleDouble {
  var high, low: Double

  init(_ high: Double, _ low: Double = 0) {
    self.high = high
    self.low = low
  }

  /// The exact sum of two doubles.
  private static func sum(_ a: Double, _ b: Double) -> DoubleDouble {
    let s = a + b
    let t = s - a
    return DoubleDouble(s, (a - (s - t)) + (b - t))
  }

  /// The exact sum of two doubles of which the first is the larger.
  private static func quickSum(_ a: Double, _ b: Double) -> DoubleDouble {
    let s = a + b
    return DoubleDouble(s, b - (s - a))
  }

  /// The exact product of two doubles, by Veltkamp's splitting.
  private static func product(_ a: Double, _ b: Double) -> DoubleDouble {
    func split(_ x: Double) -> (Double, Double) {
      let c = 134_217_729 * x
      let high = c - (c - x)
      return (high, x - high)
    }
    let p = a * b
    let (ah, al) = split(a)
    let (bh, bl) = split(b)
    return DoubleDouble(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
  }

  static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let s = sum(a.high, b.high)
    let t = sum(a.low, b.low)
    let r = quickSum(s.high, s.low + t.high)
    return quickSum(r.high, r.low + t.low)
  }

  static prefix func - (a: DoubleDouble) -> DoubleDouble { DoubleDouble(-a.high, -a.low) }
  static func - (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble { a + -b }

  static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let p = product(a.high, b.high)
    return quickSum(p.high, p.low + (a.high * b.low + a.low * b.high))
  }

  static func / (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let q1 = a.high / b.high
    let r = a - b * DoubleDouble(q1)
    let q2 = r.high / b.high
    let r2 = r - b * DoubleDouble(q2)
    return quickSum(q1, q2) + DoubleDouble(r2.high / b.high)
  }

  static func += (a: inout DoubleDouble, b: DoubleDouble) { a = a + b }

  /// eˣ, for x of 0…700; of a negative x the digits would cancel.
  static func exp(_ x: DoubleDouble) -> DoubleDouble {
    // e^(x/2¹⁰) by its series, squared ten times as (1 + y)² = 1 + (2y + y²) to keep the digits of
    // y.
    let r = x * DoubleDouble(0x1p-10)
    var term = r
    var y = r
    for n in 2...18 {
      term = term * r / DoubleDouble(Double(n))
      y += term
    }
    for _ in 0..<10 { y = y + y + y * y }
    return y + DoubleDouble(1)
  }

  var squareRoot: DoubleDouble {
    let s = DoubleDouble(high.squareRoot())
    return (s + self / s) * DoubleDouble(0.5)
  }

  var double: Double { high + low }
}
