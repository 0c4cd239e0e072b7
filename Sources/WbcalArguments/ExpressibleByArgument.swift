/// A type that can be read from one command-line word.
package protocol ExpressibleByArgument: SendableMetatype {
  /// Creates a value from a word; returns `nil` if the word is not a value.
  init?(argument: String)

  /// The text that shows the value in help screens if it is a default.
  var defaultValueDescription: String { get }

  /// All words that are values, if they can be listed.
  static var allValueStrings: [String] { get }
}

extension ExpressibleByArgument {
  package var defaultValueDescription: String { String(describing: self) }

  package static var allValueStrings: [String] { [] }
}

extension ExpressibleByArgument where Self: CaseIterable {
  package static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
  package init?(argument: String) {
    guard let rawValue = RawValue(argument: argument) else { return nil }
    self.init(rawValue: rawValue)
  }

  package var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  package init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {
  /// Creates a number from a word; `nil` if the word is not a number, or is NaN.
  package init?(argument: String) {
    guard let value = Double(argument), !value.isNaN else { return nil }
    self = value
  }
}
