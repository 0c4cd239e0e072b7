import ColorScience

/// Numbers as a reader of a page expects them: fixed decimals and a true minus sign.
enum Figure {
  /// A fixed count of decimals; a dash where there is no value or it is not finite.
  static func plain(_ value: Double?, _ decimals: Int) -> String {
    guard let value, value.isFinite else { return "–" }
    let text = fixed(value, decimals: decimals)
    return text.hasPrefix("-") ? "−" + text.dropFirst() : text
  }

  /// The same with a plus sign; none before a value that rounds to zero.
  static func signed(_ value: Double?, _ decimals: Int) -> String {
    guard let value else { return "–" }
    let text = plain(value, decimals)
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    return value > 0 && value.isFinite && !isZero ? "+" + text : text
  }

  /// A residual, ln(measured/predicted), in percent.
  static func percent(_ logarithm: Double?) -> String { signed(logarithm.map { 100 * $0 }, 2) }

  /// A temperature in kelvin without decimals; in parentheses where CIE calls it not correlated.
  static func temperature(_ value: CorrelatedColorTemperature?) -> String {
    guard let value else { return "–" }
    let text = value.mired < 0 ? "beyond ∞" : value.kelvin >= 1e6 ? "∞" : plain(value.kelvin, 0)
    return abs(value.duv) > 0.05 ? "(\(text))" : text
  }

  /// The tint of a color temperature, 3000·Duv.
  static func tint(_ value: CorrelatedColorTemperature?) -> String {
    signed(value.map { 3000 * $0.duv }, 1)
  }

  /// Words in a sentence: "A", "A and D65", "A, D65 and FL2"; of more than six the first five.
  static func list(_ words: [String]) -> String {
    if words.count > 6 {
      return words.prefix(5).joined(separator: ", ") + " and \(words.count - 5) others"
    }
    guard words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }
}
