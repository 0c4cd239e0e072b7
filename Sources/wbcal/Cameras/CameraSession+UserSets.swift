import CameraControl
import CameraProfiles

#if GenICam
import GenICam
#endif

extension CameraSession {
  /// Throws `CameraError.noUserSet` if the camera cannot keep settings in the set with a name.
  func requireUserSet(_ name: String) async throws {
    #if GenICam
    if let genicam = port as? GenICamCamera { return try await genicam.requireUserSet(name) }
    #endif
    throw CameraError.noUserSet(name, camera: identity.name, sets: [])
  }

  /// Saves all settings in a user set of the camera, with which it starts from then on.
  func save(inUserSet name: String) async throws {
    try await requireUserSet(name)
    #if GenICam
    if let genicam = port as? GenICamCamera { try await genicam.save(inUserSet: name) }
    #endif
    remark("The camera keeps all its present settings in \(name), and starts with them.")
  }
}
