import ColorScience

/// A camera model as eight numbers whose distribution over measured cameras is nearly normal.
///
/// Row i of the matrix is (aᵢ, (1 − aᵢXw − cᵢZw)/Yw, cᵢ), so that the response to D65, W, is 1 in
/// every channel; red and blue are then divided by e to the power of their log gains under D65. The
/// order of the numbers is: log gain of red, of blue, then a and c of red, green, blue.
struct CameraParameters: Hashable, Sendable {
  static let count = 8
  var values: [Double]

  private static let white = XYZ(StandardIlluminant.d65.chromaticity)

  /// The difference of a light from D65 in X and Z at Y = 1; the model depends on nothing else.
  struct LightOffset {
    var x, z: Double

    init(_ light: Chromaticity) {
      let xyz = XYZ(light)
      x = xyz.x - white.x
      z = xyz.z - white.z
    }
  }

  /// The response to a light relative to D65, before the gains.
  func relativeResponse(to light: LightOffset) -> SIMD3<Double> {
    1 + light.x * SIMD3(values[2], values[4], values[6])
      + light.z * SIMD3(values[3], values[5], values[7])
  }

  /// ln(green/red) and ln(green/blue) of the response to a light, and their derivatives with
  /// respect to the eight parameters; `nil` if the relative response of a channel is below `floor`.
  func logGains(
    for light: LightOffset, floor: Double
  ) -> (values: SIMD2<Double>, jacobian: [[Double]])? {
    let q = relativeResponse(to: light)
    guard q.min() >= floor else { return nil }
    let (dr, dg, db) = (1 / q.x, 1 / q.y, 1 / q.z)
    return (
      SIMD2(values[0], values[1]) + LinearRGB(q).logGains,
      [
        [1, 0, -light.x * dr, -light.z * dr, light.x * dg, light.z * dg, 0, 0],
        [0, 1, 0, 0, light.x * dg, light.z * dg, -light.x * db, -light.z * db],
      ]
    )
  }

  /// The camera as the matrix of `average` and the diagonal by which it differs from it in red and
  /// blue.
  func model(relativeTo average: CameraParameters) throws(CameraModelError) -> MatrixCameraModel {
    func row(_ a: Double, _ c: Double, logGain: Double) -> SIMD3<Double> {
      exponential(-logGain) * SIMD3(a, 1 - a * Self.white.x - c * Self.white.z, c)
    }
    return try MatrixCameraModel(
      matrix: Matrix3x3(
        row(values[2], values[3], logGain: average.values[0]),
        row(values[4], values[5], logGain: 0),
        row(values[6], values[7], logGain: average.values[1])),
      unitCalibration: LinearRGB(
        red: exponential(average.values[0] - values[0]), green: 1,
        blue: exponential(average.values[1] - values[1])))
  }
}
