package import ColorScience

/// A lamp on which cameras are compared.
package struct ReferenceLamp: Sendable {
  /// How it makes its light, finer than `LightClass`.
  package enum Kind: String, Sendable, CaseIterable {
    case thermal
    case daylight
    /// CIE's own phosphor diodes, LED-B1 to BH1: a better sample than the other public ones,
    /// several of which are theoretical.
    case ciePhosphorLED = "cie-phosphor-led"
    case phosphorLED = "phosphor-led"
    case mixedLED = "mixed-led"
    case fluorescent
    case discharge

    var lightClass: LightClass {
      switch self {
      case .thermal: .thermal
      case .daylight: .daylight
      case .ciePhosphorLED, .phosphorLED: .led
      case .fluorescent: .fluorescent
      case .mixedLED, .discharge: .other
      }
    }
  }

  package var kind: Kind
  package var chromaticity: Chromaticity
  /// On `SensorGrid`.
  package var power: [Double]

  package init(kind: Kind, chromaticity: Chromaticity, power: [Double]) {
    self.kind = kind
    self.chromaticity = chromaticity
    self.power = power
  }

  private init(kind: Kind, spectrum: SpectralDistribution) {
    self.init(
      kind: kind, chromaticity: Chromaticity(spectrum.xyz), power: SensorGrid.power(of: spectrum))
  }

  var lightClass: LightClass { kind.lightClass }

  /// Whether a gray card can be balanced under a light: 1800…20 000 K and |Duv| ≤ 0.03.
  package static func isUsable(_ light: Chromaticity) -> Bool {
    guard let value = CorrelatedColorTemperature(light) else { return false }
    return (1800...20_000).contains(value.kelvin) && abs(value.duv) <= 0.03
  }

  /// CIE's illuminants but E, and the public lamps.
  private static let real: [ReferenceLamp] =
    StandardIlluminant.all.compactMap { illuminant in
      kind(ofIlluminant: illuminant.name).map {
        ReferenceLamp(kind: $0, spectrum: illuminant.spectrum)
      }
    }.filter { isUsable($0.chromaticity) } + PublicLamps.all

  /// Those that are not CIE's.
  package static var notCIE: [ReferenceLamp] { PublicLamps.all }

  /// How many come first of lamps that are not ideal radiators.
  static var realCount: Int { real.count }

  /// The real lamps, then thermal light and daylight of many temperatures.
  static let all: [ReferenceLamp] =
    real
    + (0..<18).map { step in
      ReferenceLamp(kind: .thermal, spectrum: .planckian(kelvin: 1800 + 100 * Double(step)))
    }
    + (0..<17).compactMap { step in
      SpectralDistribution.daylight(kelvin: 1e6 / (50 + 12.5 * Double(step))).map {
        ReferenceLamp(kind: .daylight, spectrum: $0)
      }
    }

  static func kind(ofIlluminant name: String) -> Kind? {
    switch name {
    case "A": .thermal
    case "E": nil
    case "LED-RGB1": .mixedLED
    case "LED-V1", "LED-V2": .phosphorLED
    default:
      name.hasPrefix("LED")
        ? .ciePhosphorLED
        : name.hasPrefix("FL") ? .fluorescent : name.hasPrefix("HP") ? .discharge : .daylight
    }
  }
}
