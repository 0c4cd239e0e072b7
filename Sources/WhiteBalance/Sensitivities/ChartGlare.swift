public import ColorScience

/// The light that lies on all patches of a chart beside what they reflect of its light: scattered
/// by lens and air, or a shine of the chart's surface; or a black level that was off.
///
/// What all channels have of it is not told from a black patch that is lighter than its table says.
public struct ChartGlare: Hashable, Sendable {
  /// Of each channel, as a share of its response to a perfect white under the shot's light: 0.01 is
  /// 1 %. Below 0 where too much was subtracted as black.
  public let share: LinearRGB
  /// The response to a perfect white under that light, on the scale of the shot's responses.
  public let white: LinearRGB

  /// The light itself on that scale.
  public var level: LinearRGB { LinearRGB(share.vector * white.vector) }
}
