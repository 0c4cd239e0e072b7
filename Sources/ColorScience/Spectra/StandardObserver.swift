/// A CIE standard colorimetric observer: the color-matching functions by which spectra are weighted
/// and summed.
///
/// Source: CIE 015:2018; the figures of 1931 are CIE's (2018, DOI 10.25039/CIE.DS.xvudnb9b), and
/// those of 1964 are as colour-science 0.4.7 gives them. `StandardObserverTests` compares every
/// figure.
public enum StandardObserver: Hashable, Sendable, CaseIterable {
  /// The 2° observer, for fields of 1° to 4°: that of RGB spaces, displays and color temperature.
  case cie1931
  /// The 10° observer, for larger fields, such as textiles and paint.
  case cie1964

  /// The wavelengths for which the functions are tabulated, in nanometers.
  public static let range = 360.0...830.0

  /// Returns x̄, ȳ and z̄ at a wavelength in nanometers; `nil` outside 360…830 nm.
  ///
  /// Exact at whole nanometers, linear between them. Edge cases: NaN gives `nil`. Complexity: O(1).
  public func colorMatchingFunctions(at wavelength: Double) -> XYZ? {
    guard Self.range.contains(wavelength) else { return nil }
    let position = wavelength - Self.range.lowerBound
    let index = min(Int(position), table.count - 2)
    let fraction = position - Double(index)
    let (a, b) = (table[index], table[index + 1])
    let low = SIMD3(a.x, a.y, a.z)
    let high = SIMD3(b.x, b.y, b.z)
    return XYZ(low * (1 - fraction) + high * fraction)
  }

  /// The functions at 360, 361, … 830 nm.
  var table: [(x: Double, y: Double, z: Double)] {
    switch self {
    case .cie1931: StandardObserver1931.functions
    case .cie1964: StandardObserver1964.functions
    }
  }
}
