public import ColorScience

/// The light of a shot: how it was named, and its chromaticity.
public struct Light: Hashable, Sendable, Codable {
  /// The name as given.
  public let name: String
  /// Its chromaticity.
  public let chromaticity: Chromaticity

  /// A light whose chromaticity is known by other means, such as a measured spectrum.
  ///
  /// - Throws: `LightError.notReal` unless x and y are finite and y is positive.
  public init(name: String, chromaticity: Chromaticity) throws(LightError) {
    guard chromaticity.isFinite, chromaticity.y > 0 else { throw .notReal(name) }
    self.name = name
    self.chromaticity = chromaticity
  }

  private enum CodingKeys: String, CodingKey {
    case name
    case chromaticity
  }

  /// Decodes and checks a light.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      name: values.decode(String.self, forKey: .name),
      chromaticity: values.decode(Chromaticity.self, forKey: .chromaticity))
  }

  /// A light from its name.
  ///
  /// A standard illuminant (`A`, `D65`, `FL11`, `LED-B3`), `xy:0.3127,0.3290`, a Planckian radiator
  /// `2856K`, daylight `D5600K` (nominal temperature on the CIE locus), or a temperature and Duv
  /// `4012K/+0.0031`. Temperatures are under `RadiationConstant.cie`.
  ///
  /// - Throws: `LightError`, which says what a name may be.
  public init(named name: String) throws(LightError) {
    try self.init(name: name, chromaticity: Self.chromaticity(of: name))
  }

  private static func chromaticity(of name: String) throws(LightError) -> Chromaticity {
    if let illuminant = StandardIlluminant(named: name) { return illuminant.chromaticity }
    if name.hasPrefix("xy:") {
      let numbers = name.dropFirst(3).split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0) }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { throw .unknown(name) }
      return Chromaticity(x: x, y: y)
    }
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasSuffix("K") || first.hasSuffix("k") else {
      throw .unknown(name)
    }
    let digits = first.dropLast()
    if digits.first == "D" {
      guard parts.count == 1, let kelvin = Double(digits.dropFirst()) else { throw .unknown(name) }
      guard let light = DaylightLocus.chromaticity(kelvin: kelvin) else {
        throw .outsideDaylight(name)
      }
      return light
    }
    guard let kelvin = Double(digits), kelvin > 0,
      let duv = parts.count == 2 ? Double(parts[1]) : 0
    else { throw .unknown(name) }
    return Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv))
  }
}

/// Why a name is not that of a light.
public enum LightError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name has none of the forms.
  case unknown(String)
  /// The CIE daylight locus is not defined there.
  case outsideDaylight(String)
  /// The coordinates are not those of a light.
  case notReal(String)

  /// One sentence that says what is wrong and what a name may be.
  public var description: String {
    switch self {
    case .unknown(let name):
      "'\(name)' is not a light; write a standard illuminant such as A, D65 or LED-B3, "
        + "xy:0.3127,0.3290, 2856K, D5600K, 4012K/+0.0031 or spd:FILE.csv"
    case .outsideDaylight(let name):
      "'\(name)' is outside the CIE daylight locus, which runs from D4000K to D25000K"
    case .notReal(let name):
      "'\(name)' is not the chromaticity of a light: x and y must be finite and y positive"
    }
  }
}

/// The kind of a light, where it is known.
public enum LightClass: String, CaseIterable, Hashable, Sendable, Codable {
  /// Incandescent, and black bodies.
  case thermal
  /// Sun and sky.
  case daylight
  /// A blue or violet diode with phosphors.
  case led
  /// A mercury discharge with phosphors.
  case fluorescent
  /// Anything else.
  case other
}
