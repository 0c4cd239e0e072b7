/// The current restrictions of a control.
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates flags from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The control cannot be set.
  public static let readOnly = ControlFlags(rawValue: 1)
  /// The control cannot be read.
  public static let writeOnly = ControlFlags(rawValue: 2)
  /// The control has no effect now, because another control governs it.
  public static let inactive = ControlFlags(rawValue: 4)
  /// The camera changes the control itself: values read are current, and changes are not reported.
  public static let volatile = ControlFlags(rawValue: 8)
  /// Another user has reserved the control.
  public static let grabbed = ControlFlags(rawValue: 16)
  /// Setting the control changes other controls.
  public static let updatesOthers = ControlFlags(rawValue: 32)
}
