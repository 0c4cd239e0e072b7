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

  /// The mean of codes with a standard deviation: three points of a normal distribution represent
  /// it.
  @inline(__always) func meanCode(_ light: Double, deviation: Double) -> Double {
    let base = base(light)
    let middle = code(base: base)
    if deviation == 0 { return middle }
    let rise = codeSlope(base: base) * baseSlope(light, base: base)
    let width = deviation / max(rise, 20)
    let (more, less) = (self.base(light + width), self.base(light - width))
    return (4 * middle + code(base: more) + code(base: less)) / 6
  }
}
