@testable import wbcal

/// The command lines, with one word per line.
let seeds: [[UInt8]] = [
  "convert\n--from\nxy\n--to\ntemperature-tint\n0.3127\n0.3290",
  "calibrate\n--device\nsimulated\n--light\nA\n--light\nD65\n-o\ndesk.json",
  "set\n--device=simulated:light=5000K\n--profile\ndesk.json\n--temperature\n5000\n--tint\n0",
  "estimate\n--raw\n1920x1080:NV12\n--encoding\nbt709:limited\n--json\nframe.yuv",
  "help\nprofile\nexport", "watch\n--seconds\n1\n--device\n/dev/video0", "convert\n--\n-1\n2",
].map { Array($0.utf8) }

/// Checks that a command line results in a command or an error with a message.
func test(_ bytes: [UInt8]) {
  let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  do { _ = try Wbcal.parseAsRoot(words) } catch {
    guard !Wbcal.fullMessage(for: error).isEmpty || Wbcal.exitCode(for: error) == .success else {
      fatalError("an error without a message")
    }
  }
}
