import CameraControl
import CameraProfiles
import WhiteBalance

/// The change of the light since the white balance was set.
struct StandingLightChange {
  /// The change; `nil` if the light is as it was.
  private(set) var change: SceneLightChange?
  /// The settings for which it counts.
  private var values: [ControlValue] = []

  /// Adds a reading: a change stands until the white balance is set again, or is automatic, or the
  /// light is as before.
  mutating func add(_ reading: WhiteBalanceReading) {
    add(reading.lightChange, isAutomatic: reading.isAutomatic, values: reading.values)
  }

  mutating func add(_ next: SceneLightChange?, isAutomatic: Bool, values: [ControlValue]) {
    if isAutomatic || values != self.values { change = nil }
    self.values = values
    guard let next else { return }
    let total = change.map(next.following) ?? next
    change = total.ciede2000 < LightChangeDetector.limit ? nil : total
  }
}
