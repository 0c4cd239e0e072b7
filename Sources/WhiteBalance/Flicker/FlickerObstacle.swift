/// Why frames do not tell what makes their light vary.
public enum FlickerObstacle: Hashable, Sendable {
  /// There are fewer than ``FlickerMeasurement/fewestFrames`` frames in each run, or fewer than two
  /// lit rows, or the rows differ in number.
  case tooFewFrames
  /// The times of the frames fit no even rate.
  case irregularTimes
  /// The picture changes in a way that is not a lamp's: something moves.
  case unsteadyScene
  /// Nothing is seen, but the exposure is so near a multiple of the lamp's period that nothing
  /// would be.
  case exposureHides([MainsFrequency])
  /// Nothing is seen, and the exposure, which may hide it, is not known.
  case exposureUnknown
  /// Nothing is seen, but bands would stand still at this frame rate.
  case bandsStandStill([MainsFrequency])
  /// Nothing is seen, but noise would hide a weak lamp.
  case noise
  /// What is seen may be one or another frequency, which look alike at this frame rate.
  case frequenciesLookAlike
}
