internal import ColorScience

/// The light of a picture, zone by zone: two pictures of one scene tell by it how much more light
/// one of them has.
package struct PictureLight: Sendable {
  /// The linear light of each zone; `nil` where it is clipped, or too dark to tell.
  package let zones: [Double?]
  /// The mean of the whole region; there is at least so much where something is clipped.
  package let level: Double
  /// The share of the pixels that have a clipped channel.
  package let clipped: Double

  /// The level of linear light that counts as rightly exposed: that of a gray card of 18 %.
  package static let middleGray = 0.18
  /// The level relative to middle gray, in stops.
  package var offset: Double { logarithm(level / Self.middleGray) / logarithm(2) }
  /// `true` if so much is clipped that there is more light than is seen.
  package var isAtLeast: Bool { clipped > 0.01 }

  private static let side = 12
  /// Below this an 8-bit code tells little.
  private static let darkest = 0.003
  /// Of a zone with more than one black pixel in so many the noise is cut off at black, and its
  /// mean is lighter than its light.
  private static let blackOnce = 50

  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle
  ) throws(FrameError) {
    let side = max(min(Self.side, region.width / 4, region.height / 4), 1)
    func zones(_ darkLevel: Double?) throws(FrameError) -> [FrameStatistics] {
      try FrameStatistics.zones(
        bytes, layout: layout, region: region, columns: side, rows: side, darkLevel: darkLevel)
    }
    let all = try zones(nil)
    self.zones = zip(all, try zones(0)).map { zone, dark in
      let value = Self.luma(zone.mean)
      let isUsable =
        zone.pixels.clipped * 500 <= zone.pixels.total
        && dark.pixels.dark * Self.blackOnce <= zone.pixels.total && value > Self.darkest
      return isUsable ? value : nil
    }
    func sum(_ value: (FrameStatistics) -> Double) -> Double { all.reduce(0) { $0 + value($1) } }
    clipped = sum { Double($0.pixels.clipped) } / max(sum { Double($0.pixels.total) }, 1)
    // Single hot pixels are no light of the scene, and in the dark would be most of it.
    level =
      clipped < Self.hot
      ? sum { Self.luma($0.mean) * Double($0.pixels.used) } / max(sum { Double($0.pixels.used) }, 1)
      : sum(Self.atLeast) / max(sum { Double($0.pixels.total) }, 1)
  }

  /// The share of clipped pixels below which they are the sensor's.
  private static let hot = 0.005

  /// The light of a zone's pixels: a clipped channel counts as white, and the others of its pixel
  /// as they are where nothing is clipped.
  private static func atLeast(_ zone: FrameStatistics) -> Double {
    func channel(_ mean: Double, _ clipped: Int) -> Double {
      mean * Double(zone.pixels.total - clipped) + Double(clipped)
    }
    return luma(
      LinearRGB(
        red: channel(zone.mean.red, zone.pixels.redClipped),
        green: channel(zone.mean.green, zone.pixels.greenClipped),
        blue: channel(zone.mean.blue, zone.pixels.blueClipped)))
  }

  /// The mean of several pictures of one exposure.
  package init(averaging pictures: [PictureLight]) {
    precondition(!pictures.isEmpty, "`pictures` must not be empty")
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
  package func stops(above other: PictureLight) -> Double? {
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
