public import CameraControl
public import CameraProfiles

/// A camera that is connected.
public struct ConnectedCamera: Hashable, Sendable {
  /// Which camera it is, whatever its node is called today.
  public let identity: CameraIdentity
  /// Its node now, such as `/dev/video0`.
  public let path: String
  /// Where it is plugged in, in the driver's words.
  public let bus: String
  /// Why it cannot be opened; `nil` if it can.
  public let problem: CameraError?
}
