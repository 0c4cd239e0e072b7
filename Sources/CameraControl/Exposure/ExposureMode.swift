/// A mode of choosing the exposure, as in AVFoundation.
public enum ExposureMode: String, CaseIterable, Hashable, Sendable {
  /// The exposure stays as it is.
  case locked
  /// The camera chooses once, then the exposure stays.
  case automatic
  /// The camera chooses continuously.
  case continuousAutomatic
  /// The caller sets exposure time and gain.
  case custom
}
