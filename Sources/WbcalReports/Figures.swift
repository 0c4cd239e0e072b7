import ColorScience

/// Formats numbers for a page: fixed decimals and a true minus sign.
enum Figure {
  /// Returns a number with a fixed number of decimals; a dash if there is no value or it is not
  /// finite.
  static func plain(_ value: Double?, _ decimals: Int) -> String {
    guard let value, value.isFinite else { return "–" }
    let text = fixed(value, decimals: decimals)
    return text.hasPrefix("-") ? "−" + text.dropFirst() : text
  }

  /// Returns a number with a fixed number of decimals and a sign; a value that rounds to zero has
  /// no plus sign.
  static func signed(_ value: Double?, _ decimals: Int) -> String {
    guard let value else { return "–" }
    let text = plain(value, decimals)
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return value > 0 && value.isFinite && !isZero ? "+" + text : text
  }

  /// Returns a residual, ln(measured/predicted), in percent.
  static func percent(_ logarithm: Double?) -> String { signed(logarithm.map { 100 * $0 }, 2) }

  /// Returns a temperature in kelvin without decimals; in parentheses if it is too far from the
  /// Planckian locus to be a correlated color temperature according to CIE.
  static func temperature(_ value: CorrelatedColorTemperature?) -> String {
    guard let value else { return "–" }
    let text = value.mired < 0 ? "beyond ∞" : value.kelvin >= 1e6 ? "∞" : plain(value.kelvin, 0)
    return abs(value.duv) > 0.05 ? "(\(text))" : text
  }

  /// Returns the tint of a color temperature, 3000·Duv.
  static func tint(_ value: CorrelatedColorTemperature?) -> String {
    signed(value.map { 3000 * $0.duv }, 1)
  }

  /// Returns words as in a sentence: "A", "A and D65", "A, D65 and FL2"; of more than six only the
  /// first five are named.
  static func list(_ words: [String]) -> String {
    if words.count > 6 {
      return words.prefix(5).joined(separator: ", ") + " and \(words.count - 5) others"
    }
    guard words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }
}
