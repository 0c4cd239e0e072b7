import WbcalArguments
import ColorScience

/// The method by which `convert` converts between chromaticity and temperature.
enum TemperatureMethod: String, CaseIterable, ExpressibleByArgument {
  case exact, robertson
  case adobeDNG = "adobe-dng"
  case ohno, krystek, kang
  case hernandezAndres = "hernandez-andres"
  case mccamy, daylight

  private enum Direction { case both, toTemperature, toChromaticity }

  private var direction: Direction {
    switch self {
    case .exact, .robertson, .adobeDNG, .ohno: .both
    case .krystek, .kang, .daylight: .toChromaticity
    case .hernandezAndres, .mccamy: .toTemperature
    }
  }

  /// Returns the reason that the method does not convert between two kinds of coordinates; `nil` if
  /// it does.
  func objection(from: LightCoordinates, to: LightCoordinates) -> String? {
    if self == .exact { return nil }
    let temperatures =
      direction == .both ? LightCoordinates.allCases.filter(\.isTemperature) : [.cct]
    let chromaticities = LightCoordinates.allCases.filter { !$0.isTemperature }
    let there = chromaticities.contains(from) && temperatures.contains(to)
    let back = temperatures.contains(from) && chromaticities.contains(to)
    func list(_ coordinates: [LightCoordinates]) -> String {
      coordinates.map(\.rawValue).joined(separator: "|")
    }
    let (left, right) = (list(chromaticities), list(temperatures))
    switch direction {
    case .both where there || back, .toTemperature where there, .toChromaticity where back:
      return nil
    case .both: return "\(rawValue) only converts \(left) to \(right) and back."
    case .toTemperature: return "\(rawValue) only converts \(left) to \(right)."
    case .toChromaticity: return "\(rawValue) only converts \(right) to \(left)."
    }
  }

  /// Returns the temperature of a chromaticity; `nil` if there is none. A method without Duv
  /// returns NaN for it, which is never printed because of `objection`.
  func temperature(of xy: Chromaticity, on locus: PlanckianLocus) -> CorrelatedColorTemperature? {
    func withoutDuv(_ kelvin: Double?) -> CorrelatedColorTemperature? {
      kelvin.map { CorrelatedColorTemperature(kelvin: $0, duv: .nan) }
    }
    return switch self {
    case .exact: locus.correlatedColorTemperature(of: xy)
    case .robertson: Robertson1968.robertson.correlatedColorTemperature(of: xy)
    case .adobeDNG: Robertson1968.adobeDNG.correlatedColorTemperature(of: xy)
    case .ohno: Ohno2013.correlatedColorTemperature(of: xy)
    case .hernandezAndres: withoutDuv(HernandezAndres1999.kelvin(of: xy))
    case .mccamy: withoutDuv(McCamy1992.kelvin(of: xy))
    case .krystek, .kang, .daylight: nil
    }
  }

  func chromaticity(
    of temperature: CorrelatedColorTemperature, on locus: PlanckianLocus
  ) -> Chromaticity? {
    switch self {
    case .exact: locus.chromaticity(of: temperature)
    case .robertson: Robertson1968.robertson.chromaticity(of: temperature)
    case .adobeDNG: Robertson1968.adobeDNG.chromaticity(of: temperature)
    case .ohno: Ohno2013.chromaticity(of: temperature)
    case .krystek: Krystek1985.chromaticity(kelvin: temperature.kelvin)
    case .kang: Kang2002.chromaticity(kelvin: temperature.kelvin)
    case .daylight: DaylightLocus.chromaticity(kelvin: temperature.kelvin)
    case .hernandezAndres, .mccamy: nil
    }
  }

  /// The temperatures for which the method is valid, in words; `nil` if it is valid for all.
  var domain: String? {
    let range: ClosedRange<Double>
    switch self {
    case .exact, .adobeDNG: return nil
    case .mccamy: return "1620 K and hotter"
    case .robertson: range = Robertson1968.range
    case .ohno: range = Ohno2013.range
    case .krystek: range = Krystek1985.range
    case .kang: range = Kang2002.range
    case .hernandezAndres: range = HernandezAndres1999.range
    case .daylight: range = DaylightLocus.range
    }
    let (first, last) = (Int(range.lowerBound.rounded()), range.upperBound)
    return last.isFinite ? "\(first) to \(Int(last)) K" : "\(first) K and hotter"
  }
}
