/// The counts of a region's pixels by their usability.
public struct PixelCounts: Hashable, Sendable, Codable {
  /// The number of all pixels.
  public var total: Int
  /// Pixels from which a result was computed.
  public var used = 0
  /// Pixels with a channel at or above the white level.
  public var clipped = 0
  /// Pixels that are too dark by the criterion of the measurement and have no clipped channel.
  public var dark = 0
  /// Pixels whose red is at or above the white level.
  public var redClipped = 0
  /// Pixels whose green is at or above the white level; in a color filter array, the larger count
  /// of its two greens.
  public var greenClipped = 0
  /// Pixels whose blue is at or above the white level.
  public var blueClipped = 0

  static let none = PixelCounts(total: 0)
}

extension PixelCounts {
  /// Creates counts from sums; samples below the bounds are dark.
  init(_ sums: FrameSums, _ summation: any FrameSummation) {
    let each = summation.samples.pixelsPerSample
    let above = summation.above(sums)
    self.init(
      total: each * (sums.used + sums.above + sums.below), used: each * sums.used,
      clipped: each * sums.above, dark: each * sums.below, redClipped: each * above.red,
      greenClipped: each * above.green, blueClipped: each * above.blue)
  }

  static func += (counts: inout PixelCounts, other: PixelCounts) {
    counts.total += other.total
    counts.used += other.used
    counts.clipped += other.clipped
    counts.dark += other.dark
    counts.redClipped += other.redClipped
    counts.greenClipped += other.greenClipped
    counts.blueClipped += other.blueClipped
  }
}
