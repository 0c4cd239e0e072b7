/// A property read from a named option, such as `--count 3`.
@propertyWrapper
public struct Option<Value>: Decodable, ArgumentProperty {
  var parsed: Parsed<Value>

  init(parsed: Parsed<Value>) { self.parsed = parsed }

  /// Creates an option with its parsed value.
  public init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  /// The option's value, once parsed or assigned.
  public var wrappedValue: Value {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  /// Unavailable; its presence lets the compiler accept `@Option var x: T` without parentheses.
  ///
  /// The compiler looks for an initializer without arguments in this declaration only, but then
  /// chooses among those in extensions, too.
  @available(
    *, unavailable, message: "Without a transform, the value must be ExpressibleByArgument."
  )
  public init() { preconditionFailure() }

  private init(_ declaration: Declaration<Value>) { parsed = .declared(declaration) }
}

extension Option: Sendable where Value: Sendable {}

extension Option where Value: ExpressibleByArgument {
  /// Creates an option with a default value.
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) {
    self.init(Declaration(.option, name, help, completion, .byArgument, initial: wrappedValue))
  }

  /// Creates a required option.
  public init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) {
    self.init(Declaration(.option, name, help, completion, .byArgument))
  }
}

extension Option {
  /// Creates an option with a default value, read by a closure.
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil, transform: @escaping @Sendable (String) throws -> Value
  ) {
    self.init(
      Declaration(
        .option, name, help, completion, Conversion(value: transform), initial: wrappedValue))
  }

  /// Creates a required option, read by a closure.
  public init(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
    transform: @escaping @Sendable (String) throws -> Value
  ) {
    self.init(Declaration(.option, name, help, completion, Conversion(value: transform)))
  }

  /// Creates an option that is `nil` when absent.
  public init<T: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == T? {
    self.init(Declaration(optional: .option, name, help, completion, .byArgument))
  }

  /// Creates an option that is `nil` when absent, read by a closure.
  public init<T>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
    transform: @escaping @Sendable (String) throws -> T
  ) where Value == T? {
    self.init(Declaration(optional: .option, name, help, completion, Conversion(value: transform)))
  }

  /// Creates a repeatable option with a default value, which given values replace.
  public init<T: ExpressibleByArgument>(
    wrappedValue: [T], name: NameSpecification = .long, help: ArgumentHelp? = nil,
    completion: CompletionKind? = nil
  ) where Value == [T] {
    self.init(Declaration(array: .option, name, help, completion, initial: wrappedValue))
  }
}
