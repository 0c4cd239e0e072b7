/// The state of a property wrapper: declared, until parsing or an assignment gives a value.
enum Parsed<Value> {
  case declared(Declaration<Value>)
  case value(Value)

  var wrappedValue: Value {
    get {
      guard case .value(let value) = self else {
        preconditionFailure("Arguments have no values before they are parsed; use parseAsRoot(_:).")
      }
      return value
    }
    set { self = .value(newValue) }
  }
}

extension Parsed: Sendable where Value: Sendable {}

/// A property wrapper that declares arguments, found by reflection on a command.
protocol ParsedProperty {
  /// The arguments the wrapper declares, and the values they have when absent.
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
    var result = DeclaredArguments()
    result.definitions = [declaration.definition(key: key)]
    result.values[key] = declaration.initial.map { $0 as Any }
    return result
  }

  init(decodedFrom decoder: any Decoder) throws {
    self.init(parsed: .value(try ArgumentDecoder.value(Value.self, from: decoder)))
  }
}

/// The values of arguments, by the property names that lead to them.
typealias ArgumentValues = [[String]: Any]

/// The arguments of a type, and the values they have when absent.
struct DeclaredArguments {
  var definitions: [ArgumentDefinition] = []
  var values: ArgumentValues = [:]

  init() {}

  init(of type: any ParsableArguments.Type, at path: [String] = []) {
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
