/// One argument of a command without its type, for parsing, help and completion.
struct ArgumentDefinition {
  enum Form { case positional, flag, option }

  var form: Form
  /// The path of property names from the command to the value.
  var key: [String]
  /// The names, the short one first.
  var names: [Name] = []
  var help: ArgumentHelp
  var repeats = false
  var isOptional = true
  var allValues: [String] = []
  var defaultDescription = ""
  var completion = CompletionKind.Candidates.none
  /// Adds the value of a word to the current value; flags ignore the word.
  var store: (_ word: String, _ value: inout Any?) throws -> Void = { _, _ in }

  /// The long name if there is one, or else the first.
  var preferredName: Name? { names.first { !$0.isShort } ?? names.first }

  var valueName: String {
    help.valueName ?? preferredName?.withoutDashes ?? key.last?.kebabCased ?? "value"
  }

  var isPositional: Bool { form == .positional }

  var takesValue: Bool { form != .flag }

  /// Returns the argument under one name: `--name <value>`, `--flag`, `<value>`.
  func synopsis(as name: Name?) -> String { label(name.map { [$0] } ?? []) }

  var usage: String {
    let repeated = synopsis(as: preferredName) + (repeats ? " ..." : "")
    return isOptional ? "[\(repeated)]" : repeated
  }

  /// The argument under all its names: `-n, --name <value>`.
  var label: String { label(names) }

  private func label(_ names: [Name]) -> String {
    let spellings = names.map(\.spelling).joined(separator: ", ")
    return [spellings, takesValue ? "<\(valueName)>" : ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The abstract, with the allowed values and the default.
  var annotatedAbstract: String {
    let notes = [
      allValues.isEmpty || !takesValue ? "" : "values: " + allValues.joined(separator: ", "),
      defaultDescription.isEmpty ? "" : "default: " + defaultDescription,
    ].filter { !$0.isEmpty }.joined(separator: "; ")
    return [help.abstract, notes.isEmpty ? "" : "(\(notes))"].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
