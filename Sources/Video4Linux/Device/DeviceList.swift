import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc

/// The video devices of the system.
struct DeviceList {
  /// The folder that holds `sys` and `dev`; tests use another one.
  var root = ""
  /// Opens a node.
  var open: @Sendable (String) throws(CameraError) -> any DeviceHandle = {
    (path) throws(CameraError) in try DeviceFile(opening: path)
  }

  /// Returns the nodes that deliver pictures, in the order of their numbers.
  ///
  /// A node whose pictures cannot be read is listed with its problem, unless another node of the
  /// same device can be used.
  func cameras() -> [ConnectedCamera] {
    let all = examinedNodes()
    return all.compactMap { node in
      guard let problem = node.problem else { return node.camera }
      guard node.hasPictures, !all.contains(where: { $0.replaces(node) }) else { return nil }
      return node.camera.failing(problem)
    }
  }

  /// Returns the camera that a name refers to: a path, an identity, a bus, or a camera's own name
  /// if no other camera has it.
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
    case .other: throw .notACamera(path, reason: "it is not a device")
    case .device(let major, let minor):
      return try camera(at: path, SysfsNode(directory: root + "/sys/dev/char/\(major):\(minor)"))
    }
  }

  private func camera(at path: String, _ node: SysfsNode) throws(CameraError) -> ConnectedCamera {
    let found = try examined(path, node)
    guard let problem = found.problem else { return found.camera }
    guard case .notACamera(let name, let reason) = problem,
      let other = examinedNodes().first(where: { $0.replaces(found) })
    else { throw problem }
    throw .notACamera(
      name, reason: reason + "; this device delivers its pictures at \(other.camera.path)")
  }

  /// A node, and the reason that it cannot be used as a camera.
  private struct ExaminedNode {
    var camera: ConnectedCamera
    var problem: CameraError?
    /// Indicates whether it delivers pictures of some kind.
    var hasPictures: Bool

    /// Indicates whether this node can be used instead of another node of the same device.
    func replaces(_ other: ExaminedNode) -> Bool {
      problem == nil && camera.path != other.camera.path && camera.bus == other.camera.bus
        && !camera.bus.isEmpty
    }
  }

  /// Returns all nodes that can be queried, and those that cannot but must be cameras.
  private func examinedNodes() -> [ExaminedNode] {
    SystemFiles.names(in: root + "/sys/class/video4linux")
      .compactMap { $0.hasPrefix("video") ? Int($0.dropFirst("video".count)) : nil }
      .sorted()
      .compactMap { number in
        let path = root + "/dev/video\(number)"
        let node = SysfsNode(directory: root + "/sys/class/video4linux/video\(number)")
        do throws(CameraError) { return try examined(path, node) } catch {
          switch error {
          // Its pictures are not known; the first node of a device is the one with pictures.
          case .notPermitted where node.index == 0, .busy where node.index == 0:
            return ExaminedNode(
              camera: node.camera(at: path, problem: error), problem: error, hasPictures: true)
          default: return nil
          }
        }
      }
  }

  private func examined(_ path: String, _ node: SysfsNode) throws(CameraError) -> ExaminedNode {
    let handle = try open(path)
    var capability = v4l2_capability()
    let result = handle.perform(CV4L_QUERYCAP, on: &capability)
    if result == -ENOTTY || result == -EINVAL {
      throw .notACamera(path, reason: "it is not a video device")
    }
    try CameraError.check(result, "VIDIOC_QUERYCAP", path)
    let abilities = DeviceAbilities(capability)
    var reason = abilities.problem
    if reason == nil {
      reason = try FrameNegotiation(handle: handle, camera: path).offeredFormats(sized: false)
        .onlyVideo
    }
    return ExaminedNode(
      camera: node.camera(
        at: path, driver: text(of: capability.driver), name: text(of: capability.card),
        bus: text(of: capability.bus_info)),
      problem: reason.map { .notACamera(path, reason: $0) },
      hasPictures: abilities.problem == nil)
  }
}

extension ConnectedCamera {
  fileprivate func failing(_ problem: CameraError) -> ConnectedCamera {
    ConnectedCamera(identity: identity, path: path, bus: bus, problem: problem)
  }
}
