/// The frequency of the mains that power a lamp.
public enum MainsFrequency: Int, CaseIterable, Hashable, Sendable {
  /// The frequency in most of the world.
  case hertz50 = 50
  /// The frequency in North America and parts of South America and Asia.
  case hertz60 = 60

  /// The nominal frequency of the light, in hertz: twice that of the mains.
  public var light: Double { Double(2 * rawValue) }
}
