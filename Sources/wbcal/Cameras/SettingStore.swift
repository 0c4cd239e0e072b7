import CameraControl
import CameraProfiles
import WbcalFoundation
import WbcalSystem

/// Stores cameras' settings, in a file for each camera.
struct SettingStore {
  /// The folders to store in, the system's before the user's own.
  let folders: [URL]
}

extension SettingStore {
  init(environment: [String: String] = Surroundings.current.environment) {
    func folder(_ name: String) -> URL? {
      guard let path = environment[name], path.hasPrefix("/") else { return nil }
      return URL(filePath: path)
    }
    if let own = folder("WBCAL_STATE") {
      self.init(folders: [own])
    } else {
      let state =
        folder("XDG_STATE_HOME")
        ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
      self.init(folders: [URL(filePath: "/var/lib/wbcal"), state.appending(path: "wbcal")])
    }
  }

  /// Stores a setting in the first writable folder.
  func save(_ setting: StoredSetting) throws {
    let data = try fileJSON(setting)
    var failure: (any Error)?
    for folder in folders {
      // If this fails, so does writing, and its error states the reason.
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = Self.file(of: setting.camera.id, in: folder)
      // Other users can write there too, and must not make this program overwrite another file.
      do {
        try replaceFile(path, with: data, followingLinks: false)
        if let failure, FileManager.default.fileExists(atPath: folders[0].path) {
          remark(
            "This setting will not be restored automatically when the camera is plugged in: "
              + Failure(failure).message)
        }
        return
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Stores a camera's settings: those that were applied and all other controls that affect color.
  ///
  /// - Parameter held: other controls on which the camera's laws depend.
  func keep(
    _ applied: AppliedWhiteBalance, of camera: Camera, held: [ControlValue]
  ) async throws {
    let identity = await camera.port.identity
    let kept = try setting(of: identity.id)?.values.map(\.id) ?? []
    let lens = ControlID.lens.filter(kept.contains)
    try save(
      StoredSetting(
        camera: identity, date: .now, gains: applied.gains,
        values: try await camera.colorSettings(of: (applied.values + held).map(\.id) + lens)))
  }

  /// Stores a camera's exposure and lens, and the current values of the controls that were stored
  /// already.
  func keepExposureAndFocus(of camera: Camera) async throws {
    let identity = await camera.port.identity
    let old = try setting(of: identity.id)
    let controls = ControlID.lens + (old?.values.map(\.id) ?? [])
    try save(
      StoredSetting(
        camera: identity, date: .now, gains: old?.gains,
        values: try await camera.colorSettings(of: controls)))
  }

  /// Stores the settings of a camera before a command changes them, in the first writable folder,
  /// unless a command that was killed has left such a note.
  func note(_ setting: StoredSetting) {
    guard (try? note(of: setting.camera.id)) == .some(.none) else { return }
    guard let data = try? fileJSON(setting) else { return }
    for folder in folders {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = Self.file(of: setting.camera.id, in: folder, suffix: Self.noteSuffix)
      if (try? replaceFile(path, with: data, followingLinks: false)) != nil { return }
    }
  }

  /// Returns the settings from before a command that was killed or that lost the camera; `nil` if
  /// there are none.
  func note(of camera: String) throws -> StoredSetting? {
    try latest(of: camera, suffix: Self.noteSuffix)
  }

  /// Deletes a camera's note, because its command has finished.
  func forgetNote(of camera: String) {
    for folder in folders {
      try? FileManager.default.removeItem(
        atPath: Self.file(of: camera, in: folder, suffix: Self.noteSuffix))
    }
  }

  /// Deletes the stored setting of a camera, because the camera has been set to another mode since.
  func forget(_ camera: String) {
    for folder in folders {
      try? FileManager.default.removeItem(atPath: Self.file(of: camera, in: folder))
    }
  }

  /// Returns the latest stored setting of a camera; `nil` if there is none.
  func setting(of camera: String) throws -> StoredSetting? {
    try latest(of: camera, suffix: Self.suffix)
  }

  private func latest(of camera: String, suffix: String) throws -> StoredSetting? {
    try folders.compactMap { folder in
      let path = Self.file(of: camera, in: folder, suffix: suffix)
      guard let setting = try Self.read(path) else { return nil }
      guard setting.camera.id == camera else {
        throw Failure.badData(
          "cannot use \(path): it belongs to another camera, \(setting.camera.id)")
      }
      return setting
    }.max { $0.date < $1.date }
  }

  /// Returns the identities of all cameras for which a setting or a note is stored.
  func cameras() -> [String] {
    let names = folders.flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0.path)) ?? []
    }
    let cameras = [Self.suffix, Self.noteSuffix].flatMap { suffix in
      names.filter { $0.hasSuffix(suffix) }
        .compactMap { $0.dropLast(suffix.count).percentDecoded }
    }
    return Set(cameras).sorted()
  }

  private static let suffix = ".json"
  private static let noteSuffix = ".before"

  private static func file(
    of camera: String, in folder: URL, suffix: String = Self.suffix
  ) -> String {
    folder.path + "/" + camera.percentEncoded + suffix
  }

  private static func read(_ path: String) throws -> StoredSetting? {
    let data: Data
    do { data = try readFile(path) } catch let failure as Failure where failure.code == .noInput {
      return nil
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do { return try decoder.decode(StoredSetting.self, from: data) } catch {
      let reason = (error as? DecodingError)?.sentence(of: data) ?? "\(error)"
      throw Failure.badData("cannot use \(path): \(reason); set the camera again")
    }
  }
}
