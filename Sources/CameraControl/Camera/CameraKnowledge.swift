internal import CameraProfiles

/// Everything that a camera's pictures have shown. `Camera` documents each property.
struct CameraKnowledge: Sendable {
  var latency: Int?
  var pace: Double?
  var exposureLaws: ExposureLaws?
  var endurance: Endurance?
  var exposureSeries: ExposureSeries?
  var mixing: ColorMixing?
  var flickers = false
  var comesFromBelow = false
  var turnsOffOnce = false
}
