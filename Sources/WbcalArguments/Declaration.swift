/// The declaration of a property wrapper: the names, the help and the conversion of its value.
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
  /// Adds the value of a word to the current value.
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

/// The conversion of one word to a value.
struct Conversion<Value>: Sendable {
  var allValues: [String] = []
  /// Returns the text that shows a default; empty for an empty list.
  var describe: @Sendable (Value) -> String = {
    ($0 as? any Collection)?.isEmpty == true ? "" : String(describing: $0)
  }
  let value: @Sendable (String) throws -> Value

  /// The conversion for an optional value, whose default is not shown.
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

/// The word is not a value of the argument's type.
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
