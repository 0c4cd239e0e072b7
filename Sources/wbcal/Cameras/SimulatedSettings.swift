import CameraControl
import CameraProfiles
import SimulatedCamera
import WbcalFoundation
import WbcalSystem

/// Keeps the values of a simulated camera's controls between two commands, as a driver does for a
/// real camera that stays plugged in.
///
/// The values are lost at a reboot. If they cannot be stored, every command finds the camera
/// freshly plugged in.
struct SimulatedSettings {
  private let url: URL?

  init(of camera: CameraIdentity) { url = Self.folder?.appending(path: camera.id + ".json") }

  /// The user's own folder for files that last until a reboot; `nil` if there is none.
  static var folder: URL? {
    let runtime = Surroundings.current.environment["XDG_RUNTIME_DIR"] ?? ""
    let folder =
      runtime.hasPrefix("/")
      ? URL(filePath: runtime).appending(path: "wbcal")
      : FileManager.default.temporaryDirectory.appending(path: "wbcal-\(getuid())")
    return isOwn(folder) ? folder : nil
  }

  /// In a shared folder, another user may have created a file or folder of this name.
  private static func isOwn(_ folder: URL) -> Bool {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var status = stat()
    return unsafe lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == getuid() && status.st_mode & 0o022 == 0
  }

  /// Returns the stored values; none for a camera that was not used before.
  func load() -> [ControlValue] {
    guard let url, let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode([ControlValue].self, from: data)) ?? []
  }

  /// Stores the camera's values. A camera that was disconnected counts as freshly plugged in
  /// afterwards.
  func save(_ camera: SimulatedCamera) async {
    guard let url else {
      return remark(
        "The simulated camera's settings are not kept: there is no folder for them.")
    }
    if let values = try? await Camera(camera).settings() {
      try? replaceFile(url.path, with: JSONEncoder().encode(values), followingLinks: false)
    } else {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
