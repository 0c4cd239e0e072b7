public import ColorScience

extension TransferFunction {
  /// `linear`, `srgb`, `bt709`, or `gamma:` and the exponent.
  public var name: String {
    switch self {
    case .linear: "linear"
    case .sRGB: "srgb"
    case .bt709: "bt709"
    case .gamma(let exponent): "gamma:\(exponent)"
    }
  }

  /// The function with a name; `nil` if there is none.
  public init?(name: String) {
    switch name {
    case "linear": self = .linear
    case "srgb": self = .sRGB
    case "bt709": self = .bt709
    default:
      guard name.hasPrefix("gamma:"), let exponent = Double(name.dropFirst(6)), exponent > 0,
        exponent.isFinite
      else { return nil }
      self = .gamma(exponent)
    }
  }
}
