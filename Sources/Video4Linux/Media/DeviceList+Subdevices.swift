import CameraControl

extension DeviceList {
  /// The sub-devices of a camera that could be opened, those nearest the sensor first, and the
  /// reason that others are missing.
  struct Subdevices {
    var sources: [ControlSource] = []
    var problem: String?
  }

  /// Opens the sub-devices whose pictures come to a video node, as far as they can be found.
  func subdevices(of path: String) -> Subdevices {
    let hasNodes = SystemFiles.names(in: root + "/sys/class/video4linux")
      .contains { $0.hasPrefix("v4l-subdev") }
    guard hasNodes, case .device(let major, let minor) = SystemFiles.type(of: path) else {
      return Subdevices()
    }
    do throws(CameraError) {
      let found = try passedSubdevices(DeviceNumber(major: major, minor: minor))
      let sensors = found.filter(\.isSensor).map(\.name)
      if sensors.count > 1 {
        return Subdevices(
          problem: "its pictures can come from several sensors: "
            + sensors.joined(separator: ", "))
      }
      return opened(found)
    } catch { return Subdevices(problem: "\(error)") }
  }

  /// Returns the sub-devices upstream of a video node; none if it belongs to no media device.
  ///
  /// - Throws: the reason that a media device could not be read, if none has the node.
  private func passedSubdevices(
    _ node: DeviceNumber
  ) throws(CameraError) -> [MediaGraph.Subdevice] {
    var problem: CameraError?
    for name in SystemFiles.names(in: root + "/sys/bus/media/devices").sorted()
    where name.hasPrefix("media") {
      let path = root + "/dev/" + name
      do throws(CameraError) {
        let graph = try MediaGraph(open(path), path: path)
        if let found = graph.subdevices(upstreamOf: node) { return found }
      } catch { problem = problem ?? error }
    }
    if let problem { throw problem }
    return []
  }

  private func opened(_ found: [MediaGraph.Subdevice]) -> Subdevices {
    var result = Subdevices()
    for subdevice in found {
      let link = root + "/sys/dev/char/\(subdevice.node.major):\(subdevice.node.minor)"
      guard let name = SystemFiles.resolved(link)?.split(separator: "/").last else { continue }
      let path = root + "/dev/" + name
      do throws(CameraError) {
        result.sources.append(
          ControlSource(path: path, handle: try open(path), kind: .subdevice(pad: subdevice.pad)))
      } catch { result.problem = result.problem ?? "\(error)" }
    }
    return result
  }
}
