internal import CameraProfiles

/// Whether the camera steadies its picture.
public enum Stabilization: String, Hashable, Sendable {
  /// It has no control for it.
  case unavailable
  /// It does not.
  case off
  /// It does, and the picture may move against the sensor.
  case active
}

extension Camera {
  /// Whether the camera steadies its picture, as its control tells.
  public var stabilization: Stabilization {
    get async throws(CameraError) {
      guard let value = try await value(of: .imageStabilization) else { return .unavailable }
      return value == 0 ? .off : .active
    }
  }

  /// Lets the camera steady its picture, or not; returns at once. What fails leaves the camera as
  /// it was before.
  ///
  /// - Throws: `noControl` where it has no control for it.
  public func setStabilization(isActive: Bool) async throws(CameraError) {
    try await choose(isActive ? 1 : 0, of: .imageStabilization)
  }
}
