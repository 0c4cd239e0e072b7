/// The state of a property wrapper: declared, until parsing or an assignment gives a value.
///
/// It is indirect because a command has many of them and is copied.
indirect enum Parsed<Value> {
  case declared(Declaration<Value>)
  case value(Value)

  var wrappedValue: Value {
    get {
      guard case .value(let value) = self else {
        preconditionFailure("Arguments have values only after parseAsRoot(_:).")
      }
      return value
    }
    set { self = .value(newValue) }
  }
}

extension Parsed: Sendable where Value: Sendable {}

/// A property wrapper that declares arguments, found by reflection on a command.
protocol ParsedProperty {
  /// Returns the arguments that the wrapper declares, and their values if they are not given.
  func declared(at key: [String]) -> DeclaredArguments
}

/// An option, flag, or positional argument.
protocol ArgumentProperty: ParsedProperty {
  associatedtype Value
  init(parsed: Parsed<Value>)
  var parsed: Parsed<Value> { get }
}

extension ArgumentProperty {
  func declared(at key: [String]) -> DeclaredArguments {
    guard case .declared(let declaration) = parsed else { return DeclaredArguments() }
    return DeclaredArguments(
      definitions: [declaration.definition(key: key)],
      values: declaration.initial.map { [key: $0] } ?? [:])
  }

  init(decodedFrom decoder: any Decoder) throws {
    self.init(parsed: .value(try ArgumentDecoder.value(Value.self, from: decoder)))
  }
}

/// The values of arguments by their paths of property names.
typealias ArgumentValues = [[String]: Any]

/// The arguments of a type, and their values if they are not given.
struct DeclaredArguments {
  var definitions: [ArgumentDefinition] = []
  var values: ArgumentValues = [:]
}

extension DeclaredArguments {
  init(of type: any ParsableArguments.Type, at path: [String] = []) {
    self.init()
    for child in Mirror(reflecting: type.init()).children {
      guard let label = child.label else { continue }
      if let property = child.value as? any ParsedProperty {
        let declared = property.declared(at: path + [String(label.dropFirst())])
        definitions += declared.definitions
        values.merge(declared.values) { _, new in new }
      } else {
        values[path + [label]] = child.value
      }
    }
  }
}
