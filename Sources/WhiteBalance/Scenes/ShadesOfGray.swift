/// Takes the Minkowski mean of the scene for neutral.
///
/// With p = 1 it is gray world (G. Buchsbaum, A spatial processor model for object colour
/// perception, Journal of the Franklin Institute 310, 1980), with p = ∞ the largest value of each
/// channel; between the two, brighter pixels weigh more (G. D. Finlayson, E. Trezzi, Shades of gray
/// and colour constancy, Color Imaging Conference 12, 2004, where p = 6 does best).
///
/// Domain: scenes of many colors, of which none covers most of the frame. Complexity: O(pixels of
/// the region), no memory.
public struct ShadesOfGray: IlluminantEstimator, Hashable {
  /// The exponent p of the mean, 1…∞.
  public let norm: Double

  /// Gray world: p = 1.
  public static let grayWorld = ShadesOfGray(checked: 1)

  /// A mean with an exponent; `nil` below 1, and for NaN.
  public init?(norm: Double = 6) {
    guard norm >= 1 else { return nil }
    self.init(checked: norm)
  }

  private init(checked norm: Double) { self.norm = norm }

  /// The estimate from a region of a frame's bytes; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the bytes are too few or the region is not inside the frame.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    var counts = samples.unreadPixels
    var mean = MinkowskiMean(norm: norm)
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let (light, use) = samples.sceneSample(bytes, column: column, row: row)
        counts.add(use, pixels: samples.pixelsPerSample)
        if use == .usable { mean.add(light) }
      }
    }
    return SceneEstimate(response: mean.value, pixels: counts)
  }
}
