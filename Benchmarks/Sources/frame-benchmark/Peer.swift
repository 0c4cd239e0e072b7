import Foundation
import Pairs

/// OpenCV in a separate process, which measures its own time.
final class Peer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  let version: String

  init(python: String, script: String, frame: String, width: Int, height: Int) throws {
    process.executableURL = URL(filePath: python)
    process.arguments = [script, frame, "\(width)", "\(height)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    version = Self.line(output)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func work(_ name: String, _ title: String) -> Work {
    Work(name: title) { [self] in
      input.fileHandleForWriting.write(Data("\(name)\n".utf8))
      return Double(Self.line(output))!
    }
  }

  private static func line(_ pipe: Pipe) -> String {
    var line = Data()
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), byte.first != 10,
      !byte.isEmpty
    { line += byte }
    return String(decoding: line, as: UTF8.self)
  }
}
