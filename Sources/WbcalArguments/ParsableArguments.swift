/// A type whose properties are read from command-line arguments.
public protocol ParsableArguments: Decodable, SendableMetatype {
  /// Creates the declarations of the arguments, whose values cannot be read yet.
  init()

  /// Checks values that depend on each other, after parsing.
  mutating func validate() throws
}

extension ParsableArguments {
  /// Accepts all values.
  public mutating func validate() throws {}
}
