/// Why a name is not that of a light.
public enum LightError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name has none of the forms.
  case unknown(String)
  /// The CIE daylight locus is not defined there.
  case outsideDaylight(String)
  /// The coordinates are not those of a light.
  case notReal(String)
  /// An uncertainty that is negative or not finite.
  case uncertainty(Double)

  /// One sentence that says what is wrong and what a name may be.
  public var description: String {
    switch self {
    case .unknown(let name):
      "'\(name)' is not a light; write a standard illuminant such as A, D65 or LED-B3, "
        + "xy:0.3127,0.3290, 2856K, D5600K, 4012K/+0.0031 or spd:FILE.csv"
    case .outsideDaylight(let name):
      "'\(name)' is outside the CIE daylight locus, which runs from D4000K to D25000K"
    case .notReal(let name):
      "'\(name)' is not the chromaticity of a light: x and y must be finite and y positive"
    case .uncertainty(let value):
      "a light's x and y cannot be uncertain by \(value); write a standard deviation, such as 0.0015"
    }
  }
}
