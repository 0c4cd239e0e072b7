public import ColorScience

/// Estimates the light from what scenes are like on average, where no surface is known to be
/// neutral.
///
/// Pixels are read in linear light after the black level is subtracted. Those with a clipped
/// channel are left out, since clipping shifts their color; so are the dark ones, whose brightest
/// channel is at most `SceneEstimate.darkLevel`: they hold noise and black level rather than color.
///
/// No estimator knows whether its assumption holds for the scene, hence none has a standard error.
public protocol IlluminantEstimator: Sendable {
  /// The estimate from a region of a frame's bytes; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the bytes are too few or the region is not inside the frame.
  func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate
}

extension IlluminantEstimator {
  /// The estimate from a region of a frame; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the region is not inside the frame.
  public func estimate(
    _ frame: Frame, region: PixelRectangle? = nil
  ) throws(FrameError) -> SceneEstimate {
    try estimate(frame.bytes.span, layout: frame.layout, region: region)
  }
}

/// What an assumption about the scene says about the light.
public struct SceneEstimate: Hashable, Sendable {
  /// Counts of pixels in the region.
  public struct PixelCounts: Hashable, Sendable {
    /// All of them.
    public var total: Int
    /// Those that the estimate rests on.
    public var used: Int
    /// Those with a channel at or above the white level.
    public var clipped: Int
    /// Those whose brightest channel is at or below the dark level.
    public var dark: Int

    /// Counts as given.
    public init(total: Int, used: Int = 0, clipped: Int = 0, dark: Int = 0) {
      (self.total, self.used, self.clipped, self.dark) = (total, used, clipped, dark)
    }
  }

  /// The linear light, relative to white, at and below which a pixel is dark.
  public static let darkLevel = 0.002

  /// The response (red, green, blue) to what the method takes for neutral; only the ratios have a
  /// meaning. Zero if no pixel was usable.
  public let response: LinearRGB
  /// The gains that make the response neutral, the smallest 1; `nil` unless all channels respond.
  public let gains: Gains?
  /// Counts of pixels.
  public let pixels: PixelCounts

  init(response: SIMD3<Double>, pixels: PixelCounts) {
    self.response = LinearRGB(response)
    gains = Gains(neutralizing: self.response)
    self.pixels = pixels
  }
}

extension LinearSamples {
  /// The samples of a region, or of the whole frame, whose bytes have been counted.
  init(
    counting bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) {
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    try self.init(layout: layout, region: region ?? layout.bounds)
  }

  /// Counts with nothing read yet.
  var unreadPixels: SceneEstimate.PixelCounts {
    .init(total: columns * rows * pixelsPerSample)
  }

  /// What a sample is good for.
  enum Use { case usable, clipped, dark }

  /// A sample's light and what it is good for.
  func sceneSample(
    _ bytes: Span<UInt8>, column: Int, row: Int
  ) -> (light: SIMD3<Float>, use: Use) {
    let sample = sample(bytes, column: column, row: row)
    if sample.redClipped || sample.greenClipped || sample.blueClipped {
      return (sample.light, .clipped)
    }
    let isDark = sample.light.max() <= Float(SceneEstimate.darkLevel)
    return (sample.light, isDark ? .dark : .usable)
  }
}

extension SceneEstimate.PixelCounts {
  mutating func add(_ use: LinearSamples.Use, pixels: Int) {
    switch use {
    case .usable: used += pixels
    case .clipped: clipped += pixels
    case .dark: dark += pixels
    }
  }
}
