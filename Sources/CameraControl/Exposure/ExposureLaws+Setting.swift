internal import WhiteBalance
internal import CameraProfiles
internal import ColorScience

extension ExposureLaws {
  /// Returns the error for a control whose law is not known yet.
  static func unknown(_ control: ControlID) -> CameraError {
    .noLaw(control, reason: "the effect of its values has not been measured in pictures")
  }

  /// Returns the error for an exposure time whose unit is unknown.
  static func withoutSeconds(_ control: ControlID) -> CameraError {
    .noLaw(
      control,
      reason: "the effect of its values on the light is known, but not how many seconds they are: "
        + "the driver uses a unit of its own, such as lines of the sensor")
  }

  /// Returns the settings for an exposure; `nil` keeps the current value.
  ///
  /// - Throws: `noControl` if a requested control cannot be set, `noLaw` if its unit is unknown,
  ///   `exposureOutOfRange`.
  func values(
    duration: Double?, amplification: Double?, now: [ControlValue], of camera: String
  ) throws(CameraError) -> [ControlValue] {
    var values = now
    if let duration {
      guard let durations, let time, let referenceDuration else {
        throw time.map { Self.withoutSeconds($0.control.id) }
          ?? .noControl(.exposureTime, camera: camera)
      }
      guard durations.contains(duration) else {
        throw .exposureOutOfRange(.duration, duration, allowed: durations)
      }
      values = values.replacing(
        time.control.id, by: time.nearestValue(for: duration / referenceDuration))
    }
    if let amplification {
      guard let gain else { throw .noControl(.gain, camera: camera) }
      guard amplifications.contains(amplification) else {
        throw .exposureOutOfRange(.amplification, amplification, allowed: amplifications)
      }
      values = values.replacing(
        gain.control.id, by: gain.nearestValue(for: amplification * gain.gainRange.lowerBound))
    }
    return values
  }
}
