/// The exact derivatives, with respect to x and y, of ln(green/red) and ln(green/blue) of a
/// response. These are the logarithms of the red and the blue gain, relative to green.
public struct LogGainSlopes: Hashable, Sendable {
  /// The derivatives of red with respect to x and to y.
  public var red: SIMD2<Double>
  /// The derivatives of blue with respect to x and to y.
  public var blue: SIMD2<Double>

  /// Creates slopes from their parts.
  public init(red: SIMD2<Double>, blue: SIMD2<Double>) {
    self.red = red
    self.blue = blue
  }

  /// Creates slopes from the relative changes of red, green and blue with x and with y.
  init(byX: SIMD3<Double>, byY: SIMD3<Double>) {
    self.init(red: SIMD2(byX.y - byX.x, byY.y - byY.x), blue: SIMD2(byX.y - byX.z, byY.y - byY.z))
  }
}
