/// How far the light of a run of frames swings, as the amplitudes of sines of the same variance,
/// relative to the mean light. Bands that stand still are not in it.
public struct FlickerRipple: Hashable, Sendable {
  /// Of the frames' mean levels.
  public var frames: Double
  /// Of the levels of rows.
  public var rows: Double
}
