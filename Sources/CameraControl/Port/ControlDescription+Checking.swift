package import CameraProfiles

extension ControlDescription {
  /// Throws `CameraError.valueOutOfRange` where a value cannot be set as it is.
  package func check(_ value: ControlValue) throws(CameraError) {
    guard accepts(value.value) else { throw .valueOutOfRange(value, allowed: range, step: step) }
  }
}
