import ColorScience
import WhiteBalance

/// From balanced camera RGB to XYZ by r, g, b and the roots of their products, which keeps colors
/// at any exposure as a matrix does.
///
/// Source: G. D. Finlayson, M. Mackiewicz and A. Hurlbert, Color Correction Using Root-Polynomial
/// Regression, IEEE Transactions on Image Processing 24 (2015), 1460–1470, second degree.
struct RootPolynomial {
  /// The factors of `terms`.
  private let factors: [SIMD3<Double>]
  private let white: XYZ

  /// Terms that are 0 for grays: what is left after g times the white.
  private static func terms(_ rgb: SIMD3<Double>) -> [Double] {
    let (r, g, b) = (max(rgb.x, 0), max(rgb.y, 0), max(rgb.z, 0))
    return [r, b, (r * g).squareRoot(), (g * b).squareRoot(), (r * b).squareRoot()].map { $0 - g }
  }

  /// The fit to surfaces as a camera sees them, weighted as `colorMatrix(under:)` is; `nil` where
  /// they do not determine it.
  init?(fitting surfaces: LitSurfaces, as camera: SpectralSensitivities) {
    guard let seen = surfaces.seen(by: camera) else { return nil }
    white = surfaces.white
    var rows = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 5)
    var right = [SIMD3<Double>](repeating: .zero, count: 5)
    for (rgb, color) in zip(seen, surfaces.colors) {
      let root = cubeRoot(color.y)
      let weight = 1 / (root * root)
      let terms = Self.terms(rgb)
      let rest = color.vector - rgb.y * white.vector
      for i in 0..<5 {
        for j in 0..<5 { rows[i][j] += weight * terms[i] * terms[j] }
        right[i] += weight * terms[i] * rest
      }
    }
    // The matrix is positive: elimination needs no pivots.
    for i in 0..<5 {
      guard rows[i][i] > 0 else { return nil }
      for k in 0..<5 where k != i {
        let share = rows[k][i] / rows[i][i]
        for j in 0..<5 { rows[k][j] -= share * rows[i][j] }
        right[k] -= share * right[i]
      }
    }
    factors = (0..<5).map { right[$0] / rows[$0][$0] }
  }

  /// The mean CIEDE2000 on surfaces; `nil` if the camera sees no light.
  func difference(on surfaces: LitSurfaces, for camera: SpectralSensitivities) -> Double? {
    surfaces.seen(by: camera).map { seen in
      let differences = zip(seen, surfaces.colors).map { rgb, color in
        let found = zip(Self.terms(rgb), factors).reduce(rgb.y * white.vector) { $0 + $1.0 * $1.1 }
        return LabColor(XYZ(found), white: white).ciede2000(to: LabColor(color, white: white))
      }
      return differences.reduce(0, +) / Double(differences.count)
    }
  }
}
