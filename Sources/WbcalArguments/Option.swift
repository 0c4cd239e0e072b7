/// A property read from a named option, such as `--count 3`.
@propertyWrapper
package struct Option<Value>: Decodable, ArgumentProperty {
  var parsed: Parsed<Value>

  init(parsed: Parsed<Value>) { self.parsed = parsed }

  package init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  package var wrappedValue: Value {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  /// Unavailable, for the reason given at `Argument`.
  @available(
    *, unavailable, message: "Without a transform, the value must be ExpressibleByArgument."
  )
  package init() { preconditionFailure() }

  private init(_ declaration: Declaration<Value>) { parsed = .declared(declaration) }
}

extension Option: Sendable where Value: Sendable {}

extension Option where Value: ExpressibleByArgument {
  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) {
    self.init(Declaration(.option, name, help, completion, .byArgument, initial: wrappedValue))
  }

  package init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) {
    self.init(Declaration(.option, name, help, completion, .byArgument))
  }
}

extension Option {
  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    transform: @escaping @Sendable (String) throws -> Value
  ) {
    self.init(
      Declaration(.option, name, help, nil, Conversion(value: transform), initial: wrappedValue))
  }

  package init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil,
    transform: @escaping @Sendable (String) throws -> Value
  ) {
    self.init(Declaration(.option, name, help, nil, Conversion(value: transform)))
  }

  package init<T: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == T? {
    let conversion = Conversion<T>.byArgument.optional
    self.init(Declaration(.option, name, help, completion, conversion, initial: .some(nil)))
  }

  package init<T>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil,
    transform: @escaping @Sendable (String) throws -> T
  ) where Value == T? {
    let conversion = Conversion(value: transform).optional
    self.init(Declaration(.option, name, help, nil, conversion, initial: .some(nil)))
  }

  /// Creates a repeatable option, whose default is replaced if any values are given.
  package init<T: ExpressibleByArgument>(
    wrappedValue: [T], name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == [T] {
    self.init(Declaration(array: .option, name, help, completion, initial: wrappedValue))
  }
}
