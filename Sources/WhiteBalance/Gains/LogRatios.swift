package import ColorScience

extension LinearRGB {
  /// ln(red/green) and ln(blue/green): the color of a response, independent of its scale.
  package var logRatios: SIMD2<Double> { SIMD2(logarithm(red / green), logarithm(blue / green)) }

  /// ln(green/red) and ln(green/blue): the logarithms of the red and blue gains that make a
  /// response neutral with a green gain of 1.
  package var logGains: SIMD2<Double> { SIMD2(logarithm(green / red), logarithm(green / blue)) }
}
