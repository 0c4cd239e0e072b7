/// Who moves the lens, as AVFoundation has it.
public enum FocusMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// The camera focuses once, then the lens stays.
  case automatic
  /// The camera focuses all the time.
  case continuousAutomatic
}
