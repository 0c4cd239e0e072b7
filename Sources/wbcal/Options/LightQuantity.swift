import WbcalFoundation

/// The quantity in a column of a table, according to the column's name.
enum LightQuantity: String, CaseIterable {
  case x, y, u, v
  /// CIE 1976, which is not converted.
  case uPrime = "u'"
  case vPrime = "v'"
  case kelvin = "cct"
  case duv, mired, tint, red, green, blue

  /// The names in lower case, in addition to the raw value.
  private var otherNames: [String] {
    switch self {
    case .x, .y, .u, .v: ["cie \(rawValue)", "cie_\(rawValue)"]
    case .uPrime: ["u′", "u’", "u prime", "u_prime", "uprime"]
    case .vPrime: ["v′", "v’", "v prime", "v_prime", "vprime"]
    case .kelvin:
      [
        "temperature", "kelvin", "temp", "color temperature", "colour temperature",
        "color_temperature", "colour_temperature", "correlated color temperature",
        "correlated colour temperature", "cct_k", "temperature_k",
      ]
    case .duv: ["δuv", "d_uv", "delta uv", "delta_uv"]
    case .mired: ["mireds"]
    case .tint: []
    case .red: ["r"]
    case .green: ["g"]
    case .blue: ["b"]
    }
  }

  /// The words that may follow the name in parentheses or brackets without changing its meaning.
  private var qualifiers: Set<String> {
    switch self {
    case .x, .y: ["cie", "1931", "cie1931", "2°", "2", "deg", "degree"]
    case .u, .v: ["cie", "1960", "cie1960", "ucs"]
    case .uPrime, .vPrime: ["cie", "1976", "cie1976", "ucs"]
    case .kelvin: ["k", "kelvin"]
    case .mired: ["mired", "1/mk", "mk⁻¹", "mk-1"]
    case .duv, .tint, .red, .green, .blue: []
    }
  }

  /// The quantity of each name.
  private static let named = Dictionary(
    allCases.flatMap { quantity in
      ([quantity.rawValue] + quantity.otherNames).map { ($0, quantity) }
    }, uniquingKeysWith: { first, _ in first })

  /// Names of numbers that are none of these quantities, though they resemble them.
  private static let others: Set<String> = ["x10", "y10", "x_10", "y_10", "l*", "u*", "v*"]

  /// Indicates whether a name is that of a column, including columns that are not converted.
  static func isColumnName(_ name: Substring) -> Bool {
    let base = parts(of: name).base
    return named[base] != nil || others.contains(base)
  }

  /// Splits a column's name into the part before parentheses or brackets and the words in them.
  private static func parts(of name: Substring) -> (base: String, qualifiers: [String]) {
    let parts = name.lowercased().split(maxSplits: 1, omittingEmptySubsequences: false) {
      "([".contains($0)
    }
    let qualifiers = parts.dropFirst().flatMap { $0.split { " -,)]".contains($0) } }
    return (parts[0].trimmed, qualifiers.map(String.init))
  }

  /// Returns the quantity that a column's name means; `nil` if the name is not known or means
  /// another observer.
  init?(columnName: Substring) {
    let (base, qualifiers) = Self.parts(of: columnName)
    guard var quantity = Self.named[base] else { return nil }
    if qualifiers.contains(where: { ["1976", "cie1976"].contains($0) }) {
      if quantity == .u { quantity = .uPrime }
      if quantity == .v { quantity = .vPrime }
    }
    guard quantity.qualifiers.isSuperset(of: qualifiers) else { return nil }
    self = quantity
  }
}
