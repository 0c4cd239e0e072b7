extension FlickerMeasurement {
  /// The cause of the variation of light in some frames.
  public enum Verdict: Hashable, Sendable {
    /// A lamp on the mains.
    case mains(MainsFrequency)
    /// A source independent of the mains, such as a dimmed LED, with its frequency in hertz if that
    /// can be determined.
    case other(frequency: Double?)
    /// No variation that the frames could show, of the mains or of anything else.
    case none
    /// The frames do not determine the cause.
    case undetermined(FlickerMeasurement.Obstacle)
  }
}
