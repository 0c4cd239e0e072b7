import CameraControl
import CameraProfiles
import SimulatedCamera
import WbcalFoundation
import WbcalSystem

/// Keeps the simulated camera's controls between two commands, as a driver keeps a real one's while
/// it is plugged in.
///
/// They are gone after a reboot. Where they cannot be kept, every command finds the camera freshly
/// plugged in.
struct SimulatedSettings {
  private let url: URL?

  init(of camera: CameraIdentity) { url = Self.folder?.appending(path: camera.id + ".json") }

  /// The user's own folder for what lasts until a reboot; `nil` where there is none.
  static var folder: URL? {
    let runtime = Surroundings.current.environment["XDG_RUNTIME_DIR"] ?? ""
    let folder =
      runtime.hasPrefix("/")
      ? URL(filePath: runtime).appending(path: "wbcal")
      : FileManager.default.temporaryDirectory.appending(path: "wbcal-\(getuid())")
    return isOwn(folder) ? folder : nil
  }

  /// In a folder for everybody, somebody else may have laid one of this name.
  private static func isOwn(_ folder: URL) -> Bool {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var status = stat()
    return unsafe lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == getuid() && status.st_mode & 0o022 == 0
  }

  /// What was kept; nothing for a camera that was not used before.
  func load() -> [ControlValue] {
    guard let url, let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode([ControlValue].self, from: data)) ?? []
  }

  /// Keeps what the camera is set to; one that is gone is found freshly plugged in.
  func save(_ camera: SimulatedCamera) async {
    guard let url else {
      return remark(
        "The simulated camera forgets its settings: there is no folder to keep them in.")
    }
    if let values = try? await Camera(camera).settings() {
      try? replaceFile(url.path, with: JSONEncoder().encode(values), followingLinks: false)
    } else {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
