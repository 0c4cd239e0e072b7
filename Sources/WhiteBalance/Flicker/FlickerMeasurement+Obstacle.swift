extension FlickerMeasurement {
  /// A reason why frames do not show what makes their light vary.
  public enum Obstacle: Error, Hashable, Sendable {
    /// There are fewer than ``FlickerMeasurement/fewestFrames`` frames in each run, or fewer than
    /// two lit rows, or no more than half of the rows are lit, or the frames differ in the number
    /// of rows.
    case tooFewFrames
    /// The times of the frames fit no constant rate.
    case irregularTimes
    /// The picture changes in a way that no lamp causes: something moves.
    case unsteadyScene
    /// No flicker was detected, but the exposure is so near a multiple of the period of these lamps
    /// that none would be.
    case exposureHides([MainsFrequency])
    /// No flicker was detected, and the exposure, which may hide it, is not known.
    case exposureUnknown
    /// No flicker was detected, but the bands of these lamps would stand still at this frame rate.
    case bandsStandStill([MainsFrequency])
    /// No flicker was detected, but noise would hide a weak one.
    case noise
    /// A flicker was detected, but its frequency is ambiguous at these frame rates.
    case frequenciesLookAlike
  }
}
