/// A transform of tristimulus values after which a color looks the same under another white.
///
/// ```swift
/// let lamp = StandardIlluminant.a.chromaticity
/// let paper = StandardIlluminant.d50.chromaticity
/// if let adaptation = ChromaticAdaptation(from: lamp, to: paper) {
///   print(adaptation.adapted(XYZ(x: 0.40, y: 0.35, z: 0.10)))  // X 0.3448, Y 0.3462, Z 0.2307
/// }
/// ```
///
/// Each cone response of the color is multiplied by D·d/s + 1 − D, where s and d are the responses
/// to the source and the destination white and D is the degree of adaptation. CIECAM02 and CIECAM16
/// (CIE 159:2004, CIE 248:2022) do the same with equal energy as the destination; here it can be
/// any white. If the whites differ in luminance, luminance is scaled too.
public struct ChromaticAdaptation: Hashable, Sendable {
  /// The space of cone responses in which colors are scaled.
  public enum Method: CaseIterable, Hashable, Sendable {
    /// Lam's Bradford matrix without its exponent, as ICC.1:2022 annex E uses it.
    case bradford
    /// The matrix of CIECAM02 (CIE 159:2004).
    case cat02
    /// The matrix of CIECAM16 (Li et al., Color Res. Appl. 42, 2017; CIE 248:2022).
    case cat16
    /// The matrix of Hunt, Pointer and Estevez, scaled so that the three responses to D65 are
    /// equal, with the five decimals that are published.
    case vonKries
    /// X, Y and Z are scaled directly. This is no model of vision; it serves to compare results
    /// with software that adapts in this way.
    case xyzScaling

    /// The published matrix from XYZ to cone responses.
    public var coneResponse: Matrix3x3 {
      switch self {
      case .bradford:
        Matrix3x3(
          SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367),
          SIMD3(0.0389, -0.0685, 1.0296))
      case .cat02:
        Matrix3x3(
          SIMD3(0.7328, 0.4296, -0.1624), SIMD3(-0.7036, 1.6975, 0.0061),
          SIMD3(0.0030, 0.0136, 0.9834))
      case .cat16:
        Matrix3x3(
          SIMD3(0.401288, 0.650173, -0.051461), SIMD3(-0.250268, 1.204414, 0.045854),
          SIMD3(-0.002079, 0.048952, 0.953127))
      case .vonKries:
        Matrix3x3(
          SIMD3(0.40024, 0.7076, -0.08081), SIMD3(-0.2263, 1.16532, 0.0457), SIMD3(0, 0, 0.91822))
      case .xyzScaling: Matrix3x3(diagonal: SIMD3(1, 1, 1))
      }
    }
  }

  /// The matrix from XYZ seen under the source white to XYZ seen under the destination white.
  public let matrix: Matrix3x3

  /// Creates the transform from one white to another.
  ///
  /// Domain: any pair of whites with positive cone responses, D in 0…1. Error: ≤ 1e-15 of the
  /// largest element (`ChromaticAdaptationTests`). Edge cases: `nil` if one of the whites has a
  /// cone response that is zero, negative or not finite, which strongly colored whites may have,
  /// and if D is NaN or outside 0…1.
  ///
  /// - Parameters:
  ///   - source: the white under which colors are seen.
  ///   - destination: the white to which they are adapted.
  ///   - method: the space of cone responses.
  ///   - degree: the degree of adaptation D, from 0 (none) to 1 (complete).
  public init?(
    from source: XYZ, to destination: XYZ, method: Method = .bradford, degree: Double = 1
  ) {
    let cone = method.coneResponse
    let s = LinearRGB(cone * source.vector)
    let d = LinearRGB(cone * destination.vector)
    guard s.isPositive, d.isPositive, (0...1).contains(degree), let inverse = cone.inverse else {
      return nil
    }
    let gains = degree * d.vector / s.vector + (1 - degree)
    guard LinearRGB(gains).isPositive else { return nil }
    matrix = inverse * Matrix3x3(diagonal: gains) * cone
  }

  /// Creates the transform between whites of luminance 1; also `nil` if y is zero.
  public init?(
    from source: Chromaticity, to destination: Chromaticity, method: Method = .bradford,
    degree: Double = 1
  ) {
    self.init(from: XYZ(source), to: XYZ(destination), method: method, degree: degree)
  }

  /// Returns the color that looks under the destination white as `xyz` does under the source white;
  /// nothing is clamped.
  public func adapted(_ xyz: XYZ) -> XYZ { XYZ(matrix * xyz.vector) }
}
