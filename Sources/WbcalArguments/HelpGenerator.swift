import WbcalSystem

/// Writes the help screen and the usage line of a command.
struct HelpGenerator {
  private static let labelColumnWidth = 26
  /// The number of arguments above which a usage line omits the optional ones.
  private static let longUsage = 12

  private let interface: CommandInterface
  private let width: Int

  init(_ stack: [any AsyncParsableCommand.Type], columns: Int?) {
    interface = CommandInterface(stack)
    width = columns ?? Terminal.standardOutput.columns ?? 80
  }

  /// The help screen, without a newline at its end.
  var text: String {
    let configuration = interface.configuration
    let overview = configuration.abstract.isEmpty ? "" : "OVERVIEW: " + configuration.abstract
    var sections = [overview, configuration.discussion].map { $0.wrapped(to: width) }
    sections.append("USAGE: " + usage)
    sections.append(section("ARGUMENTS", interface.positionals.map(entry)))
    sections.append(section("OPTIONS", interface.options.map(entry)))
    sections.append(section("SUBCOMMANDS", interface.visibleSubcommands.map(entry)))
    if !interface.visibleSubcommands.isEmpty {
      var names = interface.path
      names.insert("help", at: 1)
      sections.append("  See '\(names.joined(separator: " ")) <subcommand>' for detailed help.")
    }
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The text after the message of a usage error.
  var hint: String {
    "Usage: \(usage)\n  See '\(interface.path.joined(separator: " ")) --help' for more information."
  }

  var usage: String {
    var options = interface.arguments.filter { !$0.isPositional }
    var abridged: [String] = []
    if interface.arguments.count > Self.longUsage {
      options.removeAll(where: \.isOptional)
      abridged = ["[<options>]"]
    }
    let arguments = options + interface.positionals
    let subcommand = interface.visibleSubcommands.isEmpty ? [] : ["<subcommand>"]
    return (interface.path + abridged + arguments.map(\.usage) + subcommand)
      .joined(separator: " ")
  }

  private func section(_ title: String, _ entries: [String]) -> String {
    entries.isEmpty ? "" : ([title + ":"] + entries).joined(separator: "\n")
  }

  private func entry(_ argument: ArgumentDefinition) -> String {
    entry(argument.label, argument.annotatedAbstract)
  }

  private func entry(_ command: any AsyncParsableCommand.Type) -> String {
    entry(command.name, command.configuration.abstract)
  }

  private func entry(_ label: String, _ abstract: String) -> String {
    let label = "  " + label
    if abstract.isEmpty { return label }
    let column = abstract.wrapped(to: width, indent: Self.labelColumnWidth)
    return label
      + (label.count < Self.labelColumnWidth
        ? String(column.dropFirst(label.count)) : "\n" + column)
  }
}
