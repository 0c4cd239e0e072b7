/// The chromaticities of monochromatic light, which enclose those of all light.
///
/// Source: the CIE color-matching functions at 1 nm (`StandardObserver`).
public enum SpectralLocus {
  /// The wavelengths for which the functions are tabulated, in nanometers.
  public static let range = StandardObserver.range

  /// Returns the chromaticity of a wavelength in nanometers; `nil` outside 360…830 nm.
  ///
  /// Between tabulated wavelengths the functions are interpolated linearly. Error: that of the
  /// table at whole nanometers (`SpectralLocusTests`). Edge cases: NaN gives `nil`. Complexity:
  /// O(1).
  public static func chromaticity(
    wavelength: Double, observer: StandardObserver = .cie1931
  ) -> Chromaticity? {
    observer.colorMatchingFunctions(at: wavelength).map { Chromaticity($0) }
  }

  /// Returns `true` if light can have a chromaticity, that is, if it is the chromaticity of a
  /// mixture of monochromatic lights.
  ///
  /// These chromaticities are the convex hull of the tabulated ones. The locus itself lies up to
  /// 1.5e-4 within it near 373 nm, and less than 1e-4 elsewhere. The edge counts as inside, and is
  /// 1e-15 wide, so that rounding puts no monochromatic light outside. Error: agrees with every row
  /// of `Calibration/Reference` except one that lies between locus and hull
  /// (`SpectralLocusTests`). Edge cases: NaN and infinities give `false`. Complexity: O(158).
  public static func contains(_ chromaticity: Chromaticity) -> Bool {
    guard chromaticity.isFinite else { return false }
    var start = hull[hull.count - 1]
    for end in hull {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let area = dx * (chromaticity.y - start.y) - dy * (chromaticity.x - start.x)
      // NaN, from an overflow, counts as outside.
      guard area >= -1e-15 * (dx * dx + dy * dy).squareRoot() else { return false }
      start = end
    }
    return true
  }

  /// The corners of the convex hull, counterclockwise, by Andrew's monotone chain (1979).
  private static let hull: [Chromaticity] = {
    let points = (Int(range.lowerBound)...Int(range.upperBound))
      .compactMap { chromaticity(wavelength: Double($0)) }
      .sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: some Sequence<Chromaticity>) -> ArraySlice<Chromaticity> {
      var chain: [Chromaticity] = []
      for point in points {
        while chain.count > 1 {
          let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
          if (b.x - a.x) * (point.y - a.y) > (b.y - a.y) * (point.x - a.x) { break }
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain.dropLast()
    }
    return Array(half(points) + half(points.reversed()))
  }()
}
