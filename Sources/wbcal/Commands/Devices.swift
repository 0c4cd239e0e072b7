import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import WbcalArguments

#if os(Linux)
import Video4Linux
import WhiteBalance
#endif

struct Devices: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List cameras, or what one of them can be told.",
    discussion: """
      A camera keeps its name whatever it is plugged in after. Behind the name may
      stand how it delivers: size=WxH, format=FOURCC, fps=N. Motion JPEG, which many
      cameras need for large pictures, is taken with format=MJPG, and by itself where
      nothing else has color; a size behind it is chosen among its own.

      The simulated camera is a measured sensor that looks at a gray card
      under a measured lamp. It keeps its settings between commands, as a
      driver does. Its keys: camera=NAME and seed=N say which one it is,
      light=NAME (or a black body such as 5000K) what shines, controls=KIND
      what it can be told, pipeline=webcam or board what mixes and bends its
      colors behind the gains, size=WxH and latency=FRAMES how it delivers,
      iso=N how noisy it is, fps=N that it takes real time, replay=N that it
      shows N frames over and over; shutter=absolute, lines, mislabeled,
      logarithmic or none what its exposure is set by, flicker=HZ how often in
      a second its light does, lens=motor that it cannot focus by itself,
      lens=none not at all; prompt=1 that 'calibrate' asks you to change its
      light; exposure=X and vanish=FRAME make it fail. chain=SEED is a camera
      that is drawn at random, pixels, colors, times, controls and in half of
      them a fault, with which light, size, latency, iso and fps go; past=1
      that what happens to a camera once is over; truth=FILE writes what its
      gains are in truth at a command's end, and in the frames after. KIND is
      \(DeviceSpecification.simulatedControls).

      A camera of which --record wrote a file is recorded:FILE: it shows its card by
      the model that 'wbcal replay' fits, under the recording's first light or
      light=NAME.

        wbcal devices
        wbcal devices --device /dev/video0,size=1280x720,format=NV12
        wbcal devices --device simulated:camera=nikon-d850
        wbcal devices --lights
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Flag(help: "List the lights of the simulated room, with their kinds for --class.")
  var lights = false
  @Flag(help: "Write JSON.") var json = false

  #if os(Linux)
  struct ConnectedRecord: Encodable {
    var device, name, path, bus: String
    var problem: String?
  }

  private func list(_ camera: ConnectedCamera) throws {
    let problem = camera.problem.map { $0.sentence }
    if json {
      return try printJSON(
        ConnectedRecord(
          device: camera.identity.id, name: camera.identity.name, path: camera.path,
          bus: camera.bus, problem: problem))
    }
    try StandardOutput.line(
      "\(camera.identity.id) (\(camera.identity.name), \(camera.path))"
        + (problem.map { ": \($0)" } ?? ""))
  }
  #endif

  private struct ControlRecord: Encodable {
    var control: ControlDescription
    var value: Int?
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
          ? printJSON(["name": lamp.name, "kind": lamp.lightClass.rawValue])
          : StandardOutput.line("\(lamp.name) (\(lamp.lightClass.rawValue))")
      }
      return
    }
    if let device {
      let record = try await CameraSession.with(device, for: .reading) { session in
        let port = session.camera.port
        var controls: [ControlRecord] = []
        for control in await port.controls {
          // Buttons and some other controls have no value.
          controls.append(.init(control: control, value: try? await port.value(of: control.id)))
        }
        return DeviceRecord(device: device.text, identity: await port.identity, controls: controls)
      }
      if json { return try printJSON(record) }
      try StandardOutput.line("\(record.identity.name) (\(record.identity.id))")
      for item in record.controls {
        let control = item.control
        let values =
          control.items.isEmpty
          ? "\(control.minimum)…\(control.maximum)"
            + (control.step == 1 ? "" : " in steps of \(control.step)")
          : control.items.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
        try StandardOutput.line(
          "  \(control.id.rawValue) \(item.value.map { "\($0)" } ?? "–") "
            + "(\(values); default \(control.defaultValue))")
      }
      return
    }
    #if os(Linux)
    let cameras = await VideoDevice.connected()
    for camera in cameras { try list(camera) }
    if cameras.isEmpty { remark(CameraAbsence().sentence + " Simulated cameras need none:") }
    #endif
    for sensor in MeasuredSensor.all {
      let name = "simulated:camera=\(sensor.name)"
      try json ? printJSON(["device": name]) : StandardOutput.line(name)
    }
  }
}
