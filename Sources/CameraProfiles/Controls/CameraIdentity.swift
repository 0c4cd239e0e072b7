/// The identity of a camera.
public struct CameraIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The driver, or `simulated`.
  public var driver: String
  /// The name that users see.
  public var name: String
  /// An identifier among cameras of the same kind: a bus path, a serial number.
  public var id: String

  /// Creates an identity from its parts.
  public init(driver: String, name: String, id: String) {
    self.driver = driver
    self.name = name
    self.id = id
  }

  /// The name, the driver and the identifier.
  public var description: String { "\(name) (\(driver), \(id))" }
}
