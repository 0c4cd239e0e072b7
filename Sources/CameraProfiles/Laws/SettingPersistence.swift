/// The persistence of a camera's white-balance settings, as it was determined once.
public struct SettingPersistence: Hashable, Sendable, Codable {
  /// The number of frames during which the picture was observed to keep its setting.
  public var frames: Int
  /// Indicates whether the start of a stream turns automatic white balance on, or changes the
  /// values in use, while the controls still report the values that were set.
  public var isLostOnStreamStart: Bool
  /// The gains that the controls' effect is relative to.
  public var baseline: Baseline

  /// The gains to which a camera's controls are relative.
  public enum Baseline: Hashable, Sendable {
    /// None: a setting has the same gains at any time.
    case absolute
    /// The gains at which automatic white balance stopped.
    case relativeToAutomatic
    /// Not known: only a second light, under which the automatic stops elsewhere, shows whether
    /// gains are relative to it.
    case unknown

    /// Creates a baseline; `nil` if it is not known whether gains are relative to the automatic.
    package init(isRelative: Bool?) {
      self = isRelative.map { $0 ? .relativeToAutomatic : .absolute } ?? .unknown
    }

    /// Indicates whether gains are relative to the automatic; `nil` if that is unknown.
    package var isRelative: Bool? { self == .unknown ? nil : self == .relativeToAutomatic }
  }

  /// Creates a persistence from what was determined.
  public init(frames: Int, isLostOnStreamStart: Bool, baseline: Baseline) {
    self.frames = frames
    self.isLostOnStreamStart = isLostOnStreamStart
    self.baseline = baseline
  }

  private enum CodingKeys: String, CodingKey {
    case frames
    case isLostOnStreamStart = "isLostAtStart"
    case baseline = "isRelative"
  }

  /// Decodes a persistence.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      frames: try values.decode(Int.self, forKey: .frames),
      isLostOnStreamStart: try values.decode(Bool.self, forKey: .isLostOnStreamStart),
      baseline: Baseline(isRelative: try values.decodeIfPresent(Bool.self, forKey: .baseline)))
  }

  /// Encodes a persistence.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(frames, forKey: .frames)
    try values.encode(isLostOnStreamStart, forKey: .isLostOnStreamStart)
    try values.encodeIfPresent(baseline.isRelative, forKey: .baseline)
  }
}
