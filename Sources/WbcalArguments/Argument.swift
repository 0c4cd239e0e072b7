/// A property that is read from an argument's position instead of a name.
@propertyWrapper
package struct Argument<Value>: Decodable, ArgumentProperty {
  var parsed: Parsed<Value>

  init(parsed: Parsed<Value>) { self.parsed = parsed }

  package init(from decoder: any Decoder) throws { try self.init(decodedFrom: decoder) }

  package var wrappedValue: Value {
    get { parsed.wrappedValue }
    set { parsed.wrappedValue = newValue }
  }

  /// Unavailable; its presence lets the compiler accept `@Argument var x: T` without parentheses.
  ///
  /// The compiler searches only this declaration for an initializer without arguments, but then
  /// also chooses among those in extensions.
  @available(
    *, unavailable, message: "Without a transform, the value must be ExpressibleByArgument."
  )
  package init() { preconditionFailure() }

  private init(_ declaration: Declaration<Value>) { parsed = .declared(declaration) }
}

extension Argument: Sendable where Value: Sendable {}

extension Argument {
  package init(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value: ExpressibleByArgument {
    self.init(Declaration(.positional, nil, help, completion, .byArgument))
  }

  package init<T: ExpressibleByArgument>(
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == T? {
    let conversion = Conversion<T>.byArgument.optional
    self.init(Declaration(.positional, nil, help, completion, conversion, initial: .some(nil)))
  }

  /// Creates an argument with any number of values, which replace the default if any are given.
  package init<T: ExpressibleByArgument>(
    wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [T] {
    self.init(Declaration(array: .positional, nil, help, completion, initial: wrappedValue))
  }
}
