public import ColorScience

/// What an assumption about the scene says about the light.
public struct SceneEstimate: Hashable, Sendable {
  /// How many pixels of the region were used, and how many were left out for which reason.
  public struct PixelUse: Hashable, Sendable {
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

  /// The linear value, relative to white, at and below which a channel is dark.
  public static let darkLevel = 0.002

  /// The response (red, green, blue) to what the method takes for neutral; only the ratios have a
  /// meaning. Zero if no pixel was usable.
  public let response: LinearRGB
  /// The gains that make the response neutral, the smallest 1; `nil` unless all channels respond.
  public let gains: Gains?
  /// What became of the pixels.
  public let pixels: PixelUse

  init(response: SIMD3<Double>, pixels: PixelUse) {
    self.response = LinearRGB(response)
    gains = Gains(neutralizing: self.response)
    self.pixels = pixels
  }
}
