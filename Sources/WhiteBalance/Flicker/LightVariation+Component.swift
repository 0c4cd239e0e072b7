extension LightVariation {
  /// A sinusoidal component of a lamp's light.
  public struct Component: Hashable, Sendable {
    /// The frequency in hertz.
    public var frequency: Double
    /// The amplitude, relative to the mean light.
    public var amplitude: Double

    /// Creates a component from its frequency in hertz and its amplitude relative to the mean
    /// light.
    public init(frequency: Double, amplitude: Double) {
      self.frequency = frequency
      self.amplitude = amplitude
    }
  }
}
