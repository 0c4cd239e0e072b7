/// Successive frames taken without a change of the camera's settings.
public struct FlickerRun: Hashable, Sendable {
  /// The frames in the order in which they were taken, without lost ones.
  public var frames: [FlickerFrame]
  /// The exposure time of each row, in seconds; `nil` if it is not known.
  public var exposure: Double?
  /// The time from the first row to the last, in seconds, 0 for a global shutter; `nil` if it is
  /// not known.
  public var readout: Double?

  /// Creates a run from its frames and what is known of the shutter.
  ///
  /// - Parameters:
  ///   - frames: the frames in the order in which they were taken.
  ///   - exposure: the exposure time of each row, in seconds, more than 0.
  ///   - readout: the time from the first row to the last, in seconds, at least 0.
  public init(_ frames: [FlickerFrame], exposure: Double? = nil, readout: Double? = nil) {
    self.frames = frames
    self.exposure = exposure
    self.readout = readout
  }
}
