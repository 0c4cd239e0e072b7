/// Writes a completion script for zsh, to be put in `$fpath` or sourced.
struct ZshCompletion {
  let root: CompletionCommand

  var script: String {
    """
    #compdef \(root.name)

    \(root.all.map(function).joined(separator: "\n\n"))

    if [[ $funcstack[1] == \(root.function) ]]; then
      \(root.function) "$@"
    else
      compdef \(root.function) \(root.name)
    fi
    """
  }

  private func function(for command: CompletionCommand) -> String {
    var specifications = command.options.flatMap(option)
    guard !command.subcommands.isEmpty else {
      specifications += command.positionals.map(positional)
      return """
        \(command.function)() {
          local -a specifications=(
        \(list(specifications))
          )
          _arguments -s -S $specifications
        }
        """
    }
    specifications += ["(-): :->command", "(-)*:: :->arguments"]
    let commands = command.subcommands.map { "\($0.name.escaping("\\:")):\($0.abstract)" }
    let calls = command.subcommands.map { "\($0.name.shellQuoted)) \($0.function) ;;" }
    return """
      \(command.function)() {
        local context state state_descr line
        typeset -A opt_args
        local -a specifications=(
      \(list(specifications))
        )
        local -a commands=(
      \(list(commands))
        )
        _arguments -s -S -C $specifications && return
        case $state in
          command) _describe -t commands command commands ;;
          arguments)
            case $words[1] in
      \(calls.joined(separator: "\n").indented(by: 8))
            esac
            ;;
        esac
      }
      """
  }

  private func list(_ words: [String]) -> String {
    words.map(\.shellQuoted).joined(separator: "\n").indented(by: 4)
  }

  /// Returns one specification for each name, which excludes all names of the option unless it may
  /// be repeated.
  private func option(_ option: ArgumentDefinition) -> [String] {
    let exclusion =
      option.repeats ? "*" : "(\(option.names.map(\.spelling).joined(separator: " ")))"
    let abstract = option.help.abstract.escaping("\\[]:")
    return option.names.map { name in
      guard option.takesValue else { return "\(exclusion)\(name.spelling)[\(abstract)]" }
      let joined = name.isShort ? "+" : "="
      return "\(exclusion)\(name.spelling)\(joined)[\(abstract)]:\(value(of: option))"
    }
  }

  private func positional(_ argument: ArgumentDefinition) -> String {
    let prefix = argument.repeats ? "*:" : argument.isOptional ? "::" : ":"
    return prefix + value(of: argument)
  }

  private func value(of argument: ArgumentDefinition) -> String {
    let action =
      switch argument.completion {
      case .none: " "
      case .words(let words):
        "(" + words.map { $0.escaping("\\ ():'\"") }.joined(separator: " ") + ")"
      case .files(let extensions):
        extensions.isEmpty ? "_files" : "_files -g \"*.(\(extensions.joined(separator: "|")))\""
      }
    return "\(argument.valueName.escaping("\\:")):\(action)"
  }
}
