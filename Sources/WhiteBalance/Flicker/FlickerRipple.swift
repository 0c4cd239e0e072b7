/// The variation of the light in a run of frames, as the amplitude of a sine of the same variance,
/// relative to the mean light. Bands that stand still are not included.
public struct FlickerRipple: Hashable, Sendable {
  /// The amplitude of the frames' mean levels.
  public var frames: Double
  /// The amplitude of the levels of rows.
  public var rows: Double
}
