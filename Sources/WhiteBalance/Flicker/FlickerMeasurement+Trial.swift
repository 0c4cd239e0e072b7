extension FlickerMeasurement {
  /// Settings for a further run of frames.
  public struct Trial: Hashable, Sendable {
    /// Frames per second.
    public var frameRate: Double
    /// The exposure time in seconds; `nil` means that of the last run.
    public var exposure: Double?

    /// The settings that a camera offers.
    public struct Choices: Hashable, Sendable {
      /// Frame rates in frames per second, at least one.
      public var frameRates: [Double]
      /// The range of exposure times, in seconds.
      public var exposures: ClosedRange<Double>

      /// Creates choices from frame rates in frames per second, at least one, and exposure times in
      /// seconds; the defaults are those of webcams.
      public init(
        frameRates: [Double] = [30, 25, 24, 20, 15],
        exposures: ClosedRange<Double> = 0.0005...0.033
      ) {
        precondition(
          !frameRates.isEmpty && exposures.lowerBound > 0,
          "`frameRates` must not be empty, and `exposures` must be positive")
        self.frameRates = frameRates
        self.exposures = exposures
      }
    }
  }
}
