public import ColorScience

/// Light on all patches of a chart in addition to what they reflect: light scattered by lens and
/// air, or a shine of the chart's surface. A wrong black level has the same effect.
///
/// The part common to all channels cannot be distinguished from a black patch that is lighter than
/// its table states.
public struct ChartGlare: Hashable, Sendable {
  /// The glare in each channel, as a share of its response to a perfect white under the shot's
  /// light: 0.01 is 1 %. It is below 0 if the subtracted black level was too large.
  public let share: LinearRGB
  /// The response to a perfect white under that light, on the scale of the shot's responses.
  public let white: LinearRGB

  /// The glare on the scale of the shot's responses.
  public var level: LinearRGB { LinearRGB(share.vector * white.vector) }
}
