/// The effect of an error on the process: the text to print, and the exit status.
struct Termination {
  /// The help or another answer, or a failure's message with a prefix and possibly the usage.
  var text = ""
  var exitCode = ExitCode.success

  init(_ error: any Error, root: any AsyncParsableCommand.Type, columns: Int?) {
    let located = error as? CommandError
    let stack = located?.stack ?? [root]
    let help = HelpGenerator(stack, columns: columns)
    switch located?.error ?? error {
    case ParserError.helpRequested: text = help.text
    case ParserError.versionRequested:
      text = stack.last { !$0.configuration.version.isEmpty }?.configuration.version ?? ""
    case ParserError.completionScriptRequested(let shell):
      text = shell.script(for: root.name)
    case ParserError.candidatesRequested(let lines): text = lines.joined(separator: "\n")
    case let code as ExitCode: exitCode = code
    case let error:
      text = "Error: \(error)"
      exitCode = .failure
      if error is ParserError || error is ValidationError {
        text += "\n" + help.hint
        exitCode = .validationFailure
      }
    }
  }
}
