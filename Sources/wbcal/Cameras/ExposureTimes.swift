import CameraControl
import CameraProfiles
import WbcalFoundation
import WbcalImageFiles

/// The exposure times of a camera's settings.
struct ExposureTimes: Sendable {
  private let laws: ExposureLaws?
  /// The setting in force; `nil` while the camera chooses it.
  private let setting: Int?

  /// Creates the exposure times of a camera, which are not known if their unit is not.
  init(of camera: Camera) async {
    laws = try? await camera.lawsOfExposure()
    let isAutomatic = (try? await camera.exposureMode) != .locked
    setting =
      if let id = laws?.time?.control.id, !isAutomatic {
        try? await camera.port.value(of: id)
      } else { nil }
  }

  /// Returns the exposure of a frame that has just been taken.
  ///
  /// - Parameter changes: the settings that were changed for this frame.
  func exposure(after changes: [ControlValue] = []) -> PictureExposure {
    let changed = laws?.time.flatMap { changes[$0.control.id] }
    return PictureExposure(
      seconds: (changed ?? setting).flatMap { laws?.duration(at: $0) }, date: Self.now)
  }

  /// The local time as in Exif.
  private static var now: String {
    let text = Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current))
    return String(text.prefix(19)).replacing("-", with: ":").replacing("T", with: " ")
  }
}
