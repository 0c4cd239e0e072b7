/// Writes a completion script for bash, 3.2 and later.
struct BashCompletion {
  let root: CompletionCommand

  /// The script. One function walks the words before the cursor to find the command, the option
  /// that needs a value, and the number of positional arguments; then it lists candidates.
  var script: String {
    """
    # Completion of \(root.name) for bash.

    \(root.function)() {
      local IFS=$'\\n' word expects= position=0 command=\(root.name.shellQuoted)
      local cur="${COMP_WORDS[COMP_CWORD]}"
      COMPREPLY=()
      # Bash makes three words of --name=value.
      [[ $cur == '=' ]] && cur=
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == '=' ]] && continue
        if [[ -n $expects ]]; then
          expects=
          continue
        fi
        case "$command $word" in
    \(transitions.indented(by: 6))
          *' -'*) ;;
          *) position=$((position + 1)) ;;
        esac
      done
      case "$command $expects" in
    \(root.all.map(candidates).joined(separator: "\n").indented(by: 4))
      esac
    }

    complete -F \(root.function) \(root.name)
    """
  }

  private var transitions: String {
    root.all.flatMap { command in
      command.subcommands.map {
        "\($0.key.shellQuoted)) command=\($0.key.shellQuoted) position=0 ;;"
      }
        + command.options.filter(\.takesValue).map {
          "\(patterns($0, of: command))) expects=$word ;;"
        }
    }.joined(separator: "\n")
  }

  private func candidates(of command: CompletionCommand) -> String {
    let values = command.options.filter(\.takesValue).map {
      "\(patterns($0, of: command)))\n\(reply($0).indented(by: 2))\n  ;;"
    }
    let names = command.options.flatMap(\.names).map(\.spelling)
    let pattern = (command.key + " ").shellQuoted
    let positional = positionalReply(of: command)
    let words =
      positional.isEmpty
      ? reply(names)
      : """
      if [[ $cur == -* ]]; then
      \(reply(names).indented(by: 2))
      else
      \(positional.indented(by: 2))
      fi
      """
    return (values + ["\(pattern))\n\(words.indented(by: 2))\n  ;;"]).joined(separator: "\n")
  }

  private func positionalReply(of command: CompletionCommand) -> String {
    if !command.subcommands.isEmpty {
      return "[[ $position == 0 ]] && \(reply(command.subcommands.map(\.name)))"
    }
    guard !command.positionals.isEmpty else { return "" }
    let cases = command.positionals.enumerated().map { index, argument in
      "\(argument.repeats ? "*" : String(index)))\n\(reply(argument).indented(by: 2))\n  ;;"
    }
    return "case $position in\n\(cases.joined(separator: "\n"))\nesac"
  }

  private func patterns(_ option: ArgumentDefinition, of command: CompletionCommand) -> String {
    option.names.map { "\(command.key) \($0.spelling)".shellQuoted }.joined(separator: "|")
  }

  private func reply(_ argument: ArgumentDefinition) -> String {
    switch argument.completion {
    case .none: return ":"
    case .words(let words): return reply(words)
    case .files(let extensions):
      guard !extensions.isEmpty else { return files("compgen -f -- \"$cur\"") }
      let filters = extensions.map { "compgen -f -X \("!*.\($0)".shellQuoted) -- \"$cur\"" }
      return files((["compgen -d -- \"$cur\""] + filters).joined(separator: "; "))
    }
  }

  private func reply(_ words: [String]) -> String {
    let list = words.joined(separator: "\n").escaping("\\'")
      .split(separator: "\n").joined(separator: "\\n")
    return "COMPREPLY=($(compgen -W $'\(list)' -- \"$cur\"))"
  }

  /// Returns a command for file names, in which bash quotes names and adds a slash to directories
  /// if it can.
  private func files(_ commands: String) -> String {
    "compopt -o filenames 2>/dev/null\nCOMPREPLY=($(\(commands)))"
  }
}
