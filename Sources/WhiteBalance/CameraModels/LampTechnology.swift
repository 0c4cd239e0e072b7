package import ColorScience

/// The way in which a lamp makes its light, in finer steps than `LightClass`.
package enum LampTechnology: String, Sendable, CaseIterable {
  case thermal
  case daylight
  /// CIE's phosphor LEDs, LED-B1 to BH1: a better sample than the other public ones, several of
  /// which are theoretical.
  case ciePhosphorLED = "cie-phosphor-led"
  case phosphorLED = "phosphor-led"
  /// LEDs of several colors in one lamp.
  case mixedLED = "mixed-led"
  case fluorescent
  case discharge

  /// The technology of a standard illuminant; `nil` for E, which no lamp makes.
  package init?(_ illuminant: StandardIlluminant) {
    switch illuminant.name {
    case "A": self = .thermal
    case "E": return nil
    case "LED-RGB1": self = .mixedLED
    case "LED-V1", "LED-V2": self = .phosphorLED
    case let name where name.hasPrefix("LED"): self = .ciePhosphorLED
    case let name where name.hasPrefix("FL"): self = .fluorescent
    case let name where name.hasPrefix("HP"): self = .discharge
    default: self = .daylight
    }
  }

  package var lightClass: LightClass {
    switch self {
    case .thermal: .thermal
    case .daylight: .daylight
    case .ciePhosphorLED, .phosphorLED: .led
    case .fluorescent: .fluorescent
    case .mixedLED, .discharge: .other
    }
  }
}
