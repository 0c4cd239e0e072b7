import Foundation
import Testing

/// The commands of the documentation's pages.
struct ArticleTests {
  private static let pages: [String] = {
    let guides = "Documentation/Guides.docc"
    let folder = Workbench.repository.appending(path: guides).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return (names.sorted().map { "\(guides)/\($0)" } + ["README.md"]).filter {
      (try? text(of: $0).contains("\n```console\n")) == true
    }
  }()

  private static func text(of page: String) throws -> String {
    try String(contentsOf: Workbench.repository.appending(path: page), encoding: .utf8)
  }

  /// Each command after a `$`, run one after another in one folder, prints what the page shows
  /// below it. `make articles` updates the page with the present output.
  @Test(arguments: pages) func commandsPrintWhatThePageShows(page: String) throws {
    let text = try Self.text(of: page)
    let found = try Self.rerun(text)
    if ProcessInfo.processInfo.environment["WBCAL_WRITE_ARTICLES"] != nil {
      try found.write(
        to: Workbench.repository.appending(path: page), atomically: true, encoding: .utf8)
      return
    }
    let (shown, now) = (text.components(separatedBy: "\n"), found.components(separatedBy: "\n"))
    for (index, (old, new)) in zip(shown, now).enumerated() where !Self.agree(old, new) {
      Issue.record("\(page):\(index + 1): it prints \(new)")
      return
    }
    #expect(shown.count == now.count, "\(page)")
  }

  /// Indicates whether lines are equal except for the last digits of numbers, in which builds
  /// differ.
  private static func agree(_ old: String, _ new: String) -> Bool {
    func parts(_ line: String) -> [Substring] { line.split { $0 == "," || $0 == " " } }
    let (old, new) = (parts(old), parts(new))
    return old.count == new.count
      && zip(old, new).allSatisfy { old, new in
        guard old != new else { return true }
        guard let old = Double(old), let new = Double(new) else { return false }
        return abs(new - old) <= 1e-9 * max(1, abs(old))
      }
  }

  @Test func thereAreCommands() { #expect(Self.pages.count >= 5) }

  /// Foundation considers a process running as long as any process has the socket that it gave it.
  private static let closingOthers = """
    for fd in /dev/fd/*; do
      fd=${fd##*/}; if ((fd > 2 && fd != 255)); then eval "exec $fd>&-"; fi
    done

    """

  /// Returns a page with the present output of its commands.
  private static func rerun(_ text: String) throws -> String {
    let bench = try Workbench()
    var page: [String] = []
    var lines = text.components(separatedBy: "\n")[...]
    while let line = lines.popFirst() {
      page.append(line)
      guard line == "```console" else { continue }
      while let line = lines.popFirst(), line != "```" {
        guard line.hasPrefix("$ ") else { continue }
        var command = [String(line.dropFirst(2))]
        page.append(line)
        if line.hasSuffix("<<'END'") {
          while let more = lines.popFirst() {
            command.append(more)
            page.append(more)
            if more == "END" { break }
          }
        }
        // Processes that a command leaves in the background are not waited for.
        let outcome = try bench.runProcess(
          shell: "export HOME=$PWD PATH=\"${1%/*}:$PATH\"; exec 2>&1\n"
            + (line.contains(" & ") ? Self.closingOthers : "") + command.joined(separator: "\n"))
        page += outcome.output.split(separator: "\n").map(String.init)
      }
      page.append("```")
    }
    return page.joined(separator: "\n")
  }
}
