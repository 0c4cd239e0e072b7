/// Who chooses the white balance, as AVFoundation has it.
public enum WhiteBalanceMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// The camera chooses once, then it stays.
  case automatic
  /// The camera chooses all the time.
  case continuousAutomatic
}
