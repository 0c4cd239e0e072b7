/// A type that can be read from one command-line word.
public protocol ExpressibleByArgument: SendableMetatype {
  /// Creates a value from a word, or returns `nil` when the word is no such value.
  init?(argument: String)

  /// How help screens show the value when it is a default.
  var defaultValueDescription: String { get }

  /// All words that are values, where they can be listed.
  static var allValueStrings: [String] { get }
}

extension ExpressibleByArgument {
  /// The value's description.
  public var defaultValueDescription: String { String(describing: self) }

  /// No words: the values cannot be listed.
  public static var allValueStrings: [String] { [] }
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

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  /// Creates the value that the word describes.
  public init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
