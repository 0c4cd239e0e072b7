public import ColorScience

/// A conversion of a camera's white-balanced red, green and blue to another space, by a matrix and,
/// in addition, the square roots of the products of two channels.
///
/// Like a matrix it is independent of exposure, since the root of a product is proportional to the
/// light. It is more accurate on surfaces to which it was not fitted (`SpectralEvaluationTests`).
///
/// ```swift
/// import ColorScience
/// import WhiteBalance
///
/// func colors(of camera: SensitivityEstimate) -> XYZ? {
///   camera.rootPolynomial(under: StandardIlluminant.a.spectrum).map { colors in
///     XYZ(colors(LinearRGB(red: 0.4, green: 0.3, blue: 0.2)))
///   }
/// }
/// ```
///
/// Source: G. D. Finlayson, M. Mackiewicz and A. Hurlbert, Color Correction Using Root-Polynomial
/// Regression, IEEE Transactions on Image Processing 24 (2015), 1460–1470, second degree.
public struct RootPolynomial: Hashable, Sendable, Codable {
  /// The factors of red, green and blue, in its columns.
  public var matrix: Matrix3x3
  /// The factors of √(red · green), √(green · blue) and √(blue · red), in its columns.
  public var roots: Matrix3x3

  /// Creates a root polynomial from its parts; without roots it is a matrix.
  public init(
    matrix: Matrix3x3, roots: Matrix3x3 = Matrix3x3(diagonal: SIMD3(repeating: 0))
  ) {
    self.matrix = matrix
    self.roots = roots
  }

  /// Returns the color of a camera's response. Channels below 0, caused by noise, count as 0 in the
  /// roots.
  public func callAsFunction(_ response: LinearRGB) -> SIMD3<Double> {
    let rgb = response.vector
    return matrix * rgb + roots * Self.roots(of: rgb)
  }

  /// Returns the root polynomial followed by a matrix.
  public static func * (left: Matrix3x3, right: RootPolynomial) -> RootPolynomial {
    RootPolynomial(matrix: left * right.matrix, roots: left * right.roots)
  }

  /// √(red · green), √(green · blue), √(blue · red).
  static func roots(of rgb: SIMD3<Double>) -> SIMD3<Double> {
    let linear = pointwiseMax(rgb, .zero)
    return (linear * SIMD3(linear.y, linear.z, linear.x)).squareRoot()
  }
}
