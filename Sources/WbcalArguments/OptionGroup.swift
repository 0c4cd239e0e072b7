/// A property that holds arguments declared in another type, to share them between commands.
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: Decodable, ParsedProperty {
  private var group: Value?

  /// Creates a group.
  public init() {}

  /// Creates a group with its parsed arguments.
  public init(from decoder: any Decoder) throws {
    var group = try Value(from: decoder)
    try group.validate()
    self.group = group
  }

  /// The arguments of the group, once parsed or assigned.
  public var wrappedValue: Value {
    get {
      guard let group else {
        preconditionFailure("Arguments have no values before they are parsed; use parseAsRoot(_:).")
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
