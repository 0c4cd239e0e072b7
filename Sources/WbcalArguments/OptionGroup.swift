/// A property that holds arguments declared in another type, to share them between commands.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: Decodable, ParsedProperty {
  private var group: Value?

  package init() {}

  package init(from decoder: any Decoder) throws {
    var group = try Value(from: decoder)
    try group.validate()
    self.group = group
  }

  package var wrappedValue: Value {
    get {
      guard let group else {
        preconditionFailure("Arguments have values only after parseAsRoot(_:).")
      }
      return group
    }
    set { group = newValue }
  }

  func declared(at key: [String]) -> DeclaredArguments {
    DeclaredArguments(of: Value.self, at: key)
  }
}

extension OptionGroup: Sendable where Value: Sendable {}
