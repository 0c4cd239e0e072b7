/// A section of a manual page that is not generated from the commands.
package struct ManualSection: Sendable {
  /// The heading, by custom in upper case.
  package var title: String

  /// The paragraphs, as in a command's discussion: indented lines are kept, all others are filled.
  package var text: String

  /// The terms and their meanings, which follow the text.
  package var terms: [(term: String, meaning: String)]

  package init(_ title: String, text: String = "", terms: [(term: String, meaning: String)] = []) {
    self.title = title
    self.text = text
    self.terms = terms
  }
}

extension AsyncParsableCommand {
  /// Returns the manual page of this command and its subcommands, in the language of man(7).
  ///
  /// - Parameter description: the text that replaces this command's discussion.
  /// - Parameter sections: the sections after the commands.
  package static func manualPage(
    description: String? = nil, sections: [ManualSection] = []
  ) -> String {
    ManualPage(root: self, description: description, sections: sections).source
  }
}

/// Writes the source of a manual page.
struct ManualPage {
  let root: any AsyncParsableCommand.Type
  let description: String?
  let sections: [ManualSection]

  /// The source. It contains no date, so that the same commands give the same page.
  var source: String {
    let configuration = root.configuration
    let interface = CommandInterface([root])
    let commands = interface.visibleSubcommands.map { [root, $0] }.flatMap(Self.leaves)
    let blocks =
      [
        ".TH \(root.name.uppercased().roff) 1 \"\" \"\(configuration.version.roff)\" \"User "
          + "Commands\"",
        // Words to be typed must not be hyphenated.
        ".nh", ".ad l",
        ".SH NAME", "\(root.name.roff) \\- \(configuration.abstract.roff)",
        ".SH SYNOPSIS", usage(of: [root]),
        ".SH DESCRIPTION", paragraphs(description ?? configuration.discussion),
        entries(interface.positionals),
        ".SH OPTIONS", entries(interface.options),
        commands.isEmpty ? "" : ".SH COMMANDS",
      ] + commands.map(subsection) + sections.map(section)
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// Returns the commands at and below one that have no subcommands.
  private static func leaves(
    _ stack: [any AsyncParsableCommand.Type]
  ) -> [[any AsyncParsableCommand.Type]] {
    let below = CommandInterface(stack).visibleSubcommands
    return below.isEmpty ? [stack] : below.flatMap { leaves(stack + [$0]) }
  }

  private func subsection(_ stack: [any AsyncParsableCommand.Type]) -> String {
    let interface = CommandInterface(stack)
    // The flags that every command has are among the options of the root.
    let arguments = interface.positionals + interface.options.filter { !$0.key.isEmpty }
    return [
      ".SS \"\(interface.path.joined(separator: " ").roff)\"", usage(of: stack),
      paragraphs(interface.configuration.abstract), paragraphs(interface.configuration.discussion),
      entries(arguments),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func section(_ section: ManualSection) -> String {
    ([".SH \"\(section.title.roff)\"", paragraphs(section.text)]
      + section.terms.map { ".TP\n\\fB\($0.term.roff)\\fR\n\($0.meaning.roff)" })
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func usage(of stack: [any AsyncParsableCommand.Type]) -> String {
    ".PP\n" + HelpGenerator(stack, columns: nil).usage.roffSynopsis
  }

  private func entries(_ arguments: [ArgumentDefinition]) -> String {
    arguments.flatMap { [".TP", $0.label.roffSynopsis, $0.annotatedAbstract.roff] }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func paragraphs(_ text: String) -> String {
    var result: [String] = []
    var isExample = false
    var isAfterBlank = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        isAfterBlank = true
        continue
      }
      if line.hasPrefix(" ") != isExample {
        isExample.toggle()
        result.append(isExample ? ".IP\n.EX" : ".EE")
        if !isExample { result.append(".PP") }
      } else if isAfterBlank {
        result.append(isExample ? "" : ".PP")
      }
      isAfterBlank = false
      result.append(String(isExample ? line.dropFirst(2) : line).roff)
    }
    if isExample { result.append(".EE") }
    return result.joined(separator: "\n")
  }
}

extension String {
  /// The text escaped such that roff prints it unchanged.
  fileprivate var roff: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      // A period at the start of a line would begin a request.
      case "." where result.isEmpty || result.last == "\n": result += "\\&."
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: Swift.max(0, 4 - code.count)) + code + "]"
      }
    }
    return result
  }

  /// The text escaped, with words in bold and placeholders such as `<value>` in italics.
  fileprivate var roffSynopsis: String {
    var result = "\\fB"
    for (index, part) in split(separator: "<", omittingEmptySubsequences: false).enumerated() {
      let pieces = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      if index == 0 || pieces.count < 2 {
        result += String(part).roff
      } else {
        result += "\\fI\(String(pieces[0]).roff)\\fB\(String(pieces[1]).roff)"
      }
    }
    return result + "\\fR"
  }
}
