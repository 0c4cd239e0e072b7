import WbcalSystem

/// Writes the help screen and the usage line of a command.
struct HelpGenerator {
  private static let labelColumnWidth = 26
  private static let indent = 2
  /// A usage line of more arguments than this shows the required ones only.
  private static let longUsage = 12

  private let interface: CommandInterface
  private let width: Int

  init(_ stack: [any ParsableCommand.Type], columns: Int?) {
    interface = CommandInterface(stack)
    width = columns ?? Terminal.standardOutput.columns ?? 80
  }

  /// The help screen, without a newline at its end.
  var text: String {
    let configuration = interface.configuration
    let overview = configuration.abstract.isEmpty ? "" : "OVERVIEW: " + configuration.abstract
    var sections = [overview, configuration.discussion].map { $0.wrapped(to: width) }
    sections.append(usage.isEmpty ? "" : "USAGE: " + usage)
    sections.append(section("ARGUMENTS", interface.visiblePositionals.map(entry)))
    sections.append(section("OPTIONS", interface.visibleOptions.map(entry)))
    sections.append(section("SUBCOMMANDS", interface.visibleSubcommands.map(entry)))
    if !interface.visibleSubcommands.isEmpty {
      var names = interface.path
      names.insert("help", at: 1)
      sections.append(
        "  See '\(names.joined(separator: " ")) <subcommand>' for detailed help.")
    }
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// What follows the message of a usage error.
  var hint: [String] {
    let path = interface.path.joined(separator: " ")
    return (usage.isEmpty ? [] : ["Usage: " + usage])
      + ["  See '\(path) --help' for more information."]
  }

  /// The usage line, or an empty string.
  var usage: String {
    if let usage = interface.configuration.usage { return usage }
    let visible = interface.arguments.filter(\.isVisible)
    var options = visible.filter { !$0.isPositional }
    var abridged: [String] = []
    if visible.count > Self.longUsage {
      options.removeAll(where: \.isOptional)
      abridged = ["[<options>]"]
    }
    let arguments = options + visible.filter(\.isPositional)
    let subcommand = interface.visibleSubcommands.isEmpty ? [] : ["<subcommand>"]
    return (interface.path + abridged + arguments.map(\.usage) + subcommand)
      .joined(separator: " ")
  }

  private func section(_ title: String, _ entries: [String]) -> String {
    entries.isEmpty ? "" : ([title + ":"] + entries).joined(separator: "\n")
  }

  private func entry(_ argument: ArgumentDefinition) -> String {
    entry(argument.label, argument.annotatedAbstract, argument.help.discussion)
  }

  private func entry(_ command: any ParsableCommand.Type) -> String {
    let isDefault = interface.configuration.defaultSubcommand.map { $0 == command } ?? false
    return entry(command.name + (isDefault ? " (default)" : ""), command.configuration.abstract)
  }

  private func entry(_ label: String, _ abstract: String, _ discussion: String = "") -> String {
    let label = String(repeating: " ", count: Self.indent) + label
    var result = label
    if !abstract.isEmpty {
      let column = abstract.wrapped(to: width, indent: Self.labelColumnWidth)
      result +=
        label.count < Self.labelColumnWidth
        ? String(column.dropFirst(label.count)) : "\n" + column
    }
    if !discussion.isEmpty {
      result += "\n" + discussion.wrapped(to: width, indent: Self.indent * 4)
    }
    return result
  }
}
