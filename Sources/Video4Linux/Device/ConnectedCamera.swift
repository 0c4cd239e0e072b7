public import CameraControl
public import CameraProfiles

/// A camera that is connected.
public struct ConnectedCamera: Hashable, Sendable {
  /// The camera's identity, which does not depend on the name of its node.
  public let identity: CameraIdentity
  /// The camera's current node, such as `/dev/video0`.
  public let path: String
  /// The connection of the camera, as the driver reports it.
  public let bus: String
  /// The reason that the camera cannot be opened; `nil` if it can.
  public let problem: CameraError?
}
