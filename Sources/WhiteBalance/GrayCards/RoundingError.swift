import ColorScience

/// Returns the mean square of the error that rounding to codes leaves in a mean, however many
/// samples are averaged.
///
/// The mean of a rounded normal distribution with a standard deviation of σ codes is off by up to
/// exp(−2π²σ²)/π codes (B. Widrow, I. Kollár: Quantization Noise, 2008): enough noise dithers the
/// rounding away. If the noise is so small that all samples have one or two codes, they do not
/// determine it: with a share p at the upper code, the true mean may be anywhere within |p − ½| of
/// ½.
///
/// - Parameters:
///   - variance: the variance of the rounded samples, to which rounding adds 1/12 of a squared
///     code.
///   - width: the width of a code, in the unit of the samples.
func roundingVariance(_ variance: Double, codeWidth width: Double = 1) -> Double {
  let inCodes = variance / (width * width)
  let bias = exponential(-2 * .pi * .pi * max(0, inCodes - 1 / 12)) / .pi
  // The variance with a share p at the upper code is p·(1 − p) = ¼ − (p − ½)².
  return width * width * max(bias * bias / 2, (0.25 - inCodes) / 3)
}
