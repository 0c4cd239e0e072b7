import ColorScience
import Testing

@testable import WhiteBalance

struct CandidatePathTests {
  /// Returns the XYZ of a light near the locus.
  private static func xyz(_ mired: Double) -> SIMD3<Double> {
    XYZ(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0.01))).vector
  }

  /// Returns the path from 200 to 202 mired that passes through three given lights at 200.5, 201
  /// and 201.5 mired.
  private static func path(_ lights: (Double, Double, Double)) -> CandidatePath {
    let (a, b, c) = (xyz(lights.0), xyz(lights.1), xyz(lights.2))
    // Lagrange polynomials of the three lights, at both ends.
    return CandidatePath(
      from: 200, to: 202, start: 3 * a - 3 * b + c, middle: b, end: a - 3 * b + 3 * c)
  }

  /// A path is on the light half a mired before and after the middle of a cell, and lags or leads
  /// in the middle.
  @Test(arguments: [-0.2, 0.2]) func twoZerosInOneCell(ahead: Double) {
    let roots = Self.path((200.5, 201 + ahead, 201.5)).roots()
    #expect(roots.count == 2)
    for (root, expected) in zip(roots, [200.5, 201.5]) { #expect(abs(root - expected) <= 1e-9) }
  }

  /// A path lags or leads everywhere, least in the middle.
  @Test(arguments: [-1.0, 1]) func noZeroWhereItOnlyComesNear(side: Double) {
    let lights = (200.5 + side * 0.4, 201 + side * 0.1, 201.5 + side * 0.4)
    #expect(Self.path(lights).roots().isEmpty)
  }
}
