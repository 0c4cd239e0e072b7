/// A sine in a lamp's light.
public struct LightComponent: Hashable, Sendable {
  /// Hertz.
  public var frequency: Double
  /// Its amplitude, relative to the mean light.
  public var amplitude: Double

  /// A sine of a frequency in hertz, with an amplitude relative to the mean light.
  public init(frequency: Double, amplitude: Double) {
    self.frequency = frequency
    self.amplitude = amplitude
  }
}
