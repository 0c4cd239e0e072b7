/// A type whose properties are read from command-line arguments.
package protocol ParsableArguments: Decodable, SendableMetatype {
  /// Creates the declarations of the arguments, whose values cannot be read yet.
  init()

  /// Checks values that depend on each other, after parsing.
  mutating func validate() throws
}

extension ParsableArguments { package mutating func validate() throws {} }
