public import ColorScience

/// The light of a shot: its name, its chromaticity, and its spectrum if that is known.
///
/// ```swift
/// import ColorScience
///
/// let tungsten = Light(.a)
/// let tube = try Light(named: "FL11")
/// let meter = try Light(
///   name: "meter", chromaticity: Chromaticity(x: 0.3457, y: 0.3585), uncertainty: 0.0015)
/// print(tungsten, tube.impliedClass!, meter.spectrum == nil)  // A fluorescent true
/// ```
public struct Light: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name as given.
  public let name: String
  /// The chromaticity.
  public let chromaticity: Chromaticity
  /// The spectrum, if the name implies it or it was measured. A spectrum predicts a camera's
  /// response better than a chromaticity does.
  public let spectrum: SpectralDistribution?
  /// The standard deviation of x and of y of the light on the card, relative to the named one.
  public let uncertainty: Double

  /// Creates the light of a standard illuminant.
  public init(_ illuminant: StandardIlluminant) {
    name = illuminant.name
    chromaticity = illuminant.chromaticity
    spectrum = illuminant.spectrum
    uncertainty = 0
  }

  /// Creates a light of a known chromaticity, such as a measured one.
  ///
  /// - Throws: `LightError.notReal` unless x and y are finite and y is positive, `.uncertainty` if
  ///   the uncertainty is negative or not finite.
  public init(
    name: String, chromaticity: Chromaticity, uncertainty: Double = 0
  ) throws(LightError) {
    try self.init(name, chromaticity, nil, uncertainty)
  }

  /// Creates a light with a measured spectrum.
  ///
  /// A spectrum in steps of more than 1 nm is interpolated by Sprague's polynomials before it is
  /// summed, as CIE recommends. The standard illuminants at 5 nm then have their published x and y
  /// within 6.1e-5, and those without narrow lines also at 10 nm, within 9e-5 (`LightTests`). At 10
  /// nm lines are lost: fluorescent lamps are up to 0.06 off. A table of fewer than six values is
  /// interpolated linearly.
  ///
  /// - Throws: `LightError.notReal` if it has no chromaticity, `.uncertainty` if the uncertainty is
  ///   negative or not finite.
  public init(
    name: String, spectrum: SpectralDistribution, uncertainty: Double = 0
  ) throws(LightError) {
    let parts = Int(min(spectrum.step, 100).rounded(.up))
    let fine = parts > 1 ? spectrum.interpolatedBySprague(parts: parts) ?? spectrum : spectrum
    try self.init(name, Chromaticity(fine.xyz), spectrum, uncertainty)
  }

  private init(
    _ name: String, _ chromaticity: Chromaticity, _ spectrum: SpectralDistribution?,
    _ uncertainty: Double
  ) throws(LightError) {
    guard chromaticity.isFinite, chromaticity.y > 0 else { throw .notReal(name) }
    guard uncertainty >= 0, uncertainty.isFinite else { throw .uncertainty(uncertainty) }
    self.name = name
    self.chromaticity = chromaticity
    self.spectrum = spectrum
    self.uncertainty = uncertainty
  }

  private enum CodingKeys: String, CodingKey { case name, chromaticity, uncertainty, spectrum }

  private struct Spectrum: Codable {
    var first, step: Double
    var values: [Double]
  }

  /// Decodes and checks a light.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .name)
    var spectrum = values.contains(.spectrum) ? nil : (try? Self.meaning(of: name))?.spectrum
    if let measured = try values.decodeIfPresent(Spectrum.self, forKey: .spectrum) {
      guard measured.step > 0, measured.step.isFinite, measured.first.isFinite else {
        throw DecodingError.dataCorruptedError(
          forKey: .spectrum, in: values, debugDescription: "wavelengths do not increase")
      }
      spectrum = SpectralDistribution(
        first: measured.first, step: measured.step, values: measured.values)
    }
    try self.init(
      name, values.decode(Chromaticity.self, forKey: .chromaticity), spectrum,
      values.decodeIfPresent(Double.self, forKey: .uncertainty) ?? 0)
  }

  /// Encodes a light; the spectrum, or `null` for none, only if it is not the one that the name
  /// implies.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(chromaticity, forKey: .chromaticity)
    if uncertainty > 0 { try values.encode(uncertainty, forKey: .uncertainty) }
    guard spectrum != (try? Self.meaning(of: name))?.spectrum else { return }
    try values.encode(
      spectrum.map { Spectrum(first: $0.firstWavelength, step: $0.step, values: $0.values) },
      forKey: .spectrum)
  }

  /// Creates a light from its name.
  ///
  /// A name is a standard illuminant (`A`, `D65`, `FL11`, `LED-B3`), `xy:0.3127,0.3290`, a
  /// Planckian radiator `2856K`, daylight `D5600K` (nominal temperature on the CIE locus), or a
  /// temperature and Duv `4012K/+0.0031`. Temperatures are under `RadiationConstant.cie`.
  ///
  /// - Throws: `LightError`, whose description lists the accepted forms.
  public init(named name: String, uncertainty: Double = 0) throws(LightError) {
    let meaning = try Self.meaning(of: name)
    try self.init(name, meaning.chromaticity, meaning.spectrum, uncertainty)
  }

  /// The class that the name implies: that of a standard illuminant, thermal for a black body such
  /// as `2856K`, daylight for `D5600K`; `nil` for others.
  public var impliedClass: LightClass? { (try? Self.meaning(of: name))?.lightClass }

  /// The name.
  public var description: String { name }

  /// A text parsed as a number, with ASCII's minus sign or Unicode's. `Double` stops parsing at a
  /// NUL, so a text with one is refused.
  private static func number(_ text: Substring) -> Double? {
    text.utf8.contains(0) ? nil : Double(String(text.map { $0 == "\u{2212}" ? "-" : $0 }))
  }

  /// The chromaticity that a name implies, and, for a standard illuminant, a black body or
  /// daylight, also the spectrum and the class.
  private static func meaning(of name: String) throws(LightError) -> Meaning {
    if let illuminant = StandardIlluminant(named: name) {
      return (
        illuminant.chromaticity, illuminant.spectrum,
        LampTechnology(illuminant)?.lightClass ?? .other
      )
    }
    if name.hasPrefix("xy:") {
      let numbers = name.dropFirst(3).split(separator: ",", omittingEmptySubsequences: false)
        .map(number)
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { throw .unknown(name) }
      // No light has values beyond 1; 0,3127 has a comma in place of the decimal point.
      guard abs(x) <= 1, abs(y) <= 1 else { throw .notReal(name) }
      return (Chromaticity(x: x, y: y), nil, nil)
    }
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasSuffix("K") || first.hasSuffix("k") else {
      throw .unknown(name)
    }
    var digits = first.dropLast()
    if digits.last == " " { digits.removeLast() }
    if digits.first == "D" {
      guard parts.count == 1, let kelvin = number(digits.dropFirst()) else { throw .unknown(name) }
      guard let light = DaylightLocus.chromaticity(kelvin: kelvin) else {
        throw .outsideDaylight(name)
      }
      return (light, .daylight(kelvin: kelvin), .daylight)
    }
    guard let kelvin = number(digits), kelvin > 0, let duv = parts.count == 2 ? number(parts[1]) : 0
    else { throw .unknown(name) }
    let chromaticity = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv))
    // The power of a colder body underflows.
    guard parts.count == 1, kelvin >= 100 else { return (chromaticity, nil, nil) }
    return (chromaticity, .planckian(kelvin: kelvin), .thermal)
  }

  private typealias Meaning = (
    chromaticity: Chromaticity, spectrum: SpectralDistribution?, lightClass: LightClass?
  )
}
