/// Returns a number with at least `digits` significant digits, for text that people read.
package func shortNumber(_ value: Double, digits: Int = 4) -> String {
  guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "−∞" : "∞" }
  if value == 0 { return "0" }
  var exponent = 0
  var scaled = abs(value)
  while scaled >= 10 { (scaled, exponent) = (scaled / 10, exponent + 1) }
  while scaled < 1 { (scaled, exponent) = (scaled * 10, exponent - 1) }
  // Outside this range a reader would have to count zeros.
  if exponent < -6 || exponent > 12 { return "\(value)" }
  return fixed(value, decimals: max(0, digits - 1 - exponent))
}

/// Returns a number with a fixed count of decimals, rounded half away from zero; trailing zeros are
/// kept.
package func fixed(_ value: Double, decimals: Int) -> String {
  if value.isNaN { return "nan" }  // some have a sign
  var unit = 1.0
  for _ in 0..<decimals { unit *= 10 }
  let scaled = (abs(value) * unit).rounded()
  guard scaled < 0x1p63 else { return "\(value)" }
  let whole = UInt64(scaled)
  var digits = String(whole)
  if digits.count <= decimals {
    digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits
  }
  if decimals > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals)) }
  return (value < 0 && whole != 0 ? "-" : "") + digits
}
