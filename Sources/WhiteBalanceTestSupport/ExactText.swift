/// Returns a text that states an error above the claimed bound, or `nil` if the error is within it.
/// NaN is above any bound.
package func excess(_ error: Double, _ unit: String = "", over bound: Double) -> String? {
  error <= bound ? nil : "off by \(error)\(unit); the claim allows at most \(bound)"
}

/// Returns a value with all its digits, even if its description rounds them: a structure of numbers
/// is written as its properties.
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
