import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Foundation
import Synchronization
import Testing

@testable import Video4Linux

/// A directory tree like sysfs in a temporary folder, with a driver for each of its nodes.
struct VideoSystem: ~Copyable {
  let root: String
  private let drivers: Mutex<[String: Result<ScriptedDriver, CameraError>]> = Mutex([:])

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    root = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func write(_ files: [String: String], in folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: root + folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try (text + "\n").write(toFile: root + folder + "/" + name, atomically: true, encoding: .utf8)
    }
  }

  /// Adds a node of a device, whose folder in `/sys/devices` may have attributes.
  func add(
    _ number: Int, device: String, index: Int = 0, driver: Result<ScriptedDriver, CameraError>
  ) throws {
    let node = "/sys/devices/\(device)/video4linux/video\(number)"
    try write(["index": "\(index)", "name": "From sysfs"], in: node)
    try link("\(node)/device", to: "/sys/devices/\(device)")
    try link("/sys/class/video4linux/video\(number)", to: node)
    drivers.withLock { $0["\(root)/dev/video\(number)"] = driver }
  }

  private func link(_ path: String, to target: String) throws {
    try write([:], in: (path as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(
      atPath: root + path, withDestinationPath: root + target)
  }

  var list: DeviceList {
    let drivers = drivers.withLock { $0 }
    return DeviceList(root: root) { (path) throws(CameraError) in
      guard let driver = drivers[path] else { throw .notFound(path) }
      return try driver.get()
    }
  }
}

struct DeviceListTests {
  private func driver(
    _ card: String = "Lab Camera", bus: String, capabilities: Int32? = nil
  ) -> Result<ScriptedDriver, CameraError> {
    .success(
      ScriptedDriver {
        $0.driver = "uvcvideo"
        $0.card = card
        $0.bus = bus
        if let capabilities { $0.capabilities = capabilities }
      })
  }

  private let usb = [
    "idVendor": "1d6b", "idProduct": "0102", "manufacturer": "Camera Lab", "product": "Lab Camera",
    "serial": "L1",
  ]

  @Test func nodesWithPicturesAreCameras() throws {
    let system = try VideoSystem()
    try system.write(usb, in: "/sys/devices/usb1/1-1")
    try system.add(
      10, device: "platform/vivid.0", driver: driver("vivid", bus: "platform:vivid-000"))
    try system.add(2, device: "usb1/1-1/1-1:1.0", driver: driver(bus: "usb-hcd-1"))
    try system.add(
      3, device: "usb1/1-1/1-1:1.0", index: 1,
      driver: driver(
        bus: "usb-hcd-1", capabilities: V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING))
    let cameras = system.list.cameras()
    #expect(cameras.map(\.path) == ["\(system.root)/dev/video2", "\(system.root)/dev/video10"])
    #expect(
      cameras.map(\.identity) == [
        CameraIdentity(
          driver: "uvcvideo", name: "Lab Camera",
          id: "usb-Camera_Lab_Lab_Camera_L1-video-index0"),
        CameraIdentity(driver: "uvcvideo", name: "vivid", id: "platform:vivid-000"),
      ])
  }

  @Test func aCameraWithoutASerialNumberIsKnownByItsPlace() throws {
    let system = try VideoSystem()
    try system.write(["idVendor": "1d6b", "idProduct": "0102"], in: "/sys/devices/usb1/1-1")
    try system.add(0, device: "usb1/1-1/1-1:1.0", driver: driver(bus: "usb-hcd-1"))
    try system.add(1, device: "usb1/1-1/1-1:1.0", index: 2, driver: driver(bus: "usb-hcd-1"))
    #expect(
      system.list.cameras().map(\.identity.id) == ["usb-hcd-1", "usb-hcd-1-video-index2"])
  }

  @Test func camerasHaveManyNames() throws {
    let system = try VideoSystem()
    try system.write(usb, in: "/sys/devices/usb1/1-1")
    try system.add(0, device: "usb1/1-1/1-1:1.0", driver: driver(bus: "usb-hcd-1"))
    try system.add(1, device: "usb1/1-2/1-2:1.0", driver: driver("Twin", bus: "usb-hcd-2"))
    try system.add(2, device: "usb1/1-3/1-3:1.0", driver: driver("Twin", bus: "usb-hcd-3"))
    let list = system.list
    for name in ["usb-Camera_Lab_Lab_Camera_L1-video-index0", "usb-hcd-1", "Lab Camera"] {
      #expect(try list.camera(named: name).path == "\(system.root)/dev/video0")
    }
    #expect(
      throws: CameraError.ambiguous(
        "Twin",
        candidates: [
          "\(system.root)/dev/video1 (usb-hcd-2)", "\(system.root)/dev/video2 (usb-hcd-3)",
        ])
    ) { try list.camera(named: "Twin") }
    #expect(throws: CameraError.notFound("Cat")) { try list.camera(named: "Cat") }
  }

  @Test func aCameraThatMayNotBeUsedIsListedAndSaysSo() throws {
    let system = try VideoSystem()
    let error = CameraError.notPermitted("\(system.root)/dev/video0", group: "video")
    try system.write(usb, in: "/sys/devices/usb1/1-1")
    try system.add(0, device: "usb1/1-1/1-1:1.0", driver: .failure(error))
    try system.add(1, device: "usb1/1-1/1-1:1.0", index: 1, driver: .failure(error))
    let cameras = system.list.cameras()
    #expect(cameras.map(\.identity.id) == ["usb-Camera_Lab_Lab_Camera_L1-video-index0"])
    #expect(cameras.map(\.identity.name) == ["From sysfs"])
    #expect(cameras.map(\.problem) == [error])
    #expect(throws: error) { try system.list.camera(named: "From sysfs") }
    #expect("\(error)".contains("group video"))
  }

  @Test func aCameraThatAnotherHoldsIsListed() throws {
    let system = try VideoSystem()
    let error = CameraError.busy(camera: "\(system.root)/dev/video0")
    try system.add(0, device: "platform/lone", driver: .failure(error))
    try system.add(1, device: "platform/lost", driver: .failure(.notFound("x")))
    #expect(system.list.cameras().map(\.problem) == [error])
  }

  @Test func pathsThatAreNoCameras() throws {
    let system = try VideoSystem()
    try system.write(["file": ""], in: "")
    let list = system.list
    #expect(throws: CameraError.notFound("/no/such")) { try list.camera(named: "/no/such") }
    #expect(throws: CameraError.notACamera("/dev", reason: "it is a directory")) {
      try list.camera(named: "/dev")
    }
    let file = system.root + "/file"
    #expect(throws: CameraError.notACamera(file, reason: "it is a file")) {
      try list.camera(named: file)
    }
    #expect(throws: CameraError.notACamera("/dev/null", reason: "it is not a video device")) {
      try DeviceList().camera(named: "/dev/null")
    }
  }

  private static let others: [(abilities: [Int32], reason: String)] = [
    ([V4L2_CAP_META_CAPTURE], "it delivers metadata, but no pictures"),
    ([V4L2_CAP_VIDEO_OUTPUT], "it displays pictures, but delivers none"),
    ([V4L2_CAP_VIDEO_OUTPUT_MPLANE], "it displays pictures, but delivers none"),
    ([V4L2_CAP_VIDEO_M2M], "it encodes, decodes or converts the pictures of programs"),
    ([V4L2_CAP_VIDEO_M2M_MPLANE], "it encodes, decodes or converts the pictures of programs"),
    ([V4L2_CAP_VBI_CAPTURE], "it delivers data such as teletext"),
    ([V4L2_CAP_RADIO, V4L2_CAP_TUNER], "it is a radio"),
    ([V4L2_CAP_TOUCH, V4L2_CAP_VIDEO_CAPTURE], "it is a touch sensor"),
    ([], "it delivers no pictures"),
  ]

  @Test func devicesThatDoNotStream() throws {
    let list = DeviceList(root: "/no/such/root") { (_) throws(CameraError) in
      ScriptedDriver { $0.capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_READWRITE }
    }
    #expect(throws: CameraError.notACamera("/dev/null", reason: "it does not support streaming")) {
      try list.camera(named: "/dev/null")
    }
  }

  @Test(arguments: others)
  func devicesThatAreNoCameras(abilities: [Int32], reason: String) throws {
    // Any device file is suitable; its driver is the test's.
    let list = DeviceList(root: "/no/such/root") { (_) throws(CameraError) in
      ScriptedDriver { $0.capabilities = abilities.reduce(V4L2_CAP_STREAMING, |) }
    }
    let error = try #require(
      #expect(throws: CameraError.self) { try list.camera(named: "/dev/null") })
    #expect("\(error)".contains(reason), "\(error)")
  }

  @Test func aDriverWithSeveralPlanesIsACamera() throws {
    let list = DeviceList(root: "/no/such/root") { (_) throws(CameraError) in
      ScriptedDriver { $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING }
    }
    #expect(try list.camera(named: "/dev/null").problem == nil)
  }

  private func encoding(_ formats: [String], bus: String) -> Result<ScriptedDriver, CameraError> {
    .success(
      ScriptedDriver {
        $0.bus = bus
        $0.formats = formats
      })
  }

  /// A node that offers only H.264 is not listed if another node of its device can be used.
  @Test func aNodeOfVideoNamesTheOneWithPictures() throws {
    let system = try VideoSystem()
    try system.add(0, device: "usb1/1-1/1-1:1.0", driver: encoding(["H264"], bus: "usb-1"))
    try system.add(1, device: "usb1/1-1/1-1:1.0", driver: encoding(["MJPG", "H264"], bus: "usb-1"))
    try system.add(2, device: "usb1/1-2/1-2:1.0", driver: encoding(["H264", "HEVC"], bus: "usb-2"))
    try system.add(
      3, device: "usb1/1-1/1-1:1.0", index: 2,
      driver: driver(bus: "usb-1", capabilities: V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING))
    let cameras = system.list.cameras()
    #expect(cameras.map(\.path) == ["\(system.root)/dev/video1", "\(system.root)/dev/video2"])
    #expect(cameras[0].problem == nil)
    let alone = CameraError.notACamera(
      "\(system.root)/dev/video2",
      reason: "it delivers only H.264 and H.265, which cannot be measured")
    #expect(cameras[1].problem == alone)
    #expect(throws: alone) { try system.list.camera(named: "usb-2") }
    #expect(try system.list.camera(named: "usb-1").path == "\(system.root)/dev/video1")
  }

  @Test func aNodeThatIsNoCameraNamesTheOneThatIs() throws {
    let system = try VideoSystem()
    try system.add(5, device: "usb1/1-1/1-1:1.0", driver: driver(bus: "usb-1"))
    var list = system.list
    let open = list.open
    list.open = { (path) throws(CameraError) in
      if path != "/dev/null" { return try open(path) }
      return ScriptedDriver {
        $0.bus = "usb-1"
        $0.capabilities = V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING
      }
    }
    #expect(
      throws: CameraError.notACamera(
        "/dev/null",
        reason:
          "it delivers metadata, but no pictures; this device delivers its pictures "
          + "at \(system.root)/dev/video5")
    ) { try list.camera(named: "/dev/null") }
  }
}
