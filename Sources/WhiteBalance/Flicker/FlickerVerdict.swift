/// What makes the light of some frames vary.
public enum FlickerVerdict: Hashable, Sendable {
  /// A lamp on the mains.
  case mains(MainsFrequency)
  /// Something that follows no mains, such as a dimmed LED; with its frequency in hertz where that
  /// can be told.
  case other(frequency: Double?)
  /// Nothing that the frames could show: neither of the mains nor of anything else.
  case none
  /// The frames do not tell.
  case cannotBeTold(FlickerObstacle)
}
