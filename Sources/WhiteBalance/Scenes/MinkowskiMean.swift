import ColorScience

/// The Minkowski mean of each channel: (Σ vᵖ / n)^(1/p), or the largest value for p = ∞.
struct MinkowskiMean {
  /// The exponent p, 1…∞.
  let norm: Double
  private var count = 0.0
  /// The largest value so far; powers are taken relative to it so that they do not all underflow.
  private var largest = SIMD3<Double>.zero
  private var sum = SIMD3<Double>.zero

  init(norm: Double) { self.norm = norm }

  /// Adds a value. Noise near black can make it negative: it is then added unchanged if p is 1, and
  /// counts as zero otherwise.
  mutating func add(_ value: SIMD3<Float>) {
    let value = SIMD3<Double>(value)
    count += 1
    if norm == 1 {
      sum += value
      return
    }
    for channel in 0..<3 where value[channel] > 0 {
      if value[channel] > largest[channel] {
        sum[channel] = 1 + sum[channel] * power(largest[channel] / value[channel], norm)
        largest[channel] = value[channel]
      } else {
        sum[channel] += power(value[channel] / largest[channel], norm)
      }
    }
  }

  /// The mean; zero without values.
  var value: SIMD3<Double> {
    if count == 0 { return .zero }
    if norm == 1 { return sum / count }
    var mean = SIMD3<Double>.zero
    for channel in 0..<3 where largest[channel] > 0 {
      mean[channel] = largest[channel] * power(sum[channel] / count, 1 / norm)
    }
    return mean
  }
}
