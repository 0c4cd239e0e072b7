/// A Boolean property set by the presence of a name, such as `--verbose`.
@propertyWrapper
public struct Flag<Value>: Decodable, ArgumentProperty {
  var parsed: Parsed<Value>

  init(parsed: Parsed<Value>) { self.parsed = parsed }

  /// Creates a flag with its parsed value.
  public init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  /// The flag's value, once parsed or assigned.
  public var wrappedValue: Value {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }
}

extension Flag: Sendable where Value: Sendable {}

extension Flag where Value == Bool {
  /// Creates a flag that is `true` when given.
  public init(
    wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil
  ) {
    parsed = .declared(
      Declaration(
        form: .flag, names: name, help: help, initial: wrappedValue,
        store: { _, value in value = true }))
  }
}

extension Flag where Value == Int {
  /// Creates a flag that counts how often it is given.
  public init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    parsed = .declared(
      Declaration(
        form: .flag, names: name, help: help, repeats: true, initial: 0,
        store: { _, value in value = (value ?? 0) + 1 }))
  }
}
