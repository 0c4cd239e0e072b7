/// What a property wrapper declares: how its value is spelled, described, and made from words.
struct Declaration<Value> {
  let form: ArgumentDefinition.Form
  let names: NameSpecification?
  let help: ArgumentHelp?
  var allValues: [String] = []
  var completion: CompletionKind?
  var repeats = false
  /// The value when the argument is absent; `nil` if it must be given.
  let initial: Value?
  var defaultDescription = ""
  /// Adds the value of a word to the value so far.
  let store: @Sendable (_ word: String, _ value: inout Value?) throws -> Void

  func definition(key: [String]) -> ArgumentDefinition {
    ArgumentDefinition(
      form: form, key: key, names: names?.names(key.last ?? "") ?? [],
      help: help ?? ArgumentHelp(), repeats: repeats, isOptional: initial != nil,
      allValues: allValues, defaultDescription: defaultDescription,
      completion: completion?.candidates ?? (allValues.isEmpty ? .none : .words(allValues)),
      store: { [store] word, erased in
        var value = erased as? Value
        try store(word, &value)
        erased = value
      })
  }
}

extension Declaration: Sendable where Value: Sendable {}

/// How one word becomes a value.
struct Conversion<Value>: Sendable {
  var allValues: [String] = []
  /// How a default is shown; an empty list is none.
  var describe: @Sendable (Value) -> String = {
    ($0 as? any Collection)?.isEmpty == true ? "" : String(describing: $0)
  }
  let value: @Sendable (String) throws -> Value

  /// The conversion for a value that may be absent, which as a default is not described.
  var optional: Conversion<Value?> {
    Conversion<Value?>(allValues: allValues, describe: { _ in "" }, value: value)
  }
}

extension Conversion where Value: ExpressibleByArgument {
  static var byArgument: Conversion {
    Conversion(allValues: Value.allValueStrings, describe: { $0.defaultValueDescription }) { word in
      guard let value = Value(argument: word) else { throw NotAValue() }
      return value
    }
  }
}

/// The word is no value of the argument's type.
struct NotAValue: Error {}

extension Declaration {
  init(
    _ form: ArgumentDefinition.Form, _ names: NameSpecification?, _ help: ArgumentHelp?,
    _ completion: CompletionKind?, _ conversion: Conversion<Value>, initial: Value? = nil
  ) {
    self.init(
      form: form, names: names, help: help, allValues: conversion.allValues,
      completion: completion, initial: initial,
      defaultDescription: initial.map(conversion.describe) ?? "",
      store: { word, value in value = try conversion.value(word) })
  }

  init<Element: ExpressibleByArgument>(
    array form: ArgumentDefinition.Form, _ names: NameSpecification?, _ help: ArgumentHelp?,
    _ completion: CompletionKind?, initial: [Element]
  ) where Value == [Element] {
    let conversion = Conversion<Element>.byArgument
    self.init(
      form: form, names: names, help: help, allValues: conversion.allValues,
      completion: completion, repeats: true, initial: initial,
      defaultDescription: initial.map(conversion.describe).joined(separator: ", "),
      store: { word, value in value = (value ?? []) + [try conversion.value(word)] })
  }
}
