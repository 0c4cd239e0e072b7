import CameraControl
import CameraProfiles
import WbcalFoundation
import WbcalSystem

/// A lock between studios that want the same camera: a file that is locked as long as the camera is
/// in use, and that names the studio that uses it.
///
/// Without a folder for the file, a real camera's own lock still excludes other programs.
final class StudioLock: Sendable {
  private let descriptor: Int32

  /// - Parameter address: the address of this studio, without the token that lets browsers in.
  /// - Throws: `CameraError.busy`, with the other studio.
  init(on camera: CameraIdentity, address: String) throws(CameraError) {
    guard let path = Self.path(of: camera) else {
      descriptor = -1
      return
    }
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      var bytes: [UInt8] = []
      _ = readAll(from: descriptor, into: &bytes, limit: 4096)
      let holder = String(decoding: bytes.prefix(4096), as: UTF8.self)
      close(descriptor)
      throw .busy(camera: camera.name, by: holder.isEmpty ? "another wbcal studio" : holder)
    }
    ftruncate(descriptor, 0)
    _ = writeAll(
      to: descriptor, Array("the wbcal studio at \(address) (process \(getpid()))".utf8))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func path(of camera: CameraIdentity) -> String? {
    guard let folder = SimulatedSettings.folder else { return nil }
    return folder.appending(path: "studio-\(camera.id.percentEncoded).lock").path
  }
}
