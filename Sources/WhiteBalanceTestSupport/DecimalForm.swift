/// The decimal representation of a number.
struct DecimalForm {
  /// The number of significant digits.
  let digits: Int
  /// The power of ten of the last significant digit.
  let lastPosition: Int

  /// The number of all written digits, including zeros.
  var length: Int { max(1, digits + lastPosition) + max(0, -lastPosition) }

  /// Creates the shortest form that reads back as the same number, which must be finite.
  init(_ value: Double) {
    let parts = value.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var written = Array((mantissa[0] + fraction).utf8)
    var position = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
    while written.count > 1, written.last == UInt8(ascii: "0") {
      written.removeLast()
      position += 1
    }
    digits = max(1, written.drop { $0 == UInt8(ascii: "0") }.count)
    lastPosition = position
  }

  /// Returns a value rounded by a rule so that it has no digits after a position.
  static func rounded(
    _ value: Double, toPosition position: Int, _ rule: FloatingPointRoundingRule
  ) -> Double {
    let unit = (0..<abs(position)).reduce(1.0) { power, _ in power * 10 }
    return position >= 0
      ? (value / unit).rounded(rule) * unit : (value * unit).rounded(rule) / unit
  }
}

extension Shrinkable<Double> {
  /// Returns a number that shrinks. Simpler numbers have fewer significant digits; among those,
  /// fewer written digits; then they are nearer to `simplest`; then they are positive.
  static func number(
    _ value: Double, in range: ClosedRange<Double>, simplest: Double
  ) -> Shrinkable {
    Shrinkable(value) {
      guard value != simplest else { return [] }
      guard value.isFinite else {
        return [simplest, range.lowerBound, range.upperBound].filter(\.isFinite).map {
          number($0, in: range, simplest: simplest)
        }
      }
      let form = DecimalForm(value)
      var candidates = [simplest]
      for kept in 1..<max(2, form.digits) {
        let position = form.lastPosition + form.digits - kept
        for rule in [FloatingPointRoundingRule.towardZero, .awayFromZero] {
          candidates.append(DecimalForm.rounded(value, toPosition: position, rule))
        }
      }
      // Nearer to the simplest number by a half, a quarter, and so on, with as many digits or one
      // more.
      var step = (simplest - value) / 2
      while value + step != value {
        for position in [form.lastPosition, form.lastPosition - 1] {
          candidates.append(
            DecimalForm.rounded(value + step, toPosition: position, .toNearestOrEven))
        }
        step /= 2
      }
      candidates.append(-value)
      func complexity(_ number: Double) -> (Int, Int, Double, Int) {
        let form = DecimalForm(number)
        return (form.digits, form.length, abs(number - simplest), number < 0 ? 1 : 0)
      }
      let complexityOfValue = complexity(value)
      return candidates.filter {
        range.contains($0) && ($0 == simplest || complexity($0) < complexityOfValue)
      }.map { number($0, in: range, simplest: simplest) }
    }
  }
}

extension Generator<Double> {
  /// Generates numbers that are uniformly distributed over a range. A number is simpler if it has
  /// fewer decimal digits or, with as many, is nearer to `simplest`, which is in the range. Both
  /// ends and `simplest` are edge cases.
  public static func number(
    in range: ClosedRange<Double>, simplest: Double, edgeCases: [Double] = []
  ) -> Generator {
    precondition(range.contains(simplest), "`simplest` must be in the range")
    func shrinkable(_ value: Double) -> Shrinkable<Double> {
      .number(value, in: range, simplest: simplest)
    }
    let edges = [simplest, range.lowerBound, range.upperBound] + edgeCases.filter(range.contains)
    return Generator(edgeCases: edges.map(shrinkable)) {
      .number(.random(in: range, using: &$0), in: range, simplest: simplest)
    }
  }
}

extension Generator<Int> {
  /// Generates integers that are uniformly distributed over a range. An integer is simpler if it is
  /// nearer to `simplest`. Both ends and `simplest` are edge cases.
  public static func integer(in range: ClosedRange<Int>, simplest: Int) -> Generator {
    precondition(range.contains(simplest), "`simplest` must be in the range")
    @Sendable func shrinkable(_ value: Int) -> Shrinkable<Int> {
      Shrinkable(value) {
        var step = value - simplest
        var candidates: [Int] = []
        while step != 0 {
          candidates.append(value - step)
          step /= 2
        }
        return candidates.map(shrinkable)
      }
    }
    return Generator(edgeCases: [simplest, range.lowerBound, range.upperBound].map(shrinkable)) {
      shrinkable(.random(in: range, using: &$0))
    }
  }
}
