/// A function from the value that a picture stores to a linear value, both scaled to 0…1, and its
/// inverse.
///
/// Nothing is clamped: negative values follow the odd extension −f(−x), and values above 1 follow
/// the formula, so that decoding and encoding are inverses everywhere. NaN gives NaN.
public enum TransferFunction: Hashable, Sendable {
  /// The stored value equals the linear one.
  case linear
  /// IEC 61966-2-1, with the constants that the standard prints (0.0031308, 0.04045).
  ///
  /// At the joint the standard's two pieces differ by 3e-8. A round trip is accurate to 1e-7 there,
  /// and exact to rounding elsewhere.
  case sRGB
  /// The opto-electronic function of Rec. ITU-R BT.709-6 §1.2, in the precise form of BT.2020-2.
  ///
  /// With its constants α = 1.09929682680944 and β = 0.018053968510807 the pieces meet.
  case bt709
  /// A pure power: linear = stored^G. G must be positive and finite.
  case gamma(Double)
  /// A curve through measured points. Below its first point it is a straight line, for negative
  /// values too.
  case curve(ToneCurve)

  /// Returns the linear value of a stored one. Error: ≤ 3e-15 over 0…1.5, relative to the larger of
  /// the result and 1 (`TransferFunctionTests`). Complexity: O(1).
  public func linear(_ value: Double) -> Double {
    if value < 0, !isMeasured { return -linear(-value) }
    switch self {
    case .linear: return value
    case .sRGB: return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    case .bt709:
      return value < 4.5 * Self.beta
        ? value / 4.5 : power((value + Self.alpha - 1) / Self.alpha, 1 / 0.45)
    case .gamma(let exponent): return power(value, exponent)
    case .curve(let curve): return curve.linear(value)
    }
  }

  /// Returns the stored value of a linear one. Error: ≤ 3e-15 over 0…2.5, relative to the larger of
  /// the result and 1 (`TransferFunctionTests`). Complexity: O(1).
  public func encoded(_ linear: Double) -> Double {
    if linear < 0, !isMeasured { return -encoded(-linear) }
    switch self {
    case .linear: return linear
    case .sRGB:
      return linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * power(linear, 1 / 2.4) - 0.055
    case .bt709:
      return linear < Self.beta
        ? linear * 4.5 : Self.alpha * power(linear, 0.45) - (Self.alpha - 1)
    case .gamma(let exponent): return power(linear, 1 / exponent)
    case .curve(let curve): return curve.stored(linear)
    }
  }

  private var isMeasured: Bool { if case .curve = self { true } else { false } }

  private static let alpha = 1.099_296_826_809_44
  private static let beta = 0.018_053_968_510_807

  /// The function's name: `linear`, `srgb`, `bt709`, `gamma:` and the exponent, such as
  /// `gamma:2.2`, or `curve:` and the points, such as `curve:0.02,0;0.5,0.21;1,1`.
  public var name: String {
    switch self {
    case .linear: "linear"
    case .sRGB: "srgb"
    case .bt709: "bt709"
    case .gamma(let exponent): "gamma:\(exponent)"
    case .curve(let curve): "curve:\(curve.text)"
    }
  }

  /// The function with a name in the form of `name`; `nil` if there is none.
  public init?(named name: String) {
    switch name {
    case "linear": self = .linear
    case "srgb": self = .sRGB
    case "bt709": self = .bt709
    case let name where name.hasPrefix("curve:"):
      guard let curve = ToneCurve(text: name.dropFirst(6)) else { return nil }
      self = .curve(curve)
    default:
      guard name.hasPrefix("gamma:"), let exponent = Double(name.dropFirst(6)), exponent > 0,
        exponent.isFinite
      else { return nil }
      self = .gamma(exponent)
    }
  }
}

#if !hasFeature(Embedded)
extension TransferFunction: Codable {
  /// Decodes a name.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value("transfer function", named: Self.init(named:))
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
#endif
