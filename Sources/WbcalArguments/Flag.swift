/// A Boolean property set by the presence of a name, such as `--verbose`.
@propertyWrapper
public struct Flag: Decodable, Sendable, ArgumentProperty {
  var parsed: Parsed<Bool>

  init(parsed: Parsed<Bool>) { self.parsed = parsed }

  /// Creates a flag with its parsed value.
  public init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  /// The flag's value, once parsed or assigned.
  public var wrappedValue: Bool {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  /// Creates a flag that is `true` when given.
  public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    parsed = .declared(
      Declaration(
        form: .flag, names: name, help: help, initial: wrappedValue,
        store: { _, value in value = true }))
  }
}
