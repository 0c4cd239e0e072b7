/// Frames that were taken one after another without a change of the camera's settings.
public struct FlickerRun: Hashable, Sendable {
  /// In the order in which they were taken; those that are lost are left out.
  public var frames: [FlickerFrame]
  /// The time for which each row collects light, in seconds; `nil` where it is not known.
  public var exposure: Double?
  /// The time from the first row to the last, in seconds, 0 of a global shutter; `nil` where it is
  /// not known.
  public var readout: Double?

  /// Frames with what is known of the shutter.
  ///
  /// - Parameters:
  ///   - frames: in the order in which they were taken.
  ///   - exposure: of each row, in seconds, more than 0.
  ///   - readout: from the first row to the last, in seconds, at least 0.
  public init(_ frames: [FlickerFrame], exposure: Double? = nil, readout: Double? = nil) {
    self.frames = frames
    self.exposure = exposure
    self.readout = readout
  }
}
