/// A Boolean property set by the presence of a name, such as `--verbose`.
@propertyWrapper
package struct Flag: Decodable, Sendable, ArgumentProperty {
  var parsed: Parsed<Bool>

  init(parsed: Parsed<Bool>) { self.parsed = parsed }

  package init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  package var wrappedValue: Bool {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    parsed = .declared(
      Declaration(
        form: .flag, names: name, help: help, initial: wrappedValue,
        store: { _, value in value = true }))
  }
}
