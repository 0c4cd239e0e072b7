import CameraControl
import CameraProfiles
import SimulatedScenes
import WbcalArguments
import WhiteBalance

struct Devices: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List cameras, or the controls of one.",
    discussion: """
      A camera keeps its name, in whatever order cameras are plugged in. The name can
      be followed by size=WxH, format=FOURCC and fps=N for its stream. Motion JPEG,
      which many cameras need for large pictures, is used with format=MJPG, or
      automatically if no other format has color; a size after it selects one of its
      sizes.

      The simulated camera is a measured sensor in front of a gray card under a
      measured lamp. It keeps its settings between commands, like a driver. Its keys:
      camera=NAME and seed=N select the camera; light=NAME (or a black body such as
      5000K) its lamp; controls=KIND its controls; pipeline=webcam or board the color
      processing after the gains; size=WxH and latency=FRAMES the stream; iso=N the
      noise; fps=N frames in real time; replay=N a loop of N frames; shutter=absolute,
      lines, mislabeled, logarithmic or none the control of its exposure; flicker=HZ
      the frequency at which its lamp flickers; lens=motor a lens without automatic
      focus; lens=none a fixed lens. With prompt=1, 'calibrate' asks you to change the
      lamp. exposure=X and vanish=FRAME make the camera fail. chain=SEED generates a
      camera at random: pixels, colors, times, controls and, in half of the cases, a
      fault; it can be combined with light, size, latency, iso and fps. With past=1, a
      fault that happens only once is over. truth=FILE writes the camera's true gains
      at the end of a command, and in the frames after it. KIND is
      \(DeviceSpecification.simulatedControls).

      genicam:SERIAL and genicam:ADDRESS are machine-vision cameras of GigE Vision and
      USB3 Vision. format=NAME is then a name of the Pixel Format Naming Convention,
      such as BayerRG12. Without size, format or fps, the camera's own are kept.

      recorded:FILE is the camera of a file that --record wrote: it shows its card by
      the model that 'wbcal replay' fits, under the recording's first light or
      light=NAME.

        wbcal devices
        wbcal devices --device /dev/video0,size=1280x720,format=NV12
        wbcal devices --device simulated:camera=nikon-d850
        wbcal devices --lights
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Flag(help: "List the lights of the simulated room, with their classes for --class.")
  var lights = false
  @Flag(help: "Write JSON.") var json = false

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
    let cameras = await ConnectedCamera.all()
    for camera in cameras { try list(camera) }
    #if os(Linux)
    if cameras.isEmpty { remark(CameraAbsence().sentence + " Simulated cameras need none:") }
    #endif
    for sensor in MeasuredSensor.all {
      let name = "simulated:camera=\(sensor.name)"
      try json ? printJSON(["device": name]) : StandardOutput.line(name)
    }
  }
}
