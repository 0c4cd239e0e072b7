public import CameraControl
internal import SimulatedCamera
internal import SimulatedScenes
#if GenICam
internal import GenICam
#endif
#if os(Linux)
internal import Video4Linux
#endif

/// Returns the camera of an example: the one that the program's first argument names, such as
/// `/dev/video0` or `genicam:22371842`, or else a simulated webcam under light D65, with a lens in
/// front of a printed page.
public func exampleCamera() async throws -> any CameraPort {
  #if GenICam
  if CommandLine.arguments.count > 1, CommandLine.arguments[1].hasPrefix("genicam:") {
    return try await GenICamCamera(opening: CommandLine.arguments[1])
  }
  #endif
  #if os(Linux)
  if CommandLine.arguments.count > 1 {
    return try await VideoDevice(opening: CommandLine.arguments[1])
  }
  #endif
  guard let sensor = MeasuredSensor(named: "canon-eos-600d"), let lamp = MeasuredLamp(named: "D65")
  else { fatalError("the package has these") }
  var configuration = SimulatedCamera.Configuration(sensor: sensor, lamp: lamp, size: (160, 120))
  configuration.exposure = SimulatedExposure(.absolute, .decibels)
  configuration.lens = SimulatedLens(best: 100)
  configuration.lens?.automatic = .continuousAndOnce
  configuration.texture = .text(contrast: 0.3, dot: 1)
  return try SimulatedCamera(configuration)
}
