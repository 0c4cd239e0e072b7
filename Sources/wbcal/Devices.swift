import ArgumentParser
import CameraControl
import Foundation
import SimulatedCamera
import WhiteBalance

struct Devices: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List cameras, or what one of them can be told.",
    discussion: """
      The simulated camera is a measured sensor that looks at a gray card under a
      measured lamp. It keeps its settings between commands, as a driver does. Its
      keys: camera=NAME and seed=N say which one it is, light=NAME (or a black body
      such as 5000K) what shines, size=WxH and latency=FRAMES how it delivers,
      fps=N that it takes real time; exposure=X and vanish=FRAME make it fail.

        wbcal devices
        wbcal devices --device simulated:camera=nikon-d850
        wbcal devices --lights
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Flag(help: "List the lights of the simulated room.") var lights = false
  @Flag(help: "Write JSON.") var json = false

  private struct ControlRecord: Encodable {
    var control: ControlDescription
    var value: Int
  }
  private struct DeviceRecord: Encodable {
    var device: String
    var identity: CameraIdentity
    var controls: [ControlRecord]
  }

  func execute() async throws {
    if lights {
      for lamp in MeasuredLamp.all {
        try json
          ? printJSON(["name": lamp.name, "kind": lamp.kind])
          : StandardOutput.line("\(lamp.name) (\(lamp.kind))")
      }
      return
    }
    if let device {
      let record = try await CameraSession.with(device, estimator: .init(), keep: true) { session in
        let port = session.camera.port
        var controls: [ControlRecord] = []
        for control in await port.controls {
          controls.append(.init(control: control, value: try await port.value(of: control.id)))
        }
        return DeviceRecord(
          device: device.text, identity: await port.identity, controls: controls)
      }
      if json { return try printJSON(record) }
      try StandardOutput.line("\(record.identity.name) (\(record.identity.id))")
      for item in record.controls {
        let control = item.control
        try StandardOutput.line(
          "  \(control.id.rawValue) \(item.value) (\(control.minimum)…\(control.maximum) in steps of "
            + "\(control.step), default \(control.defaultValue))")
      }
      return
    }
    for sensor in MeasuredSensor.all {
      let name = "simulated:camera=\(sensor.name)"
      try json ? printJSON(["device": name]) : StandardOutput.line(name)
    }
  }
}
