/// The light in a frame: the statistics of the whole frame, and those in which a
/// `LightChangeDetector` looks for changes.
package struct FrameLight: Sendable {
  package let statistics: FrameStatistics
  /// The statistics for a `LightChangeDetector`; none if the frame is too small.
  package let zones: [FrameStatistics]
  package let colors: LightChangeDetector.Colors

  /// Measures a frame.
  ///
  /// - Throws: `FrameError` if there are too few bytes.
  package init(_ bytes: Span<UInt8>, layout: FrameLayout) throws(FrameError) {
    statistics = try FrameStatistics(bytes, layout: layout)
    zones = (try? Self.zones(bytes, layout)) ?? []
    colors = layout.format.lightColors
  }

  /// Returns the statistics of a grid of cells; in a large frame, those of a part of the rows.
  static func zones(
    _ bytes: Span<UInt8>, _ layout: FrameLayout
  ) throws(FrameError) -> [FrameStatistics] {
    let bands = bands(of: layout)
    var found: [FrameStatistics] = []
    for band in bands {
      let region = PixelRectangle(
        x: 0, y: band.lowerBound, width: layout.width, height: band.count)
      found += try FrameStatistics.zones(
        bytes, layout: layout, region: region, columns: LightChangeDetector.columns,
        rows: LightChangeDetector.rows / bands.count)
    }
    return found
  }

  /// Returns the rows that are looked at: those of a small frame; in a large one, the middle
  /// quarter of the rows of each row of cells, which are still many pixels.
  static func bands(of layout: FrameLayout) -> [Range<Int>] {
    let rows = LightChangeDetector.rows
    let height = layout.height / rows
    guard height >= 32 else { return [0..<layout.height] }
    return (0..<rows).map { row in
      // The rows of a color filter array come in pairs.
      let first = (row * height + height * 3 / 8) & ~1
      return first..<first + (height / 4) & ~1
    }
  }
}

extension PixelFormat {
  /// The primaries of the colors in frames: a sensor's own behind a color filter array.
  package var lightColors: LightChangeDetector.Colors {
    if case .bayer = arrangement { .sensor } else { .sRGB }
  }
}

/// A detector of changes of the light whose changes count only once the controls were read after
/// them: a new setting of the white balance changes the picture in the same way.
package struct ConfirmedLightChanges: Sendable {
  private var detector: LightChangeDetector?
  private var unconfirmed: SceneLightChange?

  /// Creates a detector that has seen no frame.
  package init() {}

  /// Indicates whether the controls must be read to confirm a change.
  package var isUnconfirmed: Bool { unconfirmed != nil }

  /// Adds a frame, before which the controls were read and were as before, and returns the change
  /// that the previous frame has shown.
  package mutating func add(_ light: FrameLight) -> SceneLightChange? {
    let confirmed = unconfirmed
    unconfirmed = nil
    guard !light.zones.isEmpty else { return nil }
    var detector = detector ?? LightChangeDetector(colors: light.colors)
    unconfirmed = detector.add(light.zones)
    self.detector = detector
    return confirmed
  }
}
