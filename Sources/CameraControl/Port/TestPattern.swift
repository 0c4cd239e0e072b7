package import CameraProfiles

/// A camera's menu of test patterns.
package enum TestPattern {
  /// Returns the error for a camera that delivers a test pattern; `nil` if it delivers pictures.
  package static func problem(
    _ control: ControlDescription, value: Int, camera: String
  ) -> CameraError? {
    let off = control.items.first { isOff($0.name) }?.value
    guard value != off else { return nil }
    let name = control.items.first { $0.value == value }?.name ?? "\(value)"
    return .testPattern(name, camera: camera, off: off.map { ControlValue(control.id, $0) })
  }

  /// Indicates whether an item of the menu stands for pictures of the scene: "Off" in GenICam. Most
  /// drivers of Video4Linux call it "Disabled", imx258 and adv7180 "Disable", et8ek8 "Normal".
  /// In the menu of adv7180 this is the last item.
  private static func isOff(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["disable", "off", "none", "normal", "no "].contains { name.hasPrefix($0) }
  }
}
