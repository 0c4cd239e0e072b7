/// A mode of focusing, as in AVFoundation.
public enum FocusMode: String, CaseIterable, Hashable, Sendable {
  /// The lens stays where it is.
  case locked
  /// The camera focuses once, then the lens stays.
  case automatic
  /// The camera focuses continuously.
  case continuousAutomatic
}
