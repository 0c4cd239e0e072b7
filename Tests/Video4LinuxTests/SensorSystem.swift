import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Foundation
import Glibc

@testable import Video4Linux

/// A scripted camera whose sensor and image processor are sub-devices, as on boards.
///
/// The video node is `/dev/null`, because its number comes from the file system.
struct SensorSystem: ~Copyable {
  let root: String
  let video: ScriptedDriver
  let media: ScriptedDriver
  let sensor: ScriptedDriver
  let processor: ScriptedDriver
  /// The errors of opening files.
  var refused: [String: CameraError] = [:]

  static let videoNode = DeviceNumber(major: 1, minor: 3)
  static let sensorNode = DeviceNumber(major: 81, minor: 10)
  static let processorNode = DeviceNumber(major: 81, minor: 11)

  init(
    graph: MediaGraph = .board, sensor: [ScriptedDriver.Control] = Self.sensorControls,
    processor: [ScriptedDriver.Control] = Self.processorControls,
    video: [ScriptedDriver.Control] = []
  ) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    root = url.path
    self.video = ScriptedDriver {
      $0.controls = video
      $0.formats = ["RGGB"]
      $0.picture.width = 16
      $0.picture.height = 16
      $0.picture.bytesperline = 16
    }
    media = ScriptedDriver { $0.graph = graph }
    self.sensor = ScriptedDriver {
      $0.controls = sensor
      $0.padSizes = [0: (1640, 1232)]
      $0.wideValues = [V4L2_CID_PIXEL_RATE.bits: 182_400_000]
      $0.afterWriting = Self.extendExposure
    }
    self.processor = ScriptedDriver { $0.controls = processor }
    for folder in ["class/video4linux/v4l-subdev0", "class/video4linux/v4l-subdev1", "dev/char"] {
      try FileManager.default.createDirectory(
        atPath: root + "/sys/" + folder, withIntermediateDirectories: true)
    }
    try FileManager.default.createDirectory(
      atPath: root + "/sys/bus/media/devices/media0", withIntermediateDirectories: true)
    for (number, name) in [(Self.sensorNode, "v4l-subdev0"), (Self.processorNode, "v4l-subdev1")] {
      try FileManager.default.createSymbolicLink(
        atPath: root + "/sys/dev/char/\(number.major):\(number.minor)",
        withDestinationPath: root + "/sys/class/video4linux/" + name)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var list: DeviceList {
    let drivers = [
      "/dev/null": video, root + "/dev/media0": media, root + "/dev/v4l-subdev0": sensor,
      root + "/dev/v4l-subdev1": processor,
    ]
    let (refused, root) = (refused, root)
    return DeviceList(root: root) { (path) throws(CameraError) in
      if path.hasPrefix(root), let error = refused[String(path.dropFirst(root.count))] {
        throw error
      }
      guard let driver = drivers[path] else { throw .notFound(path) }
      return ScriptedFile(driver)
    }
  }

  func device() async throws -> VideoDevice {
    try await VideoDevice(opening: "/dev/null", in: list, frameTimeout: .milliseconds(500))
  }

  /// The longest exposure follows the frame, as in the drivers of sensors.
  static let extendExposure: @Sendable (UInt32, Int32, inout ScriptedDriver.State) -> Void = {
    number, value, state in
    guard number == V4L2_CID_VBLANK.bits,
      let index = state.controls.firstIndex(where: { $0.number == V4L2_CID_EXPOSURE.bits })
    else { return }
    state.controls[index].maximum = 1232 + Int64(value) - 4
  }

  /// The controls of a sensor such as imx219.
  static let sensorControls: [ScriptedDriver.Control] = [
    .init(number: V4L2_CID_EXPOSURE.bits, minimum: 4, maximum: 1763, initial: 1600),
    .init(number: V4L2_CID_ANALOGUE_GAIN.bits, maximum: 232),
    .init(number: V4L2_CID_DIGITAL_GAIN.bits, minimum: 256, maximum: 4095, initial: 256),
    .init(number: V4L2_CID_VBLANK.bits, minimum: 4, maximum: 64_303, initial: 535),
    .init(
      number: V4L2_CID_HBLANK.bits, minimum: 1808, maximum: 1808, initial: 1808,
      flags: V4L2_CTRL_FLAG_READ_ONLY),
    .init(
      number: V4L2_CID_PIXEL_RATE.bits, type: V4L2_CTRL_TYPE_INTEGER64, maximum: 182_400_000,
      flags: V4L2_CTRL_FLAG_READ_ONLY),
    .init(
      number: V4L2_CID_TEST_PATTERN.bits, type: V4L2_CTRL_TYPE_MENU, maximum: 2,
      menu: [0: "Disabled", 1: "Color Bars", 2: "Solid Color"]),
  ]

  static let processorControls: [ScriptedDriver.Control] = [
    .init(number: V4L2_CID_RED_BALANCE.bits, minimum: 0, maximum: 1023, initial: 256),
    .init(number: V4L2_CID_BLUE_BALANCE.bits, minimum: 0, maximum: 1023, initial: 256),
    .init(number: V4L2_CID_DIGITAL_GAIN.bits, maximum: 99, initial: 1),
  ]
}

extension MediaGraph {
  /// Links an entity's pad to another's.
  mutating func connect(
    _ source: UInt32, _ sourcePad: UInt32, to sink: UInt32, enabled: Bool = true
  ) {
    let id = 1000 + 2 * UInt32(links.count)
    pads += [
      Pad(id: id, entity: source, index: sourcePad), Pad(id: id + 1, entity: sink, index: 0),
    ]
    links.append(
      Link(source: id, sink: id + 1, flags: enabled ? MEDIA_LNK_FL_ENABLED.bits : 0))
  }

  /// Adds an entity, with a device file if it has a number.
  mutating func add(
    _ id: UInt32, _ name: String, _ type: Int32? = nil, _ node: DeviceNumber? = nil,
    function: Int32 = 0
  ) {
    entities.append(Entity(id: id, name: name, function: function.bits))
    guard let type, let node else { return }
    interfaces.append(Interface(id: 500 + id, type: type.bits, node: node))
    links.append(
      Link(
        source: 500 + id, sink: id,
        flags: MEDIA_LNK_FL_INTERFACE_LINK.bits | MEDIA_LNK_FL_ENABLED.bits))
  }

  /// A sensor, a receiver without a device file, an image processor, and a video node.
  static var board: MediaGraph {
    var graph = MediaGraph()
    graph.add(
      1, "imx219 10-0010", MEDIA_INTF_T_V4L_SUBDEV, SensorSystem.sensorNode,
      function: MEDIA_ENT_F_CAM_SENSOR)
    graph.add(2, "csi2 receiver")
    graph.add(3, "isp", MEDIA_INTF_T_V4L_SUBDEV, SensorSystem.processorNode)
    graph.add(4, "capture", MEDIA_INTF_T_V4L_VIDEO, SensorSystem.videoNode)
    graph.connect(1, 0, to: 2)
    graph.connect(2, 1, to: 3)
    graph.connect(3, 2, to: 4)
    return graph
  }
}
