internal import ColorScience

/// A camera's tone curve: `(1 + a) x^(1/γ) − a` with its tangent through 0, which includes sRGB,
/// BT.709 and powers; then a warp for what cameras add to it; then black.
struct ToneShape {
  private var warp = MonotoneWarp(.tone)
  private var (toe, power, corner, tangent) = (0.0, 0.0, 0.0, 0.0)
  private var black = 0.0

  mutating func setBase(_ parameters: [Double]) {
    toe = exponential(min(max(parameters[ParameterLayout.toe], -9), 0))
    power = exponential(-min(max(parameters[ParameterLayout.gamma], 0.2), 1.5))
    corner = ColorScience.power(toe / ((1 + toe) * (1 - power)), 1 / power)
    tangent = (1 + toe) * power * ColorScience.power(corner, power - 1)
  }

  mutating func setWarp(_ parameters: [Double]) {
    warp.setCoefficients(parameters, from: ParameterLayout.tone)
    black = parameters[ParameterLayout.black]
  }

  /// The curve before its warp, for a linear value that may be outside 0…1.
  @inline(__always) func base(_ light: Double) -> Double {
    let x = min(max(light, 0), 1)
    return x < corner
      ? tangent * x : min(max((1 + toe) * ColorScience.power(x, power) - toe, 0), 1)
  }

  /// The slope of `base` by light; 0 where light clips.
  @inline(__always) func baseSlope(_ light: Double, base: Double) -> Double {
    if light <= 0 || light >= 1 { return 0 }
    return light < corner ? tangent : power * (base + toe) / light
  }

  /// The code of a value of `base`.
  @inline(__always) func code(base: Double) -> Double { 255 * (black + (1 - black) * warp(base)) }

  /// The derivative of the code by `base`.
  @inline(__always) func codeSlope(base: Double) -> Double {
    255 * (1 - black) * warp.slope(at: base)
  }

  /// The three values of `base` that represent the pixels of a mean: a normal distribution's
  /// middle, and a point on either side.
  struct Points {
    let middle, more, less: Double
    /// The distance of the outer points from the middle, as light.
    let width: Double
    /// The derivative of the middle's code by light.
    let rise: Double
  }

  /// The points of pixels whose codes have a standard deviation.
  @inline(__always) func points(_ light: Double, deviation: Double) -> Points {
    let base = base(light)
    if deviation == 0 { return Points(middle: base, more: base, less: base, width: 0, rise: 0) }
    let rise = codeSlope(base: base) * baseSlope(light, base: base)
    let width = deviation / max(rise, Self.leastRise)
    return Points(
      middle: base, more: self.base(light + width), less: self.base(light - width), width: width,
      rise: rise)
  }

  /// The least rise, in codes, that a point's distance assumes: the curve may be level.
  private static let leastRise = 20.0

  /// The mean of codes with a standard deviation.
  @inline(__always) func meanCode(_ light: Double, deviation: Double) -> Double {
    meanCode(points(light, deviation: deviation))
  }

  @inline(__always) func meanCode(_ points: Points) -> Double {
    (4 * code(base: points.middle) + code(base: points.more) + code(base: points.less)) / 6
  }
}

/// The derivatives of mean codes. Those by the parameters of `base` are left to differences.
extension ToneShape {
  /// Computes what the derivatives by the warp's coefficients need.
  mutating func setDerivatives() { warp.setDerivatives() }

  /// The derivative of a mean code by the logarithm of the deviation.
  @inline(__always) func slopeByNoise(_ points: Points, _ light: Double) -> Double {
    if points.width == 0 { return 0 }
    let (more, less) = (light + points.width, light - points.width)
    return points.width
      * (codeSlope(base: points.more) * baseSlope(more, base: points.more)
        - codeSlope(base: points.less) * baseSlope(less, base: points.less)) / 6
  }

  /// The derivative of a mean code by a coefficient of the warp. The points move, too, as the
  /// curve's rise changes.
  @inline(__always) func slopeByWarp(_ coefficient: Int, _ points: Points, byNoise: Double)
    -> Double
  {
    let direct =
      4 * warp.derivative(by: coefficient, at: points.middle)
      + warp.derivative(by: coefficient, at: points.more)
      + warp.derivative(by: coefficient, at: points.less)
    let fixed = 255 * (1 - black) * direct / 6
    if points.rise <= Self.leastRise { return fixed }
    return fixed - byNoise * warp.slopeDerivative(by: coefficient, at: points.middle)
      / warp.slope(at: points.middle)
  }

  /// The derivative of a mean code by black.
  @inline(__always) func slopeByBlack(_ points: Points, byNoise: Double) -> Double {
    let mean = (4 * warp(points.middle) + warp(points.more) + warp(points.less)) / 6
    return 255 * (1 - mean) + (points.rise > Self.leastRise ? byNoise / (1 - black) : 0)
  }
}
