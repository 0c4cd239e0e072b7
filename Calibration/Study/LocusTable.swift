import Foundation

/// The Planckian locus in pieces of 4 mired: the figures of `PlanckianLocusTable`, rounded once
/// from twice the precision of `Double`.
struct LocusTable {
  static let pieces = 500
  static let degree = 7
  static let width = 4.0

  /// For each piece the coefficients of u and v by rising power of t, −1…1 over the piece.
  var coefficients: [Double] = []
  /// For each end of a piece u, v, the unit tangent and the speed in uv per mired.
  var nodes: [Double] = []

  /// The contribution of one wavelength to X, Y and Z: weights times λ⁻⁴, and c₂/λ per mired.
  private struct Wavelength {
    var weights: [DoubleDouble]
    var slope: DoubleDouble
    /// exp(c₂/λT) at the start of the piece, and its factor from one piece to the next.
    var exponential = DoubleDouble(1)
    var step: DoubleDouble
    /// Its factors from the start of the piece to the points of interpolation.
    var offsets: [DoubleDouble]
  }

  /// - Parameter table: rows of wavelength, x̄, ȳ and z̄ as CIE publishes them.
  init(observer table: String) {
    let points = Self.chebyshevPoints()
    let half = DoubleDouble(Self.width / 2)
    var spectrum = table.split(whereSeparator: \.isNewline).map { row -> Wavelength in
      let cells = row.split(separator: ",")
      let wavelength = DoubleDouble(Double(cells[0]) ?? .nan)
      let ratio = DoubleDouble(560) / wavelength
      let power = ratio * ratio * ratio * ratio
      let slope = DoubleDouble(14_388) / (wavelength * DoubleDouble(1000))
      return Wavelength(
        weights: cells.dropFirst().map { Self.decimal($0) * power }, slope: slope,
        step: DoubleDouble.exp(slope * DoubleDouble(Self.width)),
        offsets: points.map { DoubleDouble.exp(slope * half * ($0 + DoubleDouble(1))) })
    }
    for piece in 0...Self.pieces {
      let start = DoubleDouble(Self.width * Double(piece))
      nodes += Self.node(spectrum, at: start)
      if piece == Self.pieces { break }
      let values = points.enumerated().map { index, point in
        Self.chromaticity(
          spectrum, at: start + half * (point + DoubleDouble(1)),
          exponential: { $0.exponential * $0.offsets[index] })
      }
      let u = Self.coefficients(of: values.map(\.u), at: points)
      let v = Self.coefficients(of: values.map(\.v), at: points)
      for power in 0...Self.degree { coefficients += [u[power].double, v[power].double] }
      for index in spectrum.indices {
        spectrum[index].exponential = spectrum[index].exponential * spectrum[index].step
      }
    }
  }

  /// A decimal of at most 15 places, exactly, in units of 10⁻¹⁵: only ratios matter.
  private static func decimal(_ text: Substring) -> DoubleDouble {
    let parts = text.split(separator: ".")
    let places = parts.count > 1 ? String(parts[1]) : ""
    let digits = parts[0] + places + String(repeating: "0", count: 15 - places.count)
    return DoubleDouble(Double(digits) ?? .nan)
  }

  /// X, Y, Z to the numerators of u and v and their denominator.
  private static func ucs(_ xyz: [DoubleDouble]) -> (DoubleDouble, DoubleDouble, DoubleDouble) {
    (
      DoubleDouble(4) * xyz[0], DoubleDouble(6) * xyz[1],
      xyz[0] + DoubleDouble(15) * xyz[1] + DoubleDouble(3) * xyz[2]
    )
  }

  private static func chromaticity(
    _ spectrum: [Wavelength], at mired: DoubleDouble, exponential: (Wavelength) -> DoubleDouble
  ) -> (u: DoubleDouble, v: DoubleDouble) {
    var xyz = [DoubleDouble](repeating: DoubleDouble(0), count: 3)
    for wavelength in spectrum {
      let f = wavelength.slope * mired / (exponential(wavelength) - DoubleDouble(1))
      for index in 0..<3 { xyz[index] += wavelength.weights[index] * f }
    }
    let (u, v, d) = ucs(xyz)
    return (u / d, v / d)
  }

  private static func node(_ spectrum: [Wavelength], at mired: DoubleDouble) -> [Double] {
    var value = [DoubleDouble](repeating: DoubleDouble(0), count: 3)
    var slope = value
    for wavelength in spectrum {
      // f(x) = x/(eˣ − 1) and f′(x) = (1 − f·eˣ)/(eˣ − 1); at infinite temperature 1 and −1/2.
      var f = DoubleDouble(1)
      var derivative = DoubleDouble(-0.5)
      if mired.high > 0 {
        let e = wavelength.exponential - DoubleDouble(1)
        f = wavelength.slope * mired / e
        derivative = (DoubleDouble(1) - f * wavelength.exponential) / e
      }
      for index in 0..<3 {
        value[index] += wavelength.weights[index] * f
        slope[index] += wavelength.weights[index] * derivative * wavelength.slope
      }
    }
    let (nu, nv, d) = ucs(value)
    let (su, sv, sd) = ucs(slope)
    let (u, v) = (nu / d, nv / d)
    let (du, dv) = ((su - u * sd) / d, (sv - v * sd) / d)
    let speed = (du * du + dv * dv).squareRoot
    return [u, v, du / speed, dv / speed, speed].map(\.double)
  }

  /// Chebyshev polynomials of degree 0…8 at a point.
  private static func chebyshev(_ t: DoubleDouble) -> [DoubleDouble] {
    var values = [DoubleDouble(1), t]
    for n in 2...degree + 1 { values.append(DoubleDouble(2) * t * values[n - 1] - values[n - 2]) }
    return values
  }

  /// The zeros of the Chebyshev polynomial of degree 8, by Newton's method from their cosines.
  private static func chebyshevPoints() -> [DoubleDouble] {
    let n = degree + 1
    return (0..<n).map { index in
      if 2 * index + 1 == n { return DoubleDouble(0) }
      var t = DoubleDouble(cos(Double.pi * (2 * Double(index) + 1) / Double(2 * n)))
      for _ in 0..<3 {
        let values = chebyshev(t)
        let slope =
          DoubleDouble(Double(n)) * (values[n - 1] - t * values[n]) / (DoubleDouble(1) - t * t)
        t = t - values[n] / slope
      }
      return t
    }
  }

  /// The interpolating polynomial's coefficients by rising power.
  private static func coefficients(
    of values: [DoubleDouble], at points: [DoubleDouble]
  ) -> [DoubleDouble] {
    let n = degree + 1
    var powers: [[Double]] = [[1], [0, 1]]
    for j in 2..<n {
      var next = [0] + powers[j - 1].map { 2 * $0 }
      for (power, value) in powers[j - 2].enumerated() { next[power] -= value }
      powers.append(next)
    }
    let bases = points.map(chebyshev)
    var result = [DoubleDouble](repeating: DoubleDouble(0), count: n)
    for j in 0..<n {
      var sum = DoubleDouble(0)
      for k in 0..<n { sum += values[k] * bases[k][j] }
      sum = sum * DoubleDouble(j == 0 ? 1 : 2) / DoubleDouble(Double(n))
      for (power, value) in powers[j].enumerated() { result[power] += sum * DoubleDouble(value) }
    }
    return result
  }
}

/// Writes the source file that holds the table.
func printLocusTable() throws {
  let path = "Calibration/Reference/CIE_xyz_1931_2deg.csv"
  let table = LocusTable(observer: try String(contentsOfFile: path, encoding: .utf8))
  func lines(_ values: [Double], each count: Int) -> String {
    stride(from: 0, to: values.count, by: count).map { start in
      "    "
        + values[start..<start + count].map { value in
          "0x" + String(value.bitPattern, radix: 16) + ","
        }.joined(separator: " ")
    }.joined(separator: "\n")
  }
  print(
    """
    // Written by `make locus` from the CIE 1931 2° observer (CIE, 2018, CC BY-SA 4.0,
    // DOI 10.25039/CIE.DS.xvudnb9b). `LocusTableTests` computes the figures anew and compares
    // every bit.

    /// The Planckian locus under c₂ = 1.4388e-2 m·K as 500 polynomials of degree 7, 4 mired each.
    ///
    /// Figures are bit patterns: on x86-64 a decimal literal is rounded twice.
    enum PlanckianLocusTable {
      /// For each piece u₀ v₀ u₁ v₁ … u₇ v₇, by rising power of t, which is −1…1 over the piece.
      // swift-format-ignore
      static let coefficients: [UInt64] = [
    \(lines(table.coefficients, each: 16))
      ]

      /// For each end of a piece u, v, the unit tangent, and the speed in uv per mired.
      // swift-format-ignore
      static let nodes: [UInt64] = [
    \(lines(table.nodes, each: 5))
      ]
    }
    """)
}
