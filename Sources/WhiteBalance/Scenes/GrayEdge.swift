import ColorScience

/// An estimator that assumes that the scene's mean derivative is neutral: differences between
/// neighboring pixels show the light's color more often than the pixels themselves do.
///
/// The method is that of J. van de Weijer, Th. Gevers, A. Gijsenij, Edge-based color constancy,
/// IEEE Transactions on Image Processing 16(9), 2007. The frame is smoothed by a Gaussian of σ,
/// differentiated, and averaged with a Minkowski mean of p. The first order uses the length of the
/// gradient, the second the Frobenius norm of the matrix of second derivatives, which does not
/// depend on the direction; order 0 only smooths.
///
/// The Gaussian ends at 3σ. Pixels from which it reaches past the region or onto a clipped pixel
/// are not used, so that neither the border nor a highlight counts as an edge. Sizes are in pixels,
/// or in the 2×2 cells of a color filter array.
///
/// Domain: scenes with edges that stand out from the noise; a channel whose mean change is below a
/// millionth of white has no response. Complexity: O(σ · pixels of the region), and memory for 6σ
/// rows.
public struct GrayEdge: IlluminantEstimator, Hashable {
  /// The order of the derivative: 0, 1 or 2.
  public let order: Int
  /// The exponent p of the mean, 1…∞.
  public let norm: Double
  /// The standard deviation σ of the Gaussian, in samples: 0.3…50; order 0 also allows 0, no
  /// smoothing.
  public let sigma: Double

  /// Creates an estimator, by default with the values of the authors' example; `nil` for values out
  /// of range.
  public init?(order: Int = 1, norm: Double = 5, sigma: Double = 2) {
    guard (0...2).contains(order), norm >= 1,
      (0.3...50).contains(sigma) || (sigma == 0 && order == 0)
    else { return nil }
    self.order = order
    self.norm = norm
    self.sigma = sigma
  }

  /// Estimates the light from a region of a frame's bytes, or from the whole frame if it is `nil`.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    var counts = samples.unreadPixels
    var mean = MinkowskiMean(norm: norm)
    let radius = Int((3 * sigma).rounded(.up))
    let kernels = (0...order).map { Self.kernel(order: $0, sigma: sigma, radius: radius) }
    let columns = samples.columns
    let span = 2 * radius + 1
    // The last rows, differentiated along the row, for each order up to `order`.
    var rows = [[SIMD3<Float>]](
      repeating: [SIMD3<Float>](repeating: .zero, count: span * columns), count: order + 1)
    var isUsable = [Bool](repeating: false, count: span * columns)
    // For each column, the last row in which the Gaussian touches a clipped sample.
    var clippedRow = [Int](repeating: -span, count: columns)
    var line = [SIMD3<Float>](repeating: .zero, count: columns)
    for row in 0..<samples.rows {
      let start = row % span * columns
      for column in 0..<columns {
        let (linear, use) = samples.sceneSample(bytes, column: column, row: row)
        if use != .usable { counts.add(use, pixels: samples.pixelsPerSample) }
        line[column] = linear
        isUsable[start + column] = use == .usable
        if use == .clipped {
          for near in max(0, column - radius)...min(columns - 1, column + radius) {
            clippedRow[near] = row
          }
        }
      }
      guard columns >= span else { continue }
      for along in 0...order {
        for column in radius..<columns - radius {
          var sum = SIMD3<Float>.zero
          for tap in 0..<span { sum += kernels[along][tap] * line[column - radius + tap] }
          rows[along][start + column] = sum
        }
      }
      guard row >= 2 * radius else { continue }
      /// Returns the derivative of the middle row, of the given orders along and across the row.
      func derivative(along: Int, across: Int) -> [SIMD3<Float>] {
        var sum = [SIMD3<Float>](repeating: .zero, count: columns)
        for tap in 0..<span {
          let weight = kernels[across][tap]
          let start = (row - 2 * radius + tap) % span * columns
          for column in radius..<columns - radius {
            sum[column] += weight * rows[along][start + column]
          }
        }
        return sum
      }
      // The mixed derivative occurs twice in the matrix and is counted twice below.
      let parts = (0...order).map { derivative(along: order - $0, across: $0) }
      let middle = (row - radius) % span * columns
      for column in radius..<columns - radius
      where isUsable[middle + column] && clippedRow[column] < row - 2 * radius {
        counts.used += samples.pixelsPerSample
        if order == 0 {
          mean.add(parts[0][column])
        } else {
          var square = SIMD3<Float>.zero
          for (index, part) in parts.enumerated() {
            square += (order == 2 && index == 1 ? 2 : 1) * part[column] * part[column]
          }
          mean.add(square.squareRoot())
        }
      }
    }
    var response = mean.value
    // The rounding error of a flat channel is not an edge.
    if order > 0 { response.replace(with: 0, where: response .< 1e-6) }
    return SceneEstimate(response: response, pixels: counts)
  }

  /// Returns weights that give the exact derivative of a polynomial whose degree is the order.
  private static func kernel(order: Int, sigma: Double, radius: Int) -> [Float] {
    let x = (-radius...radius).map(Double.init)
    let gauss = x.map { sigma == 0 ? 1 : exponential(-$0 * $0 / (2 * sigma * sigma)) }
    func sum(_ values: [Double]) -> Double { values.reduce(0, +) }
    let total = sum(gauss)
    let moment = sum(zip(x, gauss).map { $0 * $0 * $1 })
    func divided(_ weights: [Double], by scale: Double) -> [Float] {
      weights.map { Float($0 / scale) }
    }
    switch order {
    case 0: return divided(gauss, by: total)
    case 1: return divided(zip(x, gauss).map { $0 * $1 }, by: moment)
    default:
      let weights = zip(x, gauss).map { ($0 * $0 - moment / total) * $1 }
      return divided(weights, by: sum(zip(x, weights).map { $0 * $0 * $1 }) / 2)
    }
  }
}
