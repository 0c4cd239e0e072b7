import Foundation
import Testing

/// A command in the process of the tests does the same as the tool in a process of its own.
struct WorkbenchTests {
  private func prepared() throws -> Workbench {
    let bench = try Workbench()
    for folder in ["in", "out"] {
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: folder), withIntermediateDirectories: true)
    }
    for name in ["in/a.ppm", "in/b.ppm", "card.ppm"] { try bench.writeCard(name, 100, 128, 64) }
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.appending(path: "link.json").path, withDestinationPath: "out/desk.json")
    try bench.write("in/shots.csv", "image,light\na.ppm,D65\n")
    return bench
  }

  @Test(arguments: [
    [["--version"]], [["help", "set"]], [["set", "--gains"]], [["estimate", "missing.ppm"]],
    [["convert", "--from", "xy", "--to", "cct"]],
    [["estimate", "in/*.ppm", "card.ppm", "none.ppm", "--csv"]], [["estimate", "-"]],
    [["balance", "in/a.ppm", "in/b.ppm", "-o", "out"]],
    [
      ["calibrate", "--shots", "in/shots.csv", "-o", "link.json"],
      ["profile", "show", "link.json"],
    ],
    [["calibrate", "--shot", "card.ppm@A", "-o", "."]],
    [["profile", "import", "libcamera:imx219", "-o", "-"]],
    [["set", "--device", Workbench.camera, "--gains", "1.5,1,1.2"], ["restore", "--all"]],
    [
      ["calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o", "x.json"]
    ],
    [["stream", "--device", Workbench.camera, "--gray", "--frames", "2", "--to", "/dev/none"]],
  ])
  func bothAreTheSame(commands: [[String]]) async throws {
    let (here, apart) = (try prepared(), try prepared())
    let input = "0.3,0.3\ncard.ppm\n"
    for arguments in commands {
      let (one, other) = (
        try await here.run(arguments, input: input), try apart.runProcess(arguments, input: input)
      )
      #expect(one.status == other.status)
      #expect(common(one.output, here) == common(other.output, apart))
      #expect(common(one.errors, here) == common(other.errors, apart))
    }
    for folder in ["", "in", "out"] { #expect(try files(here, folder) == files(apart, folder)) }
  }

  /// Returns a text without the time and the folder, which a profile contains.
  private func common(_ text: String, _ bench: Workbench) -> String {
    text.replacing(/[-0-9]{10}[T ][0-9:]+Z?/, with: "").replacing(bench.folder.path, with: "")
  }

  private func files(_ bench: Workbench, _ folder: String) throws -> [String: String] {
    let url = bench.folder.appending(path: folder)
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      guard let data = try? Data(contentsOf: url.appending(path: name)) else { continue }
      texts[name] = common(String(decoding: data, as: UTF8.self), bench)
    }
    return texts
  }
}
