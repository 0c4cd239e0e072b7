internal import CameraProfiles

/// What is known of a camera: all that its pictures have told, in one place. `Camera` says of each
/// what it is.
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
