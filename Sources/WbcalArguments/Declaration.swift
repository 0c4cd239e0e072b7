/// What a property wrapper declares: how its value is spelled, described, and made from words.
struct Declaration<Value> {
  var form: ArgumentDefinition.Form
  var names: NameSpecification = []
  var help: ArgumentHelp?
  var completion: CompletionKind?
  var conversion: ConversionTraits = ConversionTraits()
  var repeats = false
  var initial: Value?
  var defaultDescription = ""
  var store: @Sendable (_ word: String, _ value: inout Value?) throws -> Void

  func definition(key: [String]) -> ArgumentDefinition {
    let names = names.names(forProperty: key.last ?? "")
    return ArgumentDefinition(
      form: form, key: key, names: names.filter(\.isShort) + names.filter { !$0.isShort },
      help: help ?? ArgumentHelp(), repeats: repeats, isOptional: initial != nil,
      allValues: conversion.allValues, defaultDescription: defaultDescription,
      completion: completion ?? conversion.completion,
      store: { [store] word, erased in
        var value = erased as? Value
        try store(word, &value)
        erased = value
      })
  }
}

extension Declaration: Sendable where Value: Sendable {}

/// The part of a conversion that does not depend on the type of its result.
struct ConversionTraits {
  var allValues: [String] = []
  var completion = CompletionKind.default
}

/// How one word becomes a value.
struct Conversion<Value>: Sendable {
  var traits = ConversionTraits()
  var value: @Sendable (String) throws -> Value
  var describe: @Sendable (Value) -> String = { String(describing: $0) }

  init(transform: @escaping @Sendable (String) throws -> Value) {
    value = transform
  }
}

extension Conversion where Value: ExpressibleByArgument {
  static var byArgument: Conversion {
    var conversion = Conversion { word in
      guard let value = Value(argument: word) else { throw NotAValue() }
      return value
    }
    conversion.describe = { $0.defaultValueDescription }
    conversion.traits = ConversionTraits(
      allValues: Value.allValueStrings, completion: Value.defaultCompletionKind)
    return conversion
  }
}

/// The word is no value of the argument's type.
struct NotAValue: Error {}

extension Declaration {
  init(
    _ form: ArgumentDefinition.Form, _ names: NameSpecification, _ help: ArgumentHelp?,
    _ completion: CompletionKind?, _ conversion: Conversion<Value>, initial: Value? = nil
  ) {
    self.init(
      form: form, names: names, help: help, completion: completion,
      conversion: conversion.traits, initial: initial,
      defaultDescription: initial.map(conversion.describe) ?? "",
      store: { word, value in value = try conversion.value(word) })
  }

  init<Wrapped>(
    optional form: ArgumentDefinition.Form, _ names: NameSpecification, _ help: ArgumentHelp?,
    _ completion: CompletionKind?, _ conversion: Conversion<Wrapped>
  ) where Value == Wrapped? {
    self.init(
      form: form, names: names, help: help, completion: completion,
      conversion: conversion.traits, initial: .some(nil),
      store: { word, value in value = .some(try conversion.value(word)) })
  }

  init<Element>(
    array form: ArgumentDefinition.Form, _ names: NameSpecification, _ help: ArgumentHelp?,
    _ completion: CompletionKind?, _ conversion: Conversion<Element>, initial: [Element]? = nil
  ) where Value == [Element] {
    self.init(
      form: form, names: names, help: help, completion: completion,
      conversion: conversion.traits, repeats: true, initial: initial,
      defaultDescription: (initial ?? []).map(conversion.describe).joined(separator: ", "),
      store: { word, value in value = (value ?? []) + [try conversion.value(word)] })
  }
}
