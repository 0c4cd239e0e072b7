/// A property that holds arguments declared in another type, to share them between commands.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: Decodable, ParsedProperty {
  private var group: Value?
  private var omitted: Set<String> = []

  package init() {}

  /// - Parameter omitted: the properties that cannot be given, and keep their initial values.
  package init(omitting omitted: String...) { self.omitted = Set(omitted) }

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
    var declared = DeclaredArguments(of: Value.self, at: key)
    declared.definitions.removeAll { $0.key.last.map(omitted.contains) ?? false }
    return declared
  }
}

extension OptionGroup: Sendable where Value: Sendable {}
