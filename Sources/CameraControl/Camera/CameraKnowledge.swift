internal import CameraProfiles

/// Everything that a camera's pictures have shown. `Camera` documents each property.
struct CameraKnowledge: Sendable {
  var latency: Int?
  var settlingRate: Double?
  var exposureLatency: Int?
  var exposureLaws: ExposureLaws?
  var persistence: SettingPersistence?
  var exposureSeries: ExposureSeries?
  var mixing: ChannelMixing?
  var flickers = false
  var approachesFromBelow = false
  var automaticOffPolicy = AutomaticOffPolicy.beforeEachSetting
}

/// The times at which automatic white balance is turned off.
package enum AutomaticOffPolicy: Sendable {
  /// Once, so that an automatic that returns by itself is noticed while settings are tried.
  case once
  case beforeEachSetting
}
