/// How sharp a region is: the mean square of its relative contrast from pixel to pixel, without the
/// part that is noise.
///
/// It grows with texture and with focus, so that only measures of one scene compare. It does not
/// depend on brightness, nor on average on noise, which it states the effect of: see
/// <doc:FocusMeasurement>. ``FocusMeter`` makes it of frames.
///
/// Error: `FocusMeterTests`.
public struct FocusMeasure: Hashable, Sendable {
  /// The mean of the squared gradient of linear light, relative to the region's mean and per
  /// sample: 0 without texture, 0.01 where neighbors differ by 10 % of the mean. Noise may bring it
  /// below 0.
  public let sharpness: Double
  /// The standard deviation that noise gives the sharpness, estimated from the frames' differences:
  /// within a tenth of its truth in regions of 64 tiles of 16×16 samples and more.
  public let standardError: Double
  /// The mean of the squared second differences of linear light, across and down, relative to the
  /// region's mean: what is finest counts most. Blurred edges that reach into the region from
  /// beside it are largest in `sharpness` where they are already small in this.
  public let curvature: Double
  /// The standard deviation that noise gives the curvature.
  public let curvatureError: Double
  /// The frames that it is made of.
  public let frames: Int

  /// `nil` where there is nothing to measure.
  init?(_ tiles: DetailTiles, frames: Int) {
    let means = tiles.means
    guard means.0 > 0, means.1 > 0, tiles.count >= 64, tiles.tiles.count >= 4 else { return nil }
    func mean(
      _ sums: (DetailTiles.Tile) -> DetailTiles.Sums, weight: Double
    ) -> (value: Double, error: Double) {
      var (product, variance) = (0.0, 0.0)
      for tile in tiles.tiles {
        let sums = sums(tile)
        product += sums.product
        // With gradients s + e and s + f of signal and noises, half the difference of squares,
        // s(e − f) + (e² − f²)/2, varies as much as the product's noise, s(e + f) + ef.
        let half =
          (sums.squares.0 / (means.0 * means.0) - sums.squares.1 / (means.1 * means.1)) / 2
        variance += half * half
      }
      let scale = 1 / (weight * weight * Double(tiles.count))
      return (scale * product / (means.0 * means.1), scale * variance.squareRoot())
    }
    (sharpness, standardError) = mean(\.gradient, weight: 8)
    (curvature, curvatureError) = mean(\.curvature, weight: 4)
    self.frames = frames
  }
}
