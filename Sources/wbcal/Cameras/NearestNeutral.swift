import CameraControl
import CameraProfiles
import WbcalFoundation
import WhiteBalance

/// Where `wbcal gray` found that a camera's controls come no nearer to neutral, so that `verify`
/// does not send a person there again. It is forgotten after a reboot.
struct NearestNeutral: Codable {
  /// What the controls of the white balance were set to.
  private var values: [ControlValue]
  /// The gains that the card lacked then.
  private var missing: Gains

  private static func path(of camera: CameraIdentity) -> String? {
    SimulatedSettings.folder?.appending(path: camera.id.percentEncoded + ".nearest").path
  }

  /// Notes it of a camera, or forgets what was noted: `missing` is `nil` where the card is neutral.
  static func note(_ missing: Gains?, at values: [ControlValue], of camera: CameraIdentity) {
    guard let path = path(of: camera) else { return }
    guard let missing else {
      try? FileManager.default.removeItem(atPath: path)
      return
    }
    let note = NearestNeutral(values: values, missing: missing.greenOne)
    try? replaceFile(path, with: JSONEncoder().encode(note), followingLinks: false)
  }

  /// Whether a camera is still set so, before the same card in the same light.
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
