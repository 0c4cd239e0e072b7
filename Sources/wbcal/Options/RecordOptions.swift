import CameraControl
import CameraProfiles
import WbcalArguments

/// Whether what happens on a camera is recorded.
struct RecordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record what the camera is told and what the card then looks like, frame by frame, for "
        + "'wbcal replay'; it is written also if the command fails.", valueName: "FILE"))
  var record: String?

  /// The recording that was asked for.
  ///
  /// - Throws: a usage error where there is no camera to record.
  func recording(of device: DeviceSpecification?) throws -> Recording? {
    guard let record else { return nil }
    guard device != nil else { throw ValidationError("--record goes with --device.") }
    return Recording(path: record)
  }

  /// A recording and the file that it goes to.
  struct Recording: Sendable {
    var path: String
    let recorder = CameraRecorder()

    /// Writes what was recorded up to now; nothing where no camera was opened.
    func save() throws {
      guard let recording = recorder.recording else { return }
      try replaceFile(path, with: recording.lines())
    }
  }
}
