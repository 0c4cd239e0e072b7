import CameraControl
import CameraProfiles
import WbcalArguments

/// The option to record the traffic with a camera.
struct RecordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record the camera's settings and the values of the card, frame by frame, for 'wbcal "
        + "replay'; the file is written even if the command fails.", valueName: "FILE"))
  var record: String?

  /// Returns the requested recording.
  ///
  /// - Throws: a usage error if there is no camera to record.
  func recording(of device: DeviceSpecification?) throws -> Recording? {
    guard let record else { return nil }
    guard device != nil else { throw ValidationError("--record requires --device.") }
    return Recording(path: record)
  }

  /// A recording and its file.
  struct Recording: Sendable {
    var path: String
    let recorder = CameraRecorder()

    /// Writes the recording so far; nothing if no camera was opened.
    func save() throws {
      guard let recording = recorder.recording else { return }
      try replaceFile(path, with: recording.lines())
    }
  }
}
