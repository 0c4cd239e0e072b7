import CWbcalVideo4Linux
import CameraControl
import Glibc

/// The video devices of the system.
struct DeviceList {
  /// The folder that holds `sys` and `dev`; tests have one of their own.
  var root = ""
  /// Opens a node.
  var open: @Sendable (String) throws(CameraError) -> any DeviceHandle = {
    (path) throws(CameraError) in try DeviceFile(opening: path)
  }

  /// The nodes that deliver pictures, in the order of their numbers.
  func cameras() -> [ConnectedCamera] {
    SystemFiles.names(in: root + "/sys/class/video4linux")
      .compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
      .sorted()
      .compactMap { number in
        let path = root + "/dev/video\(number)"
        let node = SysfsNode(directory: root + "/sys/class/video4linux/video\(number)")
        do throws(CameraError) { return try camera(at: path, node) } catch {
          switch error {
          // What it delivers is not known; the first node of a device is the one with pictures.
          case .notPermitted where node.index == 0, .busy where node.index == 0:
            return node.camera(at: path, problem: error)
          default: return nil
          }
        }
      }
  }

  /// The camera that a name stands for: a path, an identity, a bus, or a camera's own name if no
  /// other camera has it.
  func camera(named name: String) throws(CameraError) -> ConnectedCamera {
    if name.contains("/") { return try camera(at: name) }
    let all = cameras()
    for property in [\ConnectedCamera.identity.id, \.bus, \.identity.name] {
      let found = all.filter { $0[keyPath: property] == name }
      if found.count > 1 {
        throw .ambiguous(name, candidates: found.map { "\($0.path) (\($0.bus))" })
      }
      if let camera = found.first {
        if let problem = camera.problem { throw problem }
        return camera
      }
    }
    throw .notFound(name)
  }

  private func camera(at path: String) throws(CameraError) -> ConnectedCamera {
    switch SystemFiles.type(of: path) {
    case nil: throw .notFound(path)
    case .directory: throw .notACamera(path, reason: "it is a directory")
    case .file: throw .notACamera(path, reason: "it is a file")
    case .other: throw .notACamera(path, reason: "it is no device")
    case .device(let major, let minor):
      return try camera(at: path, SysfsNode(directory: root + "/sys/dev/char/\(major):\(minor)"))
    }
  }

  private func camera(at path: String, _ node: SysfsNode) throws(CameraError) -> ConnectedCamera {
    let handle = try open(path)
    var capability = v4l2_capability()
    let result = handle.perform(CV4L_QUERYCAP, on: &capability)
    if result == -ENOTTY || result == -EINVAL {
      throw .notACamera(path, reason: "it is no video device")
    }
    try CameraError.check(result, "VIDIOC_QUERYCAP", path)
    let all = capability.capabilities
    let own = all & V4L2_CAP_DEVICE_CAPS.bits == 0 ? all : capability.device_caps
    if own & V4L2_CAP_VIDEO_CAPTURE.bits == 0 {
      throw .notACamera(
        path,
        reason: own & V4L2_CAP_VIDEO_CAPTURE_MPLANE.bits == 0
          ? "it delivers no pictures"
          : "it delivers pictures only in planes apart from each other, which this program cannot read"
      )
    }
    if own & V4L2_CAP_STREAMING.bits == 0 { throw .notACamera(path, reason: "it does not stream") }
    return node.camera(
      at: path, driver: text(of: capability.driver), name: text(of: capability.card),
      bus: text(of: capability.bus_info))
  }
}
