import ColorScience
import Foundation

/// The errors of the published methods against the exact Planckian locus, at points whose exact
/// answer is known.
enum MethodComparison {
  /// A method's two directions; a Duv of NaN means none.
  struct Method {
    var name: String
    var temperature: ((Chromaticity) -> CorrelatedColorTemperature?)?
    var chromaticity: ((CorrelatedColorTemperature) -> Chromaticity?)?
    var hasDuv = false
  }

  static var methods: [Method] {
    [
      Method(
        name: "Robertson", temperature: Robertson1968.robertson.correlatedColorTemperature,
        chromaticity: Robertson1968.robertson.chromaticity, hasDuv: true),
      Method(
        name: "DNG SDK", temperature: Robertson1968.adobeDNG.correlatedColorTemperature,
        chromaticity: Robertson1968.adobeDNG.chromaticity, hasDuv: true),
      Method(
        name: "Ohno", temperature: Ohno2013.correlatedColorTemperature,
        chromaticity: Ohno2013.chromaticity, hasDuv: true),
      Method(name: "McCamy", temperature: withoutDuv(McCamy1992.kelvin)),
      Method(name: "Hernández-Andrés", temperature: withoutDuv(HernandezAndres1999.kelvin)),
      Method(name: "Krystek", chromaticity: { Krystek1985.chromaticity(kelvin: $0.kelvin) }),
      Method(name: "Kang", chromaticity: { Kang2002.chromaticity(kelvin: $0.kelvin) }),
    ]
  }

  private static func withoutDuv(
    _ kelvin: @escaping (Chromaticity) -> Double?
  ) -> (Chromaticity) -> CorrelatedColorTemperature? {
    { xy in kelvin(xy).map { CorrelatedColorTemperature(kelvin: $0, duv: .nan) } }
  }

  /// A measure of error at a point; `nil` if the method has no answer there.
  typealias Error = (Method, CorrelatedColorTemperature) -> Double?

  static func kelvin(_ method: Method, _ point: CorrelatedColorTemperature) -> Double? {
    method.temperature?(Chromaticity(point)).map { abs($0.kelvin - point.kelvin) }
  }

  static func mired(_ method: Method, _ point: CorrelatedColorTemperature) -> Double? {
    method.temperature?(Chromaticity(point)).map { abs($0.mired - point.mired) }
  }

  static func duv(_ method: Method, _ point: CorrelatedColorTemperature) -> Double? {
    method.temperature?(Chromaticity(point)).map { abs($0.duv - point.duv) }
  }

  /// The distance in u, v between its chromaticity and the exact one.
  static func distance(_ method: Method, _ point: CorrelatedColorTemperature) -> Double? {
    method.chromaticity?(point).map {
      let (found, exact) = (UCS1960($0), UCS1960(Chromaticity(point)))
      return hypot(found.u - exact.u, found.v - exact.v)
    }
  }

  /// Temperatures in the middles of equal steps of reciprocal temperature, so that rounding decides
  /// nothing at a domain's ends.
  static func points(
    _ kelvin: ClosedRange<Double>, count: Int, duv: [Double]
  ) -> [CorrelatedColorTemperature] {
    let (first, last) = (1e6 / kelvin.upperBound, 1e6 / kelvin.lowerBound)
    return (0..<count).flatMap { index in
      let mired = first + (last - first) * (Double(index) + 0.5) / Double(count)
      return duv.map { CorrelatedColorTemperature(mired: mired, duv: $0) }
    }
  }

  /// Maximum and median, marked with a dagger if some points have no answer.
  static func cell(
    _ method: Method, _ points: [CorrelatedColorTemperature], _ error: Error
  ) -> String {
    let errors = points.compactMap { error(method, $0) }
    guard let largest = errors.max() else { return "–" }
    return "\(figure(largest)) / \(figure(percentile(errors, 0.5)))"
      + (errors.count < points.count ? " †" : "")
  }

  /// Two significant digits, and 0 for what is only rounding.
  private static func figure(_ value: Double) -> String {
    if value.isNaN { return "–" }
    if value < 1e-12 { return "0" }
    let exponent = Int(log10(value).rounded(.down))
    if exponent >= -3 { return String(format: "%.\(max(0, 1 - exponent))f", value) }
    return String(format: "%.1fe\(exponent)", value / pow(10, Double(exponent)))
  }

  static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map(tableRow).joined(separator: "\n")
  }

  private static let bands: [(title: String, kelvin: ClosedRange<Double>)] = [
    ("1700–2900 K", 1700...2900), ("2900–3260 K", 2900...3260), ("3260–4000 K", 3260...4000),
    ("4000–10 000 K", 4000...10_000), ("10 000–25 000 K", 10_000...25_000),
  ]

  /// Errors by bands of temperature, on the locus and, for methods that reach there, beside it.
  static func bandTable(_ methods: [Method], _ error: Error) -> String {
    table(
      ["", "Duv"] + bands.map(\.title),
      methods.flatMap { method in
        [("0", [0.0]), ("±0.02", [-0.02, 0.02])].prefix(method.temperature == nil ? 1 : 2).map {
          title, duv in
          [method.name, title]
            + bands.map { cell(method, points($0.kelvin, count: 200, duv: duv), error) }
        }
      })
  }

  /// Errors over all that CIE calls a correlated color temperature, from 1000 to 100 000 K.
  static func wholeTable() -> String {
    let duv = (-5...5).map { Double($0) / 100 }
    return table(
      ["", "kelvin", "mired", "Duv", "no answer", "back: u, v", "no answer"],
      methods.map { method in
        let points = points(
          1000...100_000, count: 250, duv: method.temperature == nil ? [0] : duv)
        func missing(_ error: Error) -> String {
          "\(points.count { error(method, $0) == nil }) of \(points.count)"
        }
        func bare(_ error: Error) -> String {
          cell(method, points, error).replacing(" †", with: "")
        }
        return [method.name, bare(kelvin), bare(mired), method.hasDuv ? bare(self.duv) : "–"]
          + [method.temperature == nil ? "–" : missing(kelvin), bare(distance)]
          + [method.chromaticity == nil ? "–" : missing(distance)]
      })
  }
}
