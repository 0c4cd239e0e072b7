/// What an error means for the process: its message, and the status to exit with.
struct Termination {
  var message = ""
  /// The message as printed, with a prefix and the usage for failures.
  var fullMessage = ""
  var exitCode = ExitCode.success

  init(_ error: any Error, root: any ParsableCommand.Type, columns: Int?) {
    let located = error as? CommandError
    let stack = located?.stack ?? [root]
    let help = HelpGenerator(stack, columns: columns)
    switch located?.error ?? error {
    case ParserError.helpRequested:
      succeed(help.text)
    case ParserError.versionRequested:
      succeed(stack.last { !$0.configuration.version.isEmpty }?.configuration.version ?? "")
    case ParserError.completionScriptRequested(let shell):
      succeed(CompletionCommand([root]).script(for: shell))
    case let error as ParserError:
      rejectArguments(error.description, help)
    case let error as ValidationError:
      rejectArguments(error.message, help)
    case let exit as CleanExit:
      switch exit.base {
      case .help(let command):
        let path = command.flatMap { stack[0].path(to: $0) } ?? [stack[0]]
        succeed(HelpGenerator(path, columns: columns).text)
      case .message(let text):
        succeed(text)
      }
    case let code as ExitCode:
      exitCode = code
    case let error:
      message = String(describing: error)
      fullMessage = "Error: " + message
      exitCode = .failure
    }
  }

  private mutating func succeed(_ text: String) {
    message = text
    fullMessage = text
  }

  private mutating func rejectArguments(_ text: String, _ help: HelpGenerator) {
    message = text
    fullMessage = (["Error: " + text] + help.hint).joined(separator: "\n")
    exitCode = .validationFailure
  }
}
