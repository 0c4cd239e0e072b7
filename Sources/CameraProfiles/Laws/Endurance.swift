/// The persistence of a camera's white-balance settings, as it was determined once.
public struct Endurance: Hashable, Sendable, Codable {
  /// The number of frames during which the picture was observed to keep its setting.
  public var frames: Int
  /// Indicates whether the start of a stream turns automatic white balance on, or changes the
  /// values, while the controls still read as they were set.
  public var isLostAtStart: Bool
  /// Indicates whether the controls' effect is relative to where automatic white balance stopped;
  /// `nil` if that is unknown. Only a second light, under which it stops elsewhere, can rule this
  /// out.
  public var isRelative: Bool?

  /// Creates a persistence from what was determined.
  public init(frames: Int, isLostAtStart: Bool, isRelative: Bool?) {
    self.frames = frames
    self.isLostAtStart = isLostAtStart
    self.isRelative = isRelative
  }
}
