package import CameraProfiles

extension ControlDescription {
  /// Throws `CameraError.valueOutOfRange` if a value cannot be set exactly.
  package func check(_ value: ControlValue) throws(CameraError) {
    guard isValid(value.value) else { throw .valueOutOfRange(value, allowed: range, step: step) }
  }
}
