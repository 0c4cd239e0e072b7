/// An estimator that assumes that the Minkowski mean of the scene is neutral.
///
/// With p = 1 this is gray world (G. Buchsbaum, A spatial processor model for object colour
/// perception, Journal of the Franklin Institute 310, 1980); with p = ∞ it is the largest value of
/// each channel. The larger p is, the more weight bright pixels have (G. D. Finlayson, E. Trezzi,
/// Shades of gray and colour constancy, Color Imaging Conference 12, 2004, where p = 6 does best).
///
/// Domain: scenes of many colors, of which none covers most of the frame. Complexity: O(pixels of
/// the region), no memory.
public struct ShadesOfGray: IlluminantEstimator, Hashable {
  /// The exponent p of the mean, 1…∞.
  public let norm: Double

  /// Gray world: p = 1.
  public static let grayWorld = ShadesOfGray(checked: 1)

  /// Creates an estimator with an exponent; `nil` below 1 and for NaN.
  public init?(norm: Double = 6) {
    guard norm >= 1 else { return nil }
    self.init(checked: norm)
  }

  private init(checked norm: Double) { self.norm = norm }

  /// Estimates the light from a region of a frame's bytes, or from the whole frame if it is `nil`.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    var mean = MinkowskiMean(norm: norm)
    let pixels = samples.forEachUsable(bytes) { mean.add($0) }
    return SceneEstimate(response: mean.value, pixels: pixels)
  }
}
