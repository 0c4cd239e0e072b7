/// What becomes of a setting of a camera's white balance, as it was found out once.
public struct Endurance: Hashable, Sendable, Codable {
  /// The number of frames for which the picture was watched, and stayed as it was set.
  public var frames: Int
  /// Whether the start of a stream of frames turns the automatic on, or brings other values, while
  /// the controls read as they were set.
  public var isLostAtStart: Bool
  /// Whether what the controls do starts from where the automatic stopped; `nil` where that is not
  /// known: only a second light, under which it stops elsewhere, tells that it does not.
  public var isRelative: Bool?

  /// What was found out.
  public init(frames: Int, isLostAtStart: Bool, isRelative: Bool?) {
    self.frames = frames
    self.isLostAtStart = isLostAtStart
    self.isRelative = isRelative
  }
}
