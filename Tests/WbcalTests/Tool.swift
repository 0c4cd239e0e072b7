import ColorScience
import Foundation
import Testing
import WbcalArguments
import WbcalSystem

@testable import wbcal

/// A folder for a single test, in which the tool is run.
final class Workbench {
  let folder: URL
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL
  static let dng = repository.appending(path: "Calibration/Samples/colorchart.dng").path
  /// Small, so that debug builds are quick.
  static let camera = "simulated:size=96x64"

  static let profileOfTwoShots = [
    "calibrate", "--shot", "rgb:0.786,1,0.393@A", "--shot", "rgb:0.429,1,0.781@D65",
  ]

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    func expect(
      _ status: Int32, errors facts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(self.status == status, "\(output)\(errors)", sourceLocation: sourceLocation)
      for fact in facts {
        #expect(errors.contains(fact), "\(errors)", sourceLocation: sourceLocation)
      }
      #expect(!errors.contains("Fatal error"), sourceLocation: sourceLocation)
      if status != 0, status != 64 {
        #expect(errors.hasPrefix("wbcal: "), "\(errors)", sourceLocation: sourceLocation)
      }
    }
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "wbcal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "run"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The tool in the folder of this test's bundle.
  static let tool: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = bundle ?? URL(filePath: CommandLine.arguments[0])
    return folder.deletingLastPathComponent().appending(path: "wbcal")
  }()

  /// Runs the command in the process of the tests: its output, status and files are as in a process
  /// of its own. Tests of signals, terminals, pipes, child processes, time or crashes need
  /// `runProcess`.
  func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") async throws -> Outcome {
    let (source, output, errors) = (try stream(input), try stream(), try stream())
    defer { for stream in [source, output, errors] { try? stream.close() } }
    var surroundings = Surroundings()
    surroundings.input = source.fileDescriptor
    surroundings.output = output.fileDescriptor
    surroundings.errors = errors.fileDescriptor
    surroundings.folder = folder.path
    surroundings.variables = variables
    await Self.turns.take()
    defer { Self.turns.leave() }
    let status = await Surroundings.$current.withValue(surroundings) { await Wbcal.run(arguments) }
    return Outcome(
      status: status.rawValue, output: try text(of: output), errors: try text(of: errors))
  }

  /// More commands at once than processors would only slow down each of them.
  private static let turns = Turns(count: ProcessInfo.processInfo.activeProcessorCount)

  /// Returns a file for a standard stream, at its start.
  private func stream(_ text: String = "") throws -> FileHandle {
    let url = folder.appending(path: "run/stream-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    return try FileHandle(forUpdating: url)
  }

  private func text(of stream: FileHandle) throws -> String {
    try stream.seek(toOffset: 0)
    return try #require(String(data: try stream.readToEnd() ?? Data(), encoding: .utf8))
  }

  private var variables: [String: String] {
    ["XDG_RUNTIME_DIR": folder.appending(path: "run").path, "SWIFT_BACKTRACE": "enable=no"]
  }

  /// Returns the tool as a process to start, and the files that replace its standard output and
  /// error.
  func process(_ arguments: [String], input: FileHandle, shell: String? = nil) -> (
    Process, URL, URL
  ) {
    let process = Process()
    if let shell {
      process.executableURL = URL(filePath: "/bin/bash")
      process.arguments = ["-c", shell, "bash", Self.tool.path] + arguments
    } else {
      process.executableURL = Self.tool
      process.arguments = arguments
    }
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let output = folder.appending(path: "run/stdout-\(UUID().uuidString)")
    let errors = folder.appending(path: "run/stderr-\(UUID().uuidString)")
    for url in [output, errors] {
      _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    }
    process.standardOutput = try? FileHandle(forWritingTo: output)
    process.standardError = try? FileHandle(forWritingTo: errors)
    process.standardInput = input
    return (process, output, errors)
  }

  /// Runs the tool in a process of its own; `shell` is a script that runs "$@" in its own way.
  func runProcess(
    _ arguments: String..., input: String = "", shell: String? = nil
  ) throws -> Outcome {
    try runProcess(arguments, input: input, shell: shell)
  }

  func runProcess(
    _ arguments: [String], input: String = "", shell: String? = nil
  ) throws -> Outcome {
    let source = folder.appending(path: "run/stdin-\(UUID().uuidString)")
    try Data(input.utf8).write(to: source)
    let (process, output, errors) = process(
      arguments, input: try FileHandle(forReadingFrom: source), shell: shell)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  /// Runs the tool so that permissions apply even if the tests run as root.
  func runWithoutPrivileges(_ arguments: String...) throws -> Outcome {
    let drop = "setpriv --bounding-set -dac_override,-dac_read_search -- "
    return try runProcess(arguments, shell: (geteuid() == 0 ? drop : "") + "\"$@\"")
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.appending(path: name).path)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// Returns the names of the files in the folder, hidden ones too, except for the runner's own.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "run" }.sorted()
  }

  /// Makes a profile of two shots, quickly.
  func makeProfile(_ name: String = "desk.json") async throws {
    try await run(Self.profileOfTwoShots + ["-o", name]).expect(0)
  }

  /// Writes a picture of a gray card, 40…100 across and 20…60 down, on a rough green background.
  func writeScene(_ name: String) throws {
    var data = Data("P6 160 90 255\n".utf8)
    for row in 0..<90 {
      for column in 0..<160 {
        let isCard = (40..<100).contains(column) && (20..<60).contains(row)
        let rough = UInt8((column / 3 * 7 + row / 3 * 5) % 3 * 40)
        data.append(contentsOf: isCard ? [140, 128, 110] : [30 + rough, 60 + rough, 30])
      }
    }
    try data.write(to: folder.appending(path: name))
  }

  /// Writes a picture of a chart: 24 squares of linear sRGB on a dark sheet.
  ///
  /// - Parameters:
  ///   - darkest: the value that replaces smaller ones.
  ///   - grain: the largest deviation of blocks of 4×4 pixels, in codes, as of smoothed noise.
  func drawChart(
    _ colors: [SIMD3<Double>], to name: String, darkest: Double = 0.004, grain: Int = 0
  ) throws {
    let (side, gap, margin, width, height) = (80, 16, 40, 640, 448)
    var pixels = [UInt8](repeating: 30, count: 3 * width * height)
    for (index, color) in colors.enumerated() {
      let (left, top) = (
        margin + index % 6 * (side + gap), margin + index / 6 * (side + gap)
      )
      let codes = (0..<3).map { channel in
        UInt8(
          (255 * TransferFunction.sRGB.encoded(min(max(color[channel], darkest), 1))).rounded())
      }
      for y in top..<top + side {
        for x in left..<left + side {
          for channel in 0..<3 { pixels[3 * (y * width + x) + channel] = codes[channel] }
        }
      }
    }
    if grain > 0 {
      var random = SplitMix64(state: 9)
      for block in 0..<width / 4 * (height / 4) {
        let off = (0..<3).map { _ in Int(random.next() % UInt64(2 * grain + 1)) - grain }
        for place in 0..<48 {
          let (x, y) = (
            block % (width / 4) * 4 + place / 3 % 4, block / (width / 4) * 4 + place / 12
          )
          let index = 3 * (y * width + x) + place % 3
          pixels[index] = UInt8(min(max(Int(pixels[index]) + off[place % 3], 0), 254))
        }
      }
    }
    try (Data("P6 \(width) \(height) 255\n".utf8) + Data(pixels)).write(
      to: folder.appending(path: name))
  }

  /// Writes a PPM picture of one color.
  func writeCard(_ name: String, _ red: UInt8, _ green: UInt8, _ blue: UInt8) throws {
    var data = Data("P6 64 48 255\n".utf8)
    for _ in 0..<64 * 48 { data.append(contentsOf: [red, green, blue]) }
    try data.write(to: folder.appending(path: name))
  }
}
