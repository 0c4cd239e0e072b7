/// A mode of choosing the white balance, as in AVFoundation.
public enum WhiteBalanceMode: String, CaseIterable, Hashable, Sendable {
  /// The white balance stays as it is.
  case locked
  /// The camera chooses once, then the white balance stays.
  case automatic
  /// The camera chooses continuously.
  case continuousAutomatic
}
