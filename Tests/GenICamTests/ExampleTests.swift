#if GenICam
import Foundation
import Testing

extension LoopbackTests {
  /// The programs of `Examples/`, which open a machine-vision camera by its name.
  struct ExampleTests {
    /// Returns the lines that an example prints.
    private func lines(of name: String, _ peer: Peer) throws -> [Substring] {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      let folder = (bundle ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
      let output = peer.folder.appending(path: "\(name).txt")
      let program = folder.appending(path: "wbcal-example-\(name)").path
      let status = try Peer.run(
        "/bin/sh", "-c", "\"$0\" \"$1\" >\"$2\" 2>&1", program, "genicam:\(Peer.address)",
        output.path)
      let text = try String(contentsOf: output, encoding: .utf8)
      #expect(status == 0, "\(text)")
      return text.split(separator: "\n")
    }

    private func numbers(_ lines: [Substring], _ beginning: String) throws -> [Double] {
      let line = try #require(lines.first { $0.hasPrefix(beginning) }, "\(lines)")
      return line.split { !"0123456789.-e".contains($0) }.compactMap { Double($0) }
    }

    @Test func exposure() throws {
      let lines = try lines(of: "exposure", Peer("--noise", "0.001"))
      let set = try numbers(lines, "set to")
      #expect(abs(set[0] - 0.01) < 1e-4 && abs(set[1] - 2) < 0.04, "\(lines)")
    }

    @Test func whiteBalance() throws {
      let lines = try lines(of: "whitebalance", Peer())
      let reading = try numbers(lines, "reads as")
      #expect(abs(reading[0] - 5000) < 25 && abs(reading[1] - 10) < 1, "\(lines)")
    }

    @Test func bracket() throws {
      let lines = try lines(of: "bracket", Peer())
      for (index, stops) in [-2.0, 0, 1].enumerated() {
        #expect(abs(try numbers(lines, "picture \(index)")[1] - stops) < 0.15, "\(lines)")
      }
    }
  }
}
#endif
