/// Writes a completion script for fish.
struct FishCompletion {
  let root: CompletionCommand

  var script: String {
    """
    # Completion of \(root.name) for fish.

    # Whether the words before the cursor name the command in the first argument; with a second
    # argument, also whether no option awaits its value.
    function \(function)
      set -l words (commandline -opc)
      set -e words[1]
      set -l command \(quote(root.name))
      set -l expects
      for word in $words
        if set -q expects[1]
          set -e expects[1]
          continue
        end
        switch "$command $word"
    \(transitions.indented(by: 6))
        end
      end
      test "$command" = $argv[1]; or return
      test (count $argv) = 1; or not set -q expects[1]
    end

    complete -c \(root.name) -f
    \(root.all.flatMap(completions).joined(separator: "\n"))
    """
  }

  private var function: String { "_" + root.function + "_at" }

  private var transitions: String {
    root.all.flatMap { command in
      command.subcommands.map { "case \(quote($0.key))\n  set command \(quote($0.key))" }
        + command.options.filter(\.takesValue).map { option in
          let words = option.names.map { quote("\(command.key) \($0.spelling)") }
          return "case \(words.joined(separator: " "))\n  set expects $word"
        }
    }.joined(separator: "\n")
  }

  private func completions(of command: CompletionCommand) -> [String] {
    let start = "complete -c \(root.name) -n \"\(function) \(quote(command.key))"
    return command.subcommands.map {
      "\(start) word\" -a \(quote($0.name)) -d \(quote($0.abstract))"
    }
      + command.options.map { option in
        let names = option.names.map { ($0.isShort ? "-s " : "-l ") + quote($0.withoutDashes) }
        let values = self.values(of: option)
        // An option that takes a value offers file names unless its values are exclusive.
        let rule = option.takesValue ? (values.hasSuffix("-F") ? " -r" : " -x") : ""
        return "\(start)\" \(names.joined(separator: " "))\(rule)\(values) -d "
          + "\(quote(option.help.abstract))"
      }
      + command.positionals.compactMap { argument in
        let values = values(of: argument)
        return values.isEmpty ? nil : start + " word\"" + values
      }
  }

  private func values(of argument: ArgumentDefinition) -> String {
    switch argument.completion {
    case .none: ""
    case .words(let words): " -a \(quote(words.joined(separator: " ")))"
    case .files(let extensions):
      extensions.isEmpty
        ? " -F"
        : " -a '(__fish_complete_suffix \(extensions.map { "." + $0 }.joined(separator: " ")))'"
    }
  }

  /// Returns the text in single quotes, in which fish has two escapes.
  private func quote(_ text: String) -> String { "'" + text.escaping("\\'") + "'" }
}
