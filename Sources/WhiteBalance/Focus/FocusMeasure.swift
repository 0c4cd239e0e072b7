internal import ColorScience

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
  /// The frames that it is made of.
  public let frames: Int

  /// `nil` where there is nothing to measure.
  init?(_ tiles: DetailTiles, frames: Int) {
    let (first, second) = tiles.means
    guard first > 0, second > 0, tiles.count >= 64, tiles.tiles.count >= 4 else { return nil }
    // Sobel's weights add up to 8 per sample.
    let scale = 1 / (64 * Double(tiles.count))
    var (product, variance) = (0.0, 0.0)
    for tile in tiles.tiles {
      product += tile.product
      // With gradients s + e and s + f of signal and noises, half the difference of squares,
      // s(e − f) + (e² − f²)/2, varies as much as the product's noise, s(e + f) + ef.
      let half = (tile.squares.0 / (first * first) - tile.squares.1 / (second * second)) / 2
      variance += half * half
    }
    sharpness = scale * product / (first * second)
    standardError = scale * variance.squareRoot()
    self.frames = frames
  }
}
