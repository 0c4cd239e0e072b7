import CWbcalVideo4Linux
public import CameraControl
import Glibc

/// A camera that is connected.
public struct ConnectedCamera: Hashable, Sendable {
  /// Which camera it is, whatever its node is called today.
  public let identity: CameraIdentity
  /// Its node now, such as `/dev/video0`.
  public let path: String
  /// Where it is plugged in, in the driver's words.
  public let bus: String
  /// Why it cannot be opened; `nil` if it can.
  public let problem: CameraError?
}

/// The video devices of the system.
struct DeviceList {
  /// What precedes `/sys` and `/dev`.
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
        let node = Node(directory: root + "/sys/class/video4linux/video\(number)")
        do throws(CameraError) {
          return try camera(at: path, node)
        } catch {
          switch error {
          // What it delivers is not known then; the first node of a device is the one with
          // pictures.
          case .notPermitted where node.index == 0, .busy where node.index == 0:
            return node.camera(at: path, problem: error)
          default: return nil
          }
        }
      }
  }

  /// The camera that a user means: by a path, its identity, where it is plugged in, or its name, if
  /// no other has that.
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
    switch SystemFiles.kind(of: path) {
    case nil: throw .notFound(path)
    case .directory: throw .notACamera(path, reason: "it is a directory")
    case .file: throw .notACamera(path, reason: "it is a file")
    case .other: throw .notACamera(path, reason: "it is no device")
    case .device(let major, let minor):
      return try camera(at: path, Node(directory: root + "/sys/dev/char/\(major):\(minor)"))
    }
  }

  private func camera(at path: String, _ node: Node) throws(CameraError) -> ConnectedCamera {
    let handle = try open(path)
    var capability = v4l2_capability()
    let result = handle.perform(CV4L_QUERYCAP, on: &capability)
    if result == -ENOTTY || result == -EINVAL {
      throw .notACamera(path, reason: "it is no video device")
    }
    if result < 0 { throw CameraError(call: "VIDIOC_QUERYCAP", number: -result, camera: path) }
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
    if own & V4L2_CAP_STREAMING.bits == 0 {
      throw .notACamera(path, reason: "it does not stream")
    }
    return node.camera(
      at: path, driver: text(of: capability.driver), name: text(of: capability.card),
      bus: text(of: capability.bus_info))
  }
}

/// What sysfs says of a node.
private struct Node {
  let directory: String

  /// Its place among the nodes of its device.
  var index: Int { SystemFiles.attribute(directory + "/index").flatMap { Int($0) } ?? 0 }

  /// The camera, as its driver names it.
  func camera(at path: String, driver: String, name: String, bus: String) -> ConnectedCamera {
    let id = usbName ?? (index == 0 ? bus : "\(bus)-video-index\(index)")
    return ConnectedCamera(
      identity: CameraIdentity(driver: driver, name: name, id: id), path: path, bus: bus,
      problem: nil)
  }

  /// The camera, where its driver cannot be asked.
  func camera(at path: String, problem: CameraError) -> ConnectedCamera {
    func last(_ link: String) -> String? {
      SystemFiles.resolved(directory + link)?.split(separator: "/").last.map(String.init)
    }
    let bus = last("/device") ?? ""
    return ConnectedCamera(
      identity: CameraIdentity(
        driver: last("/device/driver") ?? "",
        name: SystemFiles.attribute(directory + "/name") ?? path, id: usbName ?? bus),
      path: path, bus: bus, problem: problem)
  }

  private var usbName: String? {
    // A node hangs on an interface of the USB device.
    guard let interface = SystemFiles.resolved(directory + "/device") else { return nil }
    let device = interface.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    guard SystemFiles.kind(of: device + "/idVendor") != nil else { return nil }
    return USBIdentity.name(index: index) { SystemFiles.attribute(device + "/" + $0) }
  }
}
