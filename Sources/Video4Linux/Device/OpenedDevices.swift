import CameraControl
import CameraProfiles

/// A camera's open video node and sub-devices, with their controls.
struct OpenedDevices {
  let camera: ConnectedCamera
  let controls: CameraControls
  /// The reason that controls of sub-devices are missing; `nil` if none is missing.
  let problem: String?

  /// Opens a camera.
  init(_ name: String, in list: DeviceList) throws(CameraError) {
    camera = try list.camera(named: name)
    let node = ControlSource(
      path: camera.path, handle: try list.open(camera.path), kind: .videoNode)
    let subdevices = list.subdevices(of: camera.path)
    problem = subdevices.problem
    controls = try CameraControls([node] + subdevices.sources, camera: camera.identity.name)
  }
}
