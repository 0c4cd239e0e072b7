/// The result of focusing a lens by a sweep.
public struct FocusSweep: Hashable, Sendable {
  /// The sharpness of the picture at a focus position.
  public struct Sample: Hashable, Sendable {
    /// The value of `ControlID.focusPosition`.
    public var value: Int
    /// The mean square of relative contrast: `FocusMeasure.sharpness`.
    public var sharpness: Double
    /// The standard deviation of the sharpness due to noise.
    public var standardError: Double
  }

  /// The current value of `ControlID.focusPosition`.
  public var value: Int
  /// The focus position, from 0 (nearest) to 1 (farthest).
  public var position: Double
  /// The standard deviation of the best value due to noise, in units of the control; excludes
  /// rounding to a step.
  public var standardError: Double
  /// The samples, in the order of their values.
  public var curve: [Sample]
  /// The relative difference between the sharpness after the lens was set to the best position
  /// again and the peak's.
  public var repeatability: Double
  /// The standard deviation of `repeatability` due to noise.
  public var repeatabilityError: Double
  /// The number of frames used.
  public var frames: Int
}
