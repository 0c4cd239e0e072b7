import ColorScience

/// The mean square of the error that rounding to codes leaves in a mean, however many samples it is
/// of.
///
/// A normal distribution of σ codes, rounded, has a mean that is off by up to exp(−2π²σ²)/π codes
/// (B. Widrow, I. Kollár: Quantization Noise, 2008): noise that is large enough dithers the
/// rounding away.
///
/// The variance is that of the rounded samples, to which rounding adds 1/12 of a code squared.
func roundingVariance(_ variance: Double, codeWidth width: Double = 1) -> Double {
  let inCodes = variance / (width * width)
  let bias = width * exponential(-2 * .pi * .pi * max(0, inCodes - 1 / 12)) / .pi
  return bias * bias / 2
}
