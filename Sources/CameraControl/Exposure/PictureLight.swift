internal import ColorScience
internal import WhiteBalance

/// The light of a picture, zone by zone: two pictures of one scene tell by it how much more light
/// one of them has.
struct PictureLight: Sendable {
  /// The linear light of each zone; `nil` where it is clipped, or too dark to tell.
  let zones: [Double?]
  /// The mean of the whole region, what is clipped being white: at least this.
  let level: Double
  /// The share of the pixels that have a clipped channel.
  let clipped: Double

  private static let side = 12
  /// Below this an 8-bit code tells little.
  private static let darkest = 0.003
  /// Of a zone with more than one black pixel in so many the noise is cut off at black, and its
  /// mean is lighter than its light.
  private static let blackOnce = 50

  init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle
  ) throws(FrameError) {
    let side = max(min(Self.side, region.width / 4, region.height / 4), 1)
    func zones(_ darkLevel: Double?) throws(FrameError) -> [FrameStatistics] {
      try FrameStatistics.zones(
        bytes, layout: layout, region: region, columns: side, rows: side, darkLevel: darkLevel)
    }
    var (light, above, total) = (0.0, 0, 0)
    self.zones = zip(try zones(nil), try zones(0)).map { zone, dark in
      let value = Self.luma(zone.mean)
      light += value * Double(zone.pixels.used) + Double(zone.pixels.clipped)
      above += zone.pixels.clipped
      total += zone.pixels.total
      let isUsable =
        zone.pixels.clipped * 500 <= zone.pixels.total
        && dark.pixels.dark * Self.blackOnce <= zone.pixels.total && value > Self.darkest
      return isUsable ? value : nil
    }
    level = light / Double(max(total, 1))
    clipped = Double(above) / Double(max(total, 1))
  }

  /// The mean of several pictures of one exposure.
  init(averaging pictures: [PictureLight]) {
    precondition(!pictures.isEmpty, "there is a picture")
    let count = Double(pictures.count)
    zones = pictures[0].zones.indices.map { zone in
      let values = pictures.compactMap { $0.zones[zone] }
      return values.count == pictures.count ? values.reduce(0, +) / count : nil
    }
    level = pictures.reduce(0) { $0 + $1.level } / count
    clipped = pictures.reduce(0) { $0 + $1.clipped } / count
  }

  /// Rec. 709's weights.
  private static func luma(_ color: LinearRGB) -> Double {
    (SIMD3(0.2126, 0.7152, 0.0722) * color.vector).sum()
  }

  /// By how many stops the picture has more light than another; `nil` where too few zones are seen
  /// in both.
  func stops(above other: PictureLight) -> Double? {
    var (mine, theirs, count) = (0.0, 0.0, 0)
    for (here, there) in zip(zones, other.zones) {
      guard let here, let there else { continue }
      mine += here
      theirs += there
      count += 1
    }
    guard count * 20 >= zones.count, count > 0, mine > 0, theirs > 0 else { return nil }
    return logarithm(mine / theirs) / logarithm(2)
  }
}
