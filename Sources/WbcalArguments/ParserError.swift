/// The reason that parsing ended without a command to run.
enum ParserError: Error, CustomStringConvertible {
  case helpRequested
  case versionRequested
  case completionScriptRequested(CompletionShell)
  case candidatesRequested([String])
  case unsupportedShell(String?)
  case unknownOption(Name, suggestion: String?)
  case unexpectedArguments([String], suggestion: String?)
  case unexpectedValue(Name, value: String)
  case missingValue(synopsis: String)
  case missingArgument(synopsis: String)
  case invalidValue(String, synopsis: String, allValues: [String], reason: String?)

  var description: String {
    switch self {
    case .helpRequested, .versionRequested, .completionScriptRequested, .candidatesRequested: ""
    case .unsupportedShell(let shell):
      (shell.map { "Can't generate completion scripts for '\($0)'. " } ?? "Missing shell name. ")
        + "Please use --generate-completion-script with one of: "
        + CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
    case .unknownOption(let name, let suggestion):
      "Unknown option '\(name.spelling)'" + Self.question(suggestion)
    case .unexpectedArguments(let words, let suggestion):
      words.count == 1
        ? "Unexpected argument '\(words[0])'" + Self.question(suggestion)
        : "\(words.count) unexpected arguments: '\(words.joined(separator: "', '"))'"
    case .unexpectedValue(let name, let value):
      "The option '\(name.spelling)' does not take any value, but '\(value)' was specified."
    case .missingValue(let synopsis): "Missing value for '\(synopsis)'"
    case .missingArgument(let synopsis): "Missing expected argument '\(synopsis)'"
    case .invalidValue(let value, let synopsis, let allValues, let reason):
      "The value '\(value)' is invalid for '\(synopsis)'"
        + (reason.map { ": \($0)" } ?? Self.choice(allValues))
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { ". Did you mean '\($0)'?" } ?? ""
  }

  private static func choice(_ values: [String]) -> String {
    guard let last = values.last else { return "" }
    let quoted = values.dropLast().map { "'\($0)'" }.joined(separator: ", ")
    return ". Please provide "
      + (values.count == 1 ? "'\(last)'." : "one of \(quoted) or '\(last)'.")
  }
}

/// An error, with the path of commands from the root to the one it concerns.
struct CommandError: Error {
  var stack: [any AsyncParsableCommand.Type]
  var error: any Error
}
