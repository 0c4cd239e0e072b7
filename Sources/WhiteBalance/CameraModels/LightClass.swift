public import ColorScience

/// How a light is made, as far as cameras respond to it differently.
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

extension LightingPreset {
  /// The class of the preset's light.
  public var lightClass: LightClass {
    switch self {
    case .candle, .tungsten, .studioTungsten: .thermal
    case .daylight, .flash, .cloudy, .shade: .daylight
    default: .fluorescent
    }
  }
}
