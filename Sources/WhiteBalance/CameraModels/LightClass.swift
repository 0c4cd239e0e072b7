public import ColorScience

/// The kind of source of a light, as far as it affects the response of cameras.
public enum LightClass: String, CaseIterable, Hashable, Sendable, Codable {
  /// Incandescent lamps and black bodies.
  case thermal
  /// Sun and sky.
  case daylight
  /// A blue or violet LED with phosphors.
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
