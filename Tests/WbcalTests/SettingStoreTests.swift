import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WbcalArguments
import WhiteBalance

@testable import wbcal

struct SettingStoreTests {
  private let bench: Workbench
  private let store: SettingStore

  init() throws {
    bench = try Workbench()
    let folder = bench.folder
    store = SettingStore(folders: ["system", "own"].map { folder.appending(path: $0) })
  }

  private func setting(
    of id: String = "usb-Lab_Camera_1-video-index0", red: Int = 300, at seconds: Double = 1e9
  ) -> StoredSetting {
    StoredSetting(
      camera: CameraIdentity(driver: "uvcvideo", name: "Lab Camera", id: id),
      date: Date(timeIntervalSince1970: seconds), gains: Gains(red: 1.2, blue: 1.6),
      values: [ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, red)])
  }

  /// Names come from devices: none may lead out of the folder, or be that of another camera.
  @Test func everyIdentityHasAFileOfItsOwn() throws {
    let ids = [
      "usb-Lab_Camera_1-video-index0", "usb-0000:00:14.0-1", "../outside", "a/b", "a%2Fb", "a%b",
      "a b", "", ".", "..", "Kamera_Ä", "kamera\u{0}x",
    ]
    for (index, id) in ids.enumerated() { try store.save(setting(of: id, red: index)) }
    for (index, id) in ids.enumerated() {
      #expect(try store.setting(of: id) == setting(of: id, red: index))
    }
    #expect(store.cameras() == ids.sorted())
    #expect(try bench.files() == ["system"])
    #expect(try store.setting(of: "another") == nil)
  }

  @Test func aSettingReplacesTheOneBefore() throws {
    try store.save(setting(red: 300))
    try store.save(setting(red: 310))
    #expect(try store.setting(of: setting().camera.id)?.values.last?.value == 310)
    let folder = bench.folder.appending(path: "system").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names == ["usb-Lab_Camera_1-video-index0.json"])
    let text = try bench.read("system/" + names[0])
    for fact in [#""format" : "wbcal-setting""#, #""version" : 1"#, #""2001-09-09T01:46:40Z""#] {
      #expect(text.contains(fact), "\(text)")
    }
  }

  @Test func whatIsForgottenIsGone() throws {
    try store.save(setting())
    try store.save(setting(of: "another"))
    store.forget(setting().camera.id)
    #expect(try store.setting(of: setting().camera.id) == nil)
    #expect(store.cameras() == ["another"])
  }

  /// Several users write to the system's folder; a link by one of them must not redirect the files
  /// of another.
  @Test func aLinkMakesWay() throws {
    try bench.write("precious", "text")
    try FileManager.default.createDirectory(
      at: store.folders[0], withIntermediateDirectories: true)
    let link = store.folders[0].appending(path: "usb-Lab_Camera_1-video-index0.json")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: bench.folder.appending(path: "precious"))
    try store.save(setting())
    #expect(try bench.read("precious") == "text")
    #expect(try store.setting(of: setting().camera.id) == setting())
    #expect(throws: (any Error).self) {
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
    }
  }

  /// Settings are stored in the system's folder if it is writable, else in the user's own; the
  /// newest setting is used.
  @Test func twoFolders() throws {
    let (system, own) = (
      SettingStore(folders: [store.folders[0]]), SettingStore(folders: [store.folders[1]])
    )
    try system.save(setting(red: 1, at: 1e9))
    try own.save(setting(red: 2, at: 1e9 + 1))
    let id = setting().camera.id
    #expect(try store.setting(of: id)?.values.last?.value == 2)
    try system.save(setting(red: 3, at: 1e9 + 2))
    #expect(try store.setting(of: id)?.values.last?.value == 3)
    #expect(store.cameras() == [id])
    // A path that is not a folder cannot contain a file.
    try bench.write("file", "")
    let blocked = SettingStore(folders: [bench.folder.appending(path: "file"), store.folders[1]])
    try blocked.save(setting(red: 4, at: 1e9 + 3))
    #expect(try store.setting(of: id)?.values.last?.value == 4)
    #expect(throws: Failure.self) {
      try SettingStore(folders: [bench.folder.appending(path: "file")]).save(setting())
    }
  }

  @Test func whereSettingsAreKept() {
    func folders(_ environment: [String: String]) -> [String] {
      SettingStore(environment: environment).folders.map(\.path)
    }
    #expect(folders(["WBCAL_STATE": "/tmp/x", "XDG_STATE_HOME": "/tmp/y"]) == ["/tmp/x"])
    #expect(folders(["XDG_STATE_HOME": "/tmp/y"]) == ["/var/lib/wbcal", "/tmp/y/wbcal"])
    #expect(folders(["XDG_STATE_HOME": "y"])[1].hasSuffix("/.local/state/wbcal"))
  }

  @Test func damagedFiles() throws {
    try store.save(setting())
    let name = "system/usb-Lab_Camera_1-video-index0.json"
    let good = try bench.read(name)
    for (text, fact) in [
      (String(good.dropLast(20)), "not valid JSON"),
      (good.replacing("wbcal-setting", with: "wbcal-profile"), "not a setting"),
      (good.replacing("\"version\" : 1", with: "\"version\" : 2"), "reads version 1"),
      (good.replacing("\"value\" : 300", with: "\"value\" : \"300\""), "wrong type"),
      (good.replacing("red_balance", with: "white_balance_automatic"), "one value"),
      (good.replacing("usb-Lab_Camera_1", with: "usb-Lab_Camera_2"), "another camera"),
    ] {
      #expect(text != good)
      try bench.write(name, text)
      let failure = #expect(throws: Failure.self) { try store.setting(of: setting().camera.id) }
      #expect(failure?.code == .badData)
      #expect(failure?.message.contains(fact) == true, "\(String(describing: failure))")
    }
  }

  private func camera(_ faults: SimulatedCamera.Faults = .init()) throws -> Camera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "A")), size: (48, 32))
    configuration.faults = faults
    return Camera(try SimulatedCamera(configuration))
  }

  @Test(arguments: [false, true])
  func aCameraComesBackAsItWasLeft(verify: Bool) async throws {
    let old = try camera()
    let probed = try await old.probe()
    let card = try await probed.balanceOnCard()
    try await store.keep(card.applied, of: probed.camera, held: probed.laws.fixedSettings)
    var faults = SimulatedCamera.Faults()
    faults.refusesWhileAutomatic = true
    let new = try camera(faults)
    let (setting, wasInterrupted) = try await Restore.restore(new, from: store, verify: verify)
    #expect(!wasInterrupted)
    #expect(setting.gains == card.applied.gains)
    #expect(try await new.settings() == old.settings())
    _ = try await new.estimate(frames: 4)
    let missing = try #require(try await new.estimate().gains).relativeToGreen
    #expect(abs(missing.red - 1) < 0.01 && abs(missing.blue - 1) < 0.01)
  }

  /// A command that was killed has left a note of the settings before it, which takes precedence.
  @Test func aKilledCommandIsUndone() async throws {
    let camera = try camera()
    let identity = await camera.port.identity
    let before = try await camera.settings()
    let note = StoredSetting(camera: identity, date: .now, gains: nil, values: before)
    try store.save(setting(of: identity.id, red: 310))
    store.note(note)
    try await camera.port.set([
      ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 500),
    ])
    // The next command finds the settings that the killed one has left.
    store.note(
      StoredSetting(
        camera: identity, date: .now, gains: nil, values: try await camera.settings()))
    #expect(store.cameras() == [identity.id])
    #expect(try store.note(of: identity.id) == note)
    let (setting, wasInterrupted) = try await Restore.restore(camera, from: store, verify: false)
    #expect(wasInterrupted && setting == note)
    #expect(try await camera.settings() == before)
    #expect(try store.note(of: identity.id) == nil)
    let (kept, _) = try await Restore.restore(camera, from: store, verify: false)
    #expect(kept == self.setting(of: identity.id, red: 310))
  }

  @Test func exposureAndLensAreKeptBesideTheWhiteBalance() async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "A")), size: (48, 32))
    configuration.exposure = SimulatedExposure()
    configuration.lens = SimulatedLens(best: 140)
    let camera = Camera(try SimulatedCamera(configuration))
    try await camera.setExposure(duration: 0.008)
    try await store.keepExposureAndFocus(of: camera)
    let id = await camera.port.identity.id
    let first = try #require(try store.setting(of: id))
    #expect(first.values.contains(ControlValue(.exposureTime, 80)))
    #expect(first.values.contains { $0.id == .focusPosition })
    #expect(!first.values.contains { $0.id == .redBalance })
    // When the white balance is stored later, the lens is kept.
    let card = try await camera.balanceOnCard()
    try await store.keep(card.applied, of: camera, held: [])
    let second = try #require(try store.setting(of: id))
    #expect(second.values.contains(ControlValue(.exposureTime, 80)))
    #expect(second.values.contains { $0.id == .focusPosition })
    #expect(second.values.contains { $0.id == .redBalance })
    try await camera.setExposure(duration: 0.004)
    try await store.keepExposureAndFocus(of: camera)
    let third = try #require(try store.setting(of: id))
    #expect(third.gains == second.gains)
    #expect(third.values.contains { $0.id == .redBalance })
    #expect(third.values.contains(ControlValue(.exposureTime, 40)))
  }

  @Test func verifyingSeesThePicture() async throws {
    let camera = try camera()
    let identity = await camera.port.identity
    var black = setting(of: identity.id)
    black.values = [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 0),
      ControlValue(.blueBalance, 0),
    ]
    try store.save(black)
    _ = try await Restore.restore(camera, from: store, verify: false)
    await #expect(throws: CameraError.self) {
      try await Restore.restore(camera, from: store, verify: true)
    }
  }

  @Test func nothingIsSetFromAFileThatCannotBeUsed() async throws {
    let camera = try camera()
    let before = try await camera.settings()
    let id = await camera.port.identity.id
    let unknown = await #expect(throws: Failure.self) {
      try await Restore.restore(camera, from: store, verify: false)
    }
    #expect(unknown?.code == .noInput)
    try store.save(setting(of: id, red: 5000))
    await #expect(throws: CameraError.self) {
      try await Restore.restore(camera, from: store, verify: false)
    }
    try bench.write("system/\(id).json", "{}")
    let damaged = await #expect(throws: Failure.self) {
      try await Restore.restore(camera, from: store, verify: false)
    }
    #expect(damaged?.code == .badData)
    #expect(try await camera.settings() == before)
  }

  @Test func theCommand() async throws {
    try await bench.run("restore", "--device", "/dev/video99").expect(69, errors: "no camera")
    try await bench.run("restore", "--device", "/dev/video99", "--wait", "1").expect(69)
    try await bench.run("restore", "--device", "simulated").expect(
      64, errors: "keeps its settings itself")
    try await bench.run("restore", "--device", "/dev/video99", "--all").expect(64)
    try await bench.run("restore", "--wait=-1").expect(64, errors: "at least 0 seconds")
    try await bench.run("restore", "--help").expect(0)
    try store.save(setting(of: "usb-away"))
    let run = "WBCAL_STATE=\(store.folders[0].path) \"$@\""
    try bench.runProcess("restore", shell: run).expect(0, errors: "no connected camera")
    try bench.runProcess("restore", "--all", shell: run).expect(69, errors: "no camera 'usb-away'")
    // The simulated camera keeps its settings without a store.
    try bench.runProcess(
      "set", "--device", Workbench.camera, "--gains", "1.2,1,1.5",
      shell: "WBCAL_STATE=\(bench.folder.path)/none \"$@\""
    ).expect(0)
    #expect(try bench.files() == ["system"])
  }
}
