import WbcalArguments

/// The coordinates in which `convert` reads or writes a light.
enum LightCoordinates: String, CaseIterable, ExpressibleByArgument {
  case xy, uv, cct
  case cctDuv = "cct-duv"
  case miredDuv = "mired-duv"
  case temperatureTint = "temperature-tint"
  case gains

  var columns: [String] {
    switch self {
    case .temperatureTint: ["temperature", "tint"]
    default: quantities.map(\.rawValue)
    }
  }

  var quantities: [LightQuantity] {
    switch self {
    case .xy: [.x, .y]
    case .uv: [.u, .v]
    case .cct: [.kelvin]
    case .cctDuv: [.kelvin, .duv]
    case .miredDuv: [.mired, .duv]
    case .temperatureTint: [.kelvin, .tint]
    case .gains: [.red, .green, .blue]
    }
  }

  /// Returns the columns of results, optionally with those of their standard errors.
  func columns(withErrors: Bool) -> [String] {
    columns + (withErrors ? columns.map { $0 + "_se" } : [])
  }

  /// `true` if a conversion between these coordinates and a chromaticity involves the Planckian
  /// locus.
  var isTemperature: Bool { [.cct, .cctDuv, .miredDuv, .temperatureTint].contains(self) }
}
