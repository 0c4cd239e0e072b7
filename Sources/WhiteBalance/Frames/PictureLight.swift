internal import ColorScience

/// The light of a picture, zone by zone, for comparing the exposures of pictures of one scene.
package struct PictureLight: Sendable {
  /// The linear level of each zone; `nil` if it is clipped or too dark.
  package let zones: [Double?]
  /// The mean level of the whole region; a lower bound if something is clipped.
  package let level: Double
  /// The fraction of the pixels that have a clipped channel.
  package let clipped: Double

  /// The linear level that counts as correctly exposed: that of an 18 % gray card.
  package static let middleGray = 0.18
  /// The level relative to middle gray, in stops.
  package var offset: Double { logarithm(level / Self.middleGray) / logarithm(2) }
  /// `true` if so much is clipped that `level` is only a lower bound.
  package var isAtLeast: Bool { clipped > 0.01 }

  private static let side = 12
  /// The smallest usable level: below it, an 8-bit code is too coarse.
  private static let darkest = 0.003
  /// A zone is not used if more than one in this number of its pixels is black: noise is then cut
  /// off at black, which makes the mean too bright.
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
    // Single hot pixels are not light of the scene, but would dominate the mean of a dark picture.
    level =
      clipped < Self.hot
      ? sum { Self.luma($0.mean) * Double($0.pixels.used) } / max(sum { Double($0.pixels.used) }, 1)
      : sum(Self.atLeast) / max(sum { Double($0.pixels.total) }, 1)
  }

  /// The fraction of clipped pixels below which they count as hot pixels of the sensor.
  private static let hot = 0.005

  /// Returns the sum of a zone's levels: a clipped channel counts as white, and the others of its
  /// pixel as the mean of the unclipped pixels.
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

  /// Creates the mean of several pictures of one exposure.
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

  /// Returns the luminance with Rec. 709's weights.
  private static func luma(_ color: LinearRGB) -> Double {
    (SIMD3(0.2126, 0.7152, 0.0722) * color.vector).sum()
  }

  /// Returns the exposure relative to another picture's, in stops; `nil` if too few zones can be
  /// measured in both.
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
