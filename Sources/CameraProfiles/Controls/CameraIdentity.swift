/// Which camera this is.
public struct CameraIdentity: Hashable, Sendable, Codable {
  /// The driver, or `simulated`.
  public var driver: String
  /// The name a person knows it by.
  public var name: String
  /// What tells it from others of its kind: a bus path, a serial number.
  public var id: String

  /// An identity from its parts.
  public init(driver: String, name: String, id: String) {
    self.driver = driver
    self.name = name
    self.id = id
  }
}
