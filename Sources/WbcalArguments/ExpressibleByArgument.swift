/// A type that can be read from one command-line word.
public protocol ExpressibleByArgument: SendableMetatype {
  /// Creates a value from a word, or returns `nil` when the word is no such value.
  init?(argument: String)

  /// How help screens show the value when it is a default.
  var defaultValueDescription: String { get }

  /// All words that are values, where they can be listed.
  static var allValueStrings: [String] { get }

  /// How shells complete a value, unless the argument says otherwise.
  static var defaultCompletionKind: CompletionKind { get }
}

extension ExpressibleByArgument {
  /// The value's description.
  public var defaultValueDescription: String { String(describing: self) }

  /// No words: the values cannot be listed.
  public static var allValueStrings: [String] { [] }

  /// The listed values, if there are any.
  public static var defaultCompletionKind: CompletionKind {
    allValueStrings.isEmpty ? .default : .list(allValueStrings)
  }
}

extension ExpressibleByArgument where Self: CaseIterable {
  /// The words for all cases.
  public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  /// Creates the value whose raw value the word spells.
  public init?(argument: String) {
    guard let rawValue = RawValue(argument: argument) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value's description.
  public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension String: ExpressibleByArgument {
  /// Takes the word as it is.
  public init?(argument: String) { self = argument }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  /// Creates the value that the word describes.
  public init?(argument: String) { self.init(argument) }
}

extension Bool: ExpressibleByArgument {
  /// The two words `true` and `false`.
  public static var allValueStrings: [String] { ["true", "false"] }
}

extension Character: ExpressibleByArgument {
  /// Takes a word of one character.
  public init?(argument: String) {
    guard argument.count == 1, let character = argument.first else { return nil }
    self = character
  }
}

extension Int: ExpressibleByArgument {}
extension Int8: ExpressibleByArgument {}
extension Int16: ExpressibleByArgument {}
extension Int32: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension UInt8: ExpressibleByArgument {}
extension UInt16: ExpressibleByArgument {}
extension UInt32: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Float: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
