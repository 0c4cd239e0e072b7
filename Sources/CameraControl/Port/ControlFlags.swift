/// What a control can be used for at the moment.
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Flags from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// It cannot be set.
  public static let readOnly = ControlFlags(rawValue: 1)
  /// It cannot be read.
  public static let writeOnly = ControlFlags(rawValue: 2)
  /// It has no effect now, for another control governs.
  public static let inactive = ControlFlags(rawValue: 4)
  /// The camera changes it by itself: what is read is live, and no change is told of.
  public static let volatile = ControlFlags(rawValue: 8)
  /// Another user holds it.
  public static let grabbed = ControlFlags(rawValue: 16)
  /// Setting it changes other controls.
  public static let updatesOthers = ControlFlags(rawValue: 32)
}
