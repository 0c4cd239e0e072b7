public import ColorScience

/// An estimate of the light from an assumption about the scene.
public struct SceneEstimate: Hashable, Sendable {
  /// The counts of pixels that were used, and of those excluded for each reason.
  public struct PixelUse: Hashable, Sendable {
    /// All pixels of the region.
    public var total: Int
    /// The pixels from which the estimate was computed.
    public var used: Int
    /// Excluded pixels with a channel at or above the white level.
    public var clipped: Int
    /// Excluded pixels whose brightest channel is at or below the dark level.
    public var dark: Int

    /// Creates the given counts.
    public init(total: Int, used: Int = 0, clipped: Int = 0, dark: Int = 0) {
      (self.total, self.used, self.clipped, self.dark) = (total, used, clipped, dark)
    }
  }

  /// The linear value, relative to white, at and below which a channel is dark.
  public static let darkLevel = 0.002

  /// The red, green and blue that the method assumes to be neutral. Only their ratios are
  /// meaningful. Zero if no pixel was usable.
  public let response: LinearRGB
  /// The gains that make the response neutral, with the smallest gain 1; `nil` unless all channels
  /// are positive.
  public let gains: Gains?
  /// The counts of pixels.
  public let pixels: PixelUse

  init(response: SIMD3<Double>, pixels: PixelUse) {
    self.response = LinearRGB(response)
    gains = Gains(neutralizing: self.response)
    self.pixels = pixels
  }
}
