/// By how much an error exceeds what an implementation's claim allows; `nil` if it does not. An
/// error that is not a number does.
package func excess(_ error: Double, _ unit: String = "", over bound: Double) -> String? {
  error <= bound ? nil : "\(error)\(unit) off, and at most \(bound) is allowed by the claim"
}

/// A value with every digit, whatever its description rounds: structures of numbers alone are
/// spelled out by their properties.
package func exactly(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  let isOfNumbers = !mirror.children.isEmpty && mirror.children.allSatisfy { $0.value is Double }
  let parts = mirror.children.map { label, value in
    (label.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? "") + exactly(value)
  }.joined(separator: ", ")
  return switch mirror.displayStyle {
  case .struct where isOfNumbers: "\(type(of: value))(\(parts))"
  case .tuple: "(\(parts))"
  default: "\(value)"
  }
}
