/// Counts of pixels in a region, by what they are good for.
public struct PixelCounts: Hashable, Sendable {
  /// All pixels.
  public var total: Int
  /// Pixels from which a result was computed.
  public var used: Int
  /// Pixels with a channel at or above the white level.
  public var clipped: Int
  /// Pixels that are too dark, by the rule of what counted them, and have no clipped channel.
  public var dark: Int
  /// Pixels whose red is at or above the white level.
  public var redClipped: Int
  /// Pixels whose green is at or above the white level; in a color filter array, the larger count
  /// of its two greens.
  public var greenClipped: Int
  /// Pixels whose blue is at or above the white level.
  public var blueClipped: Int

  static let none = PixelCounts(total: 0)

  /// Counts as given.
  public init(
    total: Int, used: Int = 0, clipped: Int = 0, dark: Int = 0, redClipped: Int = 0,
    greenClipped: Int = 0, blueClipped: Int = 0
  ) {
    self.total = total
    self.used = used
    self.clipped = clipped
    self.dark = dark
    self.redClipped = redClipped
    self.greenClipped = greenClipped
    self.blueClipped = blueClipped
  }

  /// The counts of sums: dark is what lies below the bounds.
  init(_ sums: FrameSums, _ summation: FrameSummation) {
    let each = summation.samples.pixelsPerSample
    let above = summation.above(sums)
    self.init(
      total: each * (sums.used + sums.above + sums.below), used: each * sums.used,
      clipped: each * sums.above, dark: each * sums.below, redClipped: each * above.red,
      greenClipped: each * above.green, blueClipped: each * above.blue)
  }

  /// Adds the counts of other pixels.
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
