/// The sharpness of a region: the mean square of its relative contrast from pixel to pixel, without
/// the part that is noise.
///
/// It grows with texture and with focus, so that only measures of the same scene can be compared.
/// It does not depend on brightness, nor, on average, on noise, whose effect it states: see
/// <doc:FocusMeasurement>. ``FocusMeter`` measures it from frames.
///
/// Error: `FocusMeterTests`.
public struct FocusMeasure: Hashable, Sendable {
  /// The mean of the squared gradient of linear light, relative to the region's mean and per
  /// sample: 0 without texture, 0.01 if neighbors differ by 10 % of the mean. Noise may make it
  /// negative.
  public let sharpness: Double
  /// The standard deviation of the sharpness from noise, estimated from the difference of the
  /// frames: within a tenth of the true value in regions of 64 tiles of 16×16 samples and more.
  public let standardError: Double
  /// The mean of the squared second differences of linear light, across and down, relative to the
  /// region's mean: the finest detail has the largest weight. A blurred edge that reaches into the
  /// region from outside may give `sharpness` its maximum, while this is already small.
  public let curvature: Double
  /// The standard deviation of the curvature from noise.
  public let curvatureError: Double
  /// The number of frames measured.
  public let frames: Int

  /// Computes the measure; `nil` if the tiles have too few samples or no light.
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
        // With gradients s + e and s + f of signal s and noises e and f, half the difference of
        // squares, s(e − f) + (e² − f²)/2, varies as much as the product's noise, s(e + f) + ef.
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
