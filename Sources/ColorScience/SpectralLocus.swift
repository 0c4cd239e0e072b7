/// The chromaticities of monochromatic light, which enclose those of all light.
///
/// Source: the CIE 1931 2° color-matching functions at 1 nm (CIE, 2018,
/// DOI 10.25039/CIE.DS.xvudnb9b).
public enum SpectralLocus {
  /// Wavelengths for which the functions are tabulated, in nanometers.
  public static let range = 360.0...830.0

  /// The chromaticity of a wavelength in nanometers; `nil` outside 360…830 nm.
  ///
  /// Between tabulated wavelengths the functions are interpolated linearly. Error: the table's own at
  /// whole nanometers (`SpectralLocusTests`). Edge cases: NaN gives `nil`. Complexity: O(1).
  public static func chromaticity(wavelength: Double) -> Chromaticity? {
    guard range.contains(wavelength) else { return nil }
    let functions = StandardObserver1931.functions
    let position = wavelength - Double(StandardObserver1931.firstWavelength)
    let index = min(Int(position), functions.count - 2)
    let fraction = position - Double(index)
    let (a, b) = (functions[index], functions[index + 1])
    let low = SIMD3(a.x, a.y, a.z)
    let high = SIMD3(b.x, b.y, b.z)
    return Chromaticity(XYZ(low * (1 - fraction) + high * fraction))
  }
}
