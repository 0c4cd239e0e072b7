import CameraControl
import CameraProfiles

/// A camera's control of its test patterns.
enum TestPattern {
  /// Returns the error for a camera that delivers a test pattern; `nil` if it delivers pictures.
  static func problem(
    _ control: ControlDescription, value: Int, camera: String
  ) -> CameraError? {
    let off = control.items.first { isOff($0.name) }?.value
    guard value != off else { return nil }
    let name = control.items.first { $0.value == value }?.name ?? "\(value)"
    return .testPattern(name, camera: camera, off: off.map { ControlValue(control.id, $0) })
  }

  /// Indicates whether an item of the menu stands for pictures of the scene. Most drivers call it
  /// "Disabled", imx258 and adv7180 "Disable", et8ek8 "Normal"; in that of adv7180 it is the last.
  private static func isOff(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["disable", "off", "none", "normal", "no "].contains { name.hasPrefix($0) }
  }
}

extension CameraControls {
  /// Throws if the camera delivers a test pattern instead of pictures.
  func refuseTestPattern(camera: String) throws(CameraError) {
    let control = devices.lazy.compactMap { $0.table[.testPattern]?.description }.first
    guard let control, !control.items.isEmpty else { return }
    if let problem = TestPattern.problem(control, value: try value(of: control.id), camera: camera)
    {
      throw problem
    }
  }
}
