/// Settings for another run of frames that would tell more.
public struct FlickerTrial: Hashable, Sendable {
  /// Frames a second.
  public var frameRate: Double
  /// The exposure in seconds; `nil` is that of the last run.
  public var exposure: Double?

  /// What a camera can be set to.
  public struct Choices: Hashable, Sendable {
    /// Frames a second, at least one of them.
    public var frameRates: [Double]
    /// Exposures, in seconds.
    public var exposures: ClosedRange<Double>

    /// Rates in frames a second, at least one of them, and exposures in seconds; by default those
    /// of webcams.
    public init(
      frameRates: [Double] = [30, 25, 24, 20, 15],
      exposures: ClosedRange<Double> = 0.0005...0.033
    ) {
      precondition(!frameRates.isEmpty && exposures.lowerBound > 0, "there is a choice")
      self.frameRates = frameRates
      self.exposures = exposures
    }
  }
}
