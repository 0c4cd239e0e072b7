/// Who chooses the exposure, as AVFoundation has it.
public enum ExposureMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// The camera chooses once, then the exposure stays.
  case automatic
  /// The camera chooses all the time.
  case continuousAutomatic
  /// The caller sets duration and amplification.
  case custom
}
