/// A property read from an argument's position rather than a name.
@propertyWrapper
public struct Argument<Value>: Decodable, ArgumentProperty {
  var parsed: Parsed<Value>

  init(parsed: Parsed<Value>) { self.parsed = parsed }

  /// Creates an argument with its parsed value.
  public init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  /// The argument's value, once parsed or assigned.
  public var wrappedValue: Value {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  /// Unavailable; its presence lets the compiler accept `@Argument var x: T` without parentheses.
  ///
  /// The compiler looks for an initializer without arguments in this declaration only, but then
  /// chooses among those in extensions, too.
  @available(
    *, unavailable, message: "Without a transform, the value must be ExpressibleByArgument."
  )
  public init() { preconditionFailure() }

  private init(_ declaration: Declaration<Value>) { parsed = .declared(declaration) }
}

extension Argument: Sendable where Value: Sendable {}

extension Argument {
  /// Creates a required argument.
  public init(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value: ExpressibleByArgument {
    self.init(Declaration(.positional, nil, help, completion, .byArgument))
  }

  /// Creates an argument that is `nil` when absent.
  public init<T: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == T? {
    self.init(Declaration(optional: .positional, nil, help, completion, .byArgument))
  }

  /// Creates an argument of any number of values with a default, which given values replace.
  public init<T: ExpressibleByArgument>(
    wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [T] {
    self.init(Declaration(array: .positional, nil, help, completion, initial: wrappedValue))
  }
}
