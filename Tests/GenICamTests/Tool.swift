#if GenICam
import Foundation
import WbcalArguments
import WbcalSystem

@testable import wbcal

/// The result of a run of the tool.
struct Outcome {
  var status: Int32
  var output, errors: String
  var duration: Duration
}

/// Runs the tool in this process, in a folder that has a folder `run`.
func runTool(in folder: URL, _ arguments: [String]) async throws -> Outcome {
  func file(_ name: String) throws -> FileHandle {
    let url = folder.appending(path: "run/\(name)-\(UUID().uuidString)")
    try Data().write(to: url)
    return try FileHandle(forUpdating: url)
  }
  func text(_ file: FileHandle) throws -> String {
    try file.seek(toOffset: 0)
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
  let (input, output, errors) = (try file("in"), try file("out"), try file("err"))
  var surroundings = Surroundings()
  surroundings.input = input.fileDescriptor
  surroundings.output = output.fileDescriptor
  surroundings.errors = errors.fileDescriptor
  surroundings.folder = folder.path
  surroundings.variables = [
    "XDG_RUNTIME_DIR": folder.appending(path: "run").path,
    "WBCAL_STATE": folder.appending(path: "state").path,
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
  ]
  let start = ContinuousClock.now
  let status = await Surroundings.$current.withValue(surroundings) {
    await Wbcal.run(arguments)
  }
  let duration = ContinuousClock.now - start
  return Outcome(
    status: status.rawValue, output: try text(output), errors: try text(errors),
    duration: duration)
}

extension Peer {
  /// Runs the tool in this process, in the peer's folder.
  func run(_ arguments: String...) async throws -> Outcome {
    try await runTool(in: folder, arguments)
  }
}
#endif
