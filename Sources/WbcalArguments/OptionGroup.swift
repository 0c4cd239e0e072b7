/// A property that holds arguments declared in another type, to share them between commands.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: Decodable, ParsedProperty {
  private var state: State

  /// It is indirect because commands have large groups and are copied.
  fileprivate indirect enum State {
    case declared(omitted: Set<String>)
    case parsed(Value)
  }

  package init() { state = .declared(omitted: []) }

  /// - Parameter omitted: the properties that cannot be given, and keep their initial values.
  package init(omitting omitted: String...) { state = .declared(omitted: Set(omitted)) }

  package init(from decoder: any Decoder) throws {
    var group = try Value(from: decoder)
    try group.validate()
    state = .parsed(group)
  }

  package var wrappedValue: Value {
    get {
      guard case .parsed(let group) = state else {
        preconditionFailure("Arguments have values only after parseAsRoot(_:).")
      }
      return group
    }
    set { state = .parsed(newValue) }
  }

  func declared(at key: [String]) -> DeclaredArguments {
    var declared = DeclaredArguments(of: Value.self, at: key)
    if case .declared(let omitted) = state {
      declared.definitions.removeAll { $0.key.last.map(omitted.contains) ?? false }
    }
    return declared
  }
}

extension OptionGroup.State: Sendable where Value: Sendable {}
extension OptionGroup: Sendable where Value: Sendable {}
