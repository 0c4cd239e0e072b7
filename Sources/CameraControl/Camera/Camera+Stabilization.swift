internal import CameraProfiles

/// The state of image stabilization.
public enum Stabilization: String, Hashable, Sendable {
  /// The camera has no control for it.
  case unavailable
  /// Stabilization is off.
  case off
  /// Stabilization is on, and the picture may move relative to the sensor.
  case active
}

extension Camera {
  /// The state of image stabilization that the camera's control reports.
  public var stabilization: Stabilization {
    get async throws(CameraError) {
      guard let value = try await value(of: .imageStabilization) else { return .unavailable }
      return value == 0 ? .off : .active
    }
  }

  /// Turns image stabilization on or off; returns at once. On failure the previous settings are
  /// restored.
  ///
  /// - Throws: `noControl` if the camera has no control for it.
  public func setStabilization(isActive: Bool) async throws(CameraError) {
    try await choose(isActive ? 1 : 0, of: .imageStabilization)
  }
}
