import CameraControl
import CameraProfiles

/// The information in sysfs on the node of a video device.
struct SysfsNode {
  let directory: String

  /// The node's number among the nodes of its device.
  var index: Int { SystemFiles.contents(of: directory + "/index").flatMap { Int($0) } ?? 0 }

  /// Returns the camera with the names that its driver reports.
  func camera(at path: String, driver: String, name: String, bus: String) -> ConnectedCamera {
    let id = usbName ?? (index == 0 ? bus : "\(bus)-video-index\(index)")
    return ConnectedCamera(
      identity: CameraIdentity(driver: driver, name: name, id: id), path: path, bus: bus,
      problem: nil)
  }

  /// Returns the camera if its driver cannot be queried.
  func camera(at path: String, problem: CameraError) -> ConnectedCamera {
    func last(_ link: String) -> String? {
      SystemFiles.resolved(directory + link)?.split(separator: "/").last.map(String.init)
    }
    let bus = last("/device") ?? ""
    return ConnectedCamera(
      identity: CameraIdentity(
        driver: last("/device/driver") ?? "",
        name: SystemFiles.contents(of: directory + "/name") ?? path, id: usbName ?? bus),
      path: path, bus: bus, problem: problem)
  }

  private var usbName: String? {
    // The node belongs to an interface of the USB device.
    guard let interface = SystemFiles.resolved(directory + "/device") else { return nil }
    let device = interface.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    guard SystemFiles.type(of: device + "/idVendor") != nil else { return nil }
    return USBIdentity.name(index: index) { SystemFiles.contents(of: device + "/" + $0) }
  }
}
