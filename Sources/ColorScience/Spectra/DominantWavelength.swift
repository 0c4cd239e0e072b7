/// The monochromatic light that a color resembles, and the purity of the color: its position on the
/// ray from a white through it.
///
/// Source: CIE 015:2018, dominant and complementary wavelength and excitation purity p_e, on the
/// locus of `SpectralLocus`. From 699 nm upward the tabulated chromaticities move back and forth
/// within 2e-7 of one point, so that 699 nm stands for all of them; up to 699 nm, the direction
/// from D65 turns one way only.
public struct DominantWavelength: Hashable, Sendable {
  /// The point where the ray from the white through the color leaves the chromaticities that light
  /// can have.
  public enum Hue: Hashable, Sendable {
    /// A point of the spectral locus: the dominant wavelength in nanometers, 360…699.
    case spectral(Double)
    /// A point of the purple line: the complementary wavelength in nanometers, which is that of the
    /// opposite ray.
    case purple(complementary: Double)
  }

  /// The point where the ray leaves, and the wavelength that follows from it.
  public let hue: Hue
  /// The color's distance from the white, divided by the distance of the locus or the purple line
  /// in the same direction. It is above 0, and above 1 for a color beyond them.
  public let excitationPurity: Double

  /// Computes the dominant wavelength of a chromaticity seen against a white.
  ///
  /// Domain: any white inside the locus, any chromaticity but the white; nothing is clamped. Error:
  /// ≤ 1e-9 nm and ≤ 1e-13 of the purity, at purities above 0.05 (`DominantWavelengthTests`). Edge
  /// cases: if a ray meets the locus twice, as it can near 380 nm, the outer point counts; `nil`
  /// for the white itself, a white that is not inside the locus, NaN, infinities and squares that
  /// overflow. Complexity: O(340).
  public init?(_ chromaticity: Chromaticity, white: Chromaticity) {
    let (dx, dy) = (chromaticity.x - white.x, chromaticity.y - white.y)
    let length = dx * dx + dy * dy
    // The crossings of the whole line with the locus and the purple line that are furthest ahead
    // and furthest behind.
    var ahead = (reach: -Double.infinity, wavelength: Double?.none)
    var behind = (reach: Double.infinity, wavelength: Double?.none)
    let functions = StandardObserver1931.functions
    let first = StandardObserver.range.lowerBound
    let last = Int(Self.lastWavelength - first)
    func side(_ index: Int) -> Double {
      let (x, y, z) = functions[index]
      return dx * (y - white.y * (x + y + z)) - dy * (x - white.x * (x + y + z))
    }
    var (from, fromSide) = (last, side(last))
    for to in 0...last {
      let toSide = side(to)
      defer { (from, fromSide) = (to, toSide) }
      guard (fromSide < 0) != (toSide < 0) else { continue }
      // Linear in the functions, as `SpectralLocus` interpolates them.
      let fraction = fromSide / (fromSide - toSide)
      let (a, b) = (functions[from], functions[to])
      let point = Chromaticity(
        XYZ(
          x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction,
          z: a.z + (b.z - a.z) * fraction))
      let reach = ((point.x - white.x) * dx + (point.y - white.y) * dy) / length
      let wavelength = from == last ? nil : first + Double(from) + fraction
      if reach > ahead.reach { ahead = (reach, wavelength) }
      if reach < behind.reach { behind = (reach, wavelength) }
    }
    // Only for a white inside the locus are there crossings on both sides.
    guard ahead.reach > 0, behind.reach < 0, ahead.reach.isFinite, behind.reach.isFinite else {
      return nil
    }
    if let wavelength = ahead.wavelength {
      hue = .spectral(wavelength)
    } else if let wavelength = behind.wavelength {
      hue = .purple(complementary: wavelength)
    } else {
      return nil
    }
    excitationPurity = 1 / ahead.reach
  }

  private static let lastWavelength = 699.0
}
