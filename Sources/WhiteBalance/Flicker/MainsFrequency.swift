/// The frequency of the mains that feed a lamp.
public enum MainsFrequency: Int, CaseIterable, Hashable, Sendable {
  /// Of most of the world.
  case hertz50 = 50
  /// Of North America, and of parts of South America and Asia.
  case hertz60 = 60

  /// The nominal frequency of the light, twice that of the mains, in hertz.
  public var light: Double { Double(2 * rawValue) }
}
