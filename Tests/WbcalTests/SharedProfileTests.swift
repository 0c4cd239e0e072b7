import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

struct SharedProfileTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private var path: String { bench.folder.appending(path: "desk.json").path }

  @Test func runsAtOnceKeepEachOthersShots() async throws {
    try await bench.makeProfile()
    let reds = (1...8).map { 0.42 + Double($0) / 1000 }
    let runs = try reds.map { red in
      let shot = "rgb:\(red),1,0.781@D65"
      let (process, _, errors) = bench.process(
        ["calibrate", "--profile", "desk.json", "--add", shot], input: .nullDevice)
      try process.run()
      return (process, errors)
    }
    for (process, errors) in runs {
      process.waitUntilExit()
      let message = try String(contentsOf: errors, encoding: .utf8)
      #expect(process.terminationStatus == 0, "\(message)")
    }
    let shots = try #require(try CameraProfile(path: path).calibration).shots
    #expect(Set(shots.map(\.shot.response.red)) == Set(reds + [0.786, 0.429]))
    #expect(try bench.files() == ["desk.json"])
  }

  /// A run that mistook its own profile for another file would not lock it.
  @Test func aFileIsTheSameWhileItIsReplaced() throws {
    try bench.write("desk.json", "0")
    let (path, other) = (path, bench.folder.appending(path: "other").path)
    let link = bench.folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let replacing = Thread {
      while !Thread.current.isCancelled {
        _ = FileManager.default.createFile(atPath: other, contents: nil)
        _ = unsafe rename(other, path)
      }
    }
    replacing.start()
    defer { replacing.cancel() }
    for _ in 0..<20_000 where !areSameFile(path, path) || !areSameFile(path, link) {
      Issue.record("the file is taken for another")
      break
    }
  }

  @Test func aProfileInUseIsWaitedFor() async throws {
    try await bench.makeProfile()
    let before = try bench.read("desk.json")
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let failure = #expect(throws: Failure.self) {
      try withLock(on: path, timeout: .milliseconds(100)) { Issue.record("it is not free") }
    }
    #expect(failure?.code == .tryAgain)
    let (process, _, _) = bench.process(
      ["calibrate", "--profile", "desk.json", "--add", "rgb:0.43,1,0.78@D65"], input: .nullDevice)
    try process.run()
    usleep(500_000)
    #expect(process.isRunning)
    #expect(try bench.read("desk.json") == before)
    #expect(flock(descriptor, LOCK_UN) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try CameraProfile(path: path).calibration?.shots.count == 3)
  }

  /// A run that waits for a file gets the lock on the file that replaced it.
  @Test func aReplacedFileIsLockedAnew() throws {
    try bench.write("desk.json", "old")
    let descriptor = unsafe open(path, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { [path] in
      try? replaceFile(path, with: Data("new".utf8))
      close(descriptor)
    }
    #expect(try withLock(on: path) { try bench.read("desk.json") } == "new")
  }
}
