import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

/// The files after `kill -9`: the old file or the new one, whole, and no growing number of
/// temporary files.
struct KilledRunTests {
  /// `make kill9` sets 1000.
  private static let kills =
    ProcessInfo.processInfo.environment["WBCAL_KILLS"].flatMap { Int($0) } ?? 10

  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func abandoned() throws -> [String] {
    try bench.files().filter { $0.hasPrefix(".wbcal-") }
  }

  /// Runs the tool and kills it: after a time, or without one, a moment after it has begun to
  /// write.
  private func run(_ arguments: [String], killedAfter seconds: Double?) throws {
    let before = try abandoned()
    let (process, _, _) = bench.process(arguments, input: .nullDevice)
    try process.run()
    if let seconds {
      usleep(UInt32(1e6 * seconds))
    } else {
      while process.isRunning, try abandoned().allSatisfy(before.contains) { usleep(100) }
      usleep(.random(in: 0...2000))
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Makes a profile in a process, which removes the files that others left.
  private func makeProfile() throws {
    try bench.runProcess(Workbench.profileOfTwoShots + ["-o", "desk.json"]).expect(0)
  }

  private func shots() throws -> [Double] {
    let profile = try CameraProfile(path: bench.folder.appending(path: "desk.json").path)
    return try #require(profile.calibration).shots.map(\.shot.response.red)
  }

  @Test(arguments: [["-o", "desk.json"], ["--profile", "desk.json"]])
  func aProfile(target: [String]) throws {
    let clock = ContinuousClock()
    try makeProfile()
    let usual =
      try clock.measure {
        try bench.runProcess(["calibrate", "--shot", "rgb:0.43,1,0.781@D65"] + target).expect(0)
      } / .seconds(1)
    for count in 0..<Self.kills {
      if count.isMultiple(of: 20) { try makeProfile() }
      let old = try shots()
      let red = Double.random(in: 0.42...0.44)
      try run(
        ["calibrate", "--shot", "rgb:\(red),1,0.781@D65"] + target,
        killedAfter: count.isMultiple(of: 2) ? .random(in: 0...usual) : nil)
      let new = target[0] == "-o" ? [red] : old + [red]
      #expect(try [old, new].contains(shots()))
      #expect(try abandoned().count <= 1)
    }
    try makeProfile()
    #expect(try bench.files() == ["desk.json"])
  }

  private static func setting(red: Int) -> StoredSetting {
    StoredSetting(
      camera: CameraIdentity(driver: "uvcvideo", name: "Lab Camera", id: "usb-Lab"),
      date: .now, gains: Gains(red: 1.2, blue: 1.6), values: [ControlValue(.redBalance, red)])
  }

  @Test func aSetting() async throws {
    let folder = bench.folder.path
    let store = SettingStore(folders: [bench.folder])
    try store.save(Self.setting(red: 0))
    for _ in 0..<Self.kills {
      let red = try #require(try store.setting(of: "usb-Lab")?.values.first?.value)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder as String, red = red as Int] in
        let store = SettingStore(folders: [URL(filePath: folder)])
        Thread.detachNewThread {
          usleep(.random(in: 0...20_000))
          kill(getpid(), SIGKILL)
        }
        for red in (red + 1)... { try store.save(Self.setting(red: red)) }
      }
      #expect(try #require(try store.setting(of: "usb-Lab")?.values.first?.value) >= red)
      #expect(try abandoned().count <= 1)
    }
    try store.save(Self.setting(red: 0))
    #expect(try bench.files() == ["usb-Lab.json"])
  }
}
