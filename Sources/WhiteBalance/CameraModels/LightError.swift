/// A reason why a name or its numbers do not describe a light.
public enum LightError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name has none of the forms that `Light(named:)` accepts.
  case unknown(String)
  /// The temperature lies outside the range of the CIE daylight locus.
  case outsideDaylight(String)
  /// The chromaticity is not that of a physical light.
  case notReal(String)
  /// The uncertainty is negative or not finite.
  case uncertainty(Double)

  /// One sentence that states the error and the accepted forms of names.
  public var description: String { description(furtherForms: []) }

  /// The sentence for a program that accepts further forms of names.
  package func description(furtherForms: [String]) -> String {
    switch self {
    case .unknown(let name):
      let forms =
        [
          "a standard illuminant such as A, D65 or LED-B3", "xy:0.3127,0.3290", "2856K", "D5600K",
          "4012K/+0.0031",
        ] + furtherForms
      return "'\(name)' is not a light; write " + forms.dropLast().joined(separator: ", ") + " or "
        + forms[forms.count - 1]
    case .outsideDaylight(let name):
      return "'\(name)' is outside the CIE daylight locus, which runs from D4000K to D25000K"
    case .notReal(let name):
      return "'\(name)' is not the chromaticity of a light: x and y must be at most 1, with a "
        + "decimal point, and y above 0"
    case .uncertainty(let value):
      return
        "the uncertainty of a light's x and y cannot be \(value); write a standard deviation, such "
        + "as 0.0015"
    }
  }
}
