/// Where a sweep has found a lens to be sharpest.
public struct FocusSweep: Hashable, Sendable {
  /// How sharp the picture was at a place of the lens.
  public struct Sample: Hashable, Sendable {
    /// The value of `ControlID.focusPosition`.
    public var value: Int
    /// The mean square of relative contrast: `FocusMeasure.sharpness`.
    public var sharpness: Double
    /// Its standard deviation by noise.
    public var standardError: Double
  }

  /// The value of `ControlID.focusPosition` that is set now.
  public var value: Int
  /// The same as a share of the range: 0 the nearest, 1 the farthest.
  public var position: Double
  /// The standard deviation by which noise leaves the best value uncertain, in numbers of the
  /// control; rounding to a step is not in it.
  public var standardError: Double
  /// What was seen, in the order of the values.
  public var curve: [Sample]
  /// How the sharpness differs from the most, relative, now that the lens has been set to the best
  /// place again.
  public var repeatability: Double
  /// The standard deviation of `repeatability` by noise.
  public var repeatabilityError: Double
  /// The frames that it took.
  public var frames: Int
}
