extension TransferFunction {
  /// Its name: `linear`, `srgb`, `bt709`, or `gamma:` and the exponent, such as `gamma:2.2`.
  public var name: String {
    switch self {
    case .linear: "linear"
    case .sRGB: "srgb"
    case .bt709: "bt709"
    case .gamma(let exponent): "gamma:\(exponent)"
    }
  }

  /// The function with a name as `name` writes it; `nil` if there is none.
  public init?(named name: String) {
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
