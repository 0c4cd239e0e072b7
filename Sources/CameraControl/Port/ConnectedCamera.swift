public import CameraProfiles

/// A camera that is connected.
public struct ConnectedCamera: Hashable, Sendable {
  /// The camera's identity, which does not depend on its connection.
  public let identity: CameraIdentity
  /// The current name under which the camera is opened: a node such as `/dev/video0`, or an address
  /// in the network.
  public let path: String
  /// The connection of the camera, as the driver reports it.
  public let bus: String
  /// The reason that the camera cannot be opened; `nil` if it can.
  public let problem: CameraError?

  /// Creates a description of a camera.
  package init(identity: CameraIdentity, path: String, bus: String, problem: CameraError?) {
    self.identity = identity
    self.path = path
    self.bus = bus
    self.problem = problem
  }
}
