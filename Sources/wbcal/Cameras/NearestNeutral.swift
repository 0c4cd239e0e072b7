import CameraControl
import CameraProfiles
import WbcalFoundation
import WhiteBalance

/// A note by `wbcal gray` that a camera's controls cannot come nearer to neutral. While it applies,
/// `verify` does not advise the user to run `wbcal gray` again. A reboot deletes it.
struct NearestNeutral: Codable {
  /// The values of the white-balance controls.
  private var values: [ControlValue]
  /// The gains that the card lacked then.
  private var missing: Gains

  private static func path(of camera: CameraIdentity) -> String? {
    SimulatedSettings.folder?.appending(path: camera.id.percentEncoded + ".nearest").path
  }

  /// Stores the note of a camera, or deletes it if `missing` is `nil` because the card is neutral.
  static func note(_ missing: Gains?, at values: [ControlValue], of camera: CameraIdentity) {
    guard let path = path(of: camera) else { return }
    guard let missing else {
      try? FileManager.default.removeItem(atPath: path)
      return
    }
    let note = NearestNeutral(values: values, missing: missing.greenOne)
    try? replaceFile(path, with: JSONEncoder().encode(note), followingLinks: false)
  }

  /// Returns `true` if the camera still has the noted values and the card lacks the noted gains,
  /// within 3 %.
  static func isNoted(of camera: Camera, missing: Gains) async throws -> Bool {
    guard let path = path(of: await camera.port.identity), let data = try? readFile(path),
      let note = try? JSONDecoder().decode(NearestNeutral.self, from: data)
    else { return false }
    for value in note.values where try await camera.port.value(of: value.id) != value.value {
      return false
    }
    let (now, then) = (missing.greenOne, note.missing)
    return max(abs(now.red / then.red - 1), abs(now.blue / then.blue - 1)) < 0.03
  }
}
