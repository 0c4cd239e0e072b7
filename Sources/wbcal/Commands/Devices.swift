import CameraControl
import CameraProfiles
import SimulatedScenes
import WbcalArguments
import WhiteBalance

#if os(Linux)
import Video4Linux
#endif

struct Devices: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "List cameras, or the controls or formats of one.",
    discussion: """
      A camera keeps its name, in whatever order cameras are plugged in. The name can
      be followed by size=WxH, format=FOURCC and fps=N for its stream. Motion JPEG,
      which many cameras need for large pictures, is used with format=MJPG, or
      automatically if no other format has color; a size after it selects one of its
      sizes. --formats lists the formats that the camera offers, each with its sizes
      and, for the largest of them, its rates. A size or rate that it does not offer
      is refused.

      The controls of a camera on a board include those of its sensor and image
      processor (/dev/v4l-subdev0 and so on), which are found in the kernel's media
      graph. If they cannot be used, the reason is shown.

      The simulated camera is a measured sensor in front of a gray card under a
      measured lamp. It keeps its settings between commands, like a driver. Its keys:
      camera=NAME and seed=N select the camera; light=NAME (or a black body such as
      5000K) its lamp; controls=KIND its controls; pipeline=webcam or board the color
      processing after the gains; format=RG12 or another V4L2 code raw frames;
      size=WxH and latency=FRAMES the stream; iso=N the noise; fps=N frames in real
      time; replay=N a loop of N frames; shutter=absolute, lines, mislabeled,
      logarithmic or none the control of its exposure; flicker=HZ the frequency at
      which its lamp flickers; lens=motor a lens without automatic focus; lens=none a
      fixed lens. With prompt=1, 'calibrate' asks you to change the lamp;
      relight=LIGHT@FRAME changes it before a frame. exposure=X and vanish=FRAME make
      the camera fail. chain=SEED generates a camera at random:
      pixels, colors, times, controls and, in half of the cases, a fault; it can be
      combined with light, size, latency, iso and fps. With past=1, a fault that
      happens only once has already happened. truth=FILE writes the camera's true
      gains at the end of a command, and in the frames after it. KIND is
      \(DeviceSpecification.simulatedControls).

      genicam:SERIAL and genicam:ADDRESS are machine-vision cameras of GigE Vision and
      USB3 Vision. format=NAME is then a name of the Pixel Format Naming Convention,
      such as BayerRG12. Without size, format or fps, the camera's own are kept.

      recorded:FILE is the camera of a file that --record wrote: it shows its card by
      the model that 'wbcal replay' fits, under the recording's first light or
      light=NAME.

        wbcal devices
        wbcal devices --device /dev/video0,size=1280x720,format=NV12
        wbcal devices --device /dev/video0 --formats
        wbcal devices --device simulated:camera=nikon-d850
        wbcal devices --lights
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Flag(help: "List the formats of the camera that --device names.") var formats = false
  @Flag(help: "List the lights of the simulated room, with their classes for --class.")
  var lights = false
  @Flag(help: "Write JSON.") var json = false

  struct ConnectedRecord: JSONRecord {
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

  struct ControlRecord: JSONRecord {
    var control: ControlDescription
    var value: Int?
  }
  struct DeviceRecord: JSONRecord {
    var device: String
    var identity: CameraIdentity
    var controls: [ControlRecord]
    var missingControls: String?
  }

  struct FormatRecord: JSONRecord {
    struct Sizes: JSONRecord {
      var minimumWidth, maximumWidth, widthStep: Int
      var minimumHeight, maximumHeight, heightStep: Int
      var rates: [Double]?
      var minimumRate, maximumRate: Double?
    }
    var name: String
    var isReadable: Bool
    var sizes: [Sizes]
  }
  struct FormatsRecord: JSONRecord {
    var device: String
    var identity: CameraIdentity
    var formats: [FormatRecord]
  }

  func validate() throws {
    try forbid(formats && device == nil, "--formats requires a --device.")
    try forbid(formats && lights, "--formats and --lights cannot be combined.")
  }

  func execute() async throws {
    if lights { return try listLights() }
    guard let device else { return try await listCameras() }
    try await formats ? listFormats(of: device) : listControls(of: device)
  }

  private func listLights() throws {
    for lamp in MeasuredLamp.all {
      try json
        ? printJSON(["name": lamp.name, "kind": lamp.lightClass.rawValue])
        : StandardOutput.line("\(lamp.name) (\(lamp.lightClass.rawValue))")
    }
  }

  private func listFormats(of device: DeviceSpecification) async throws {
    let port = try await device.open()
    let (identity, offered) = (await port.identity, try await port.offeredFormats())
    if json {
      return try printJSON(
        FormatsRecord(
          device: device.text, identity: identity, formats: offered.map(FormatRecord.init)))
    }
    try StandardOutput.line("\(identity.name) (\(identity.id))")
    for format in offered {
      let name = "  \(format.name)" + (format.isReadable ? "" : " (cannot be read)")
      if format.sizes.isEmpty { try StandardOutput.line(name) }
      for sizes in format.sizes {
        let rates = sizes.rates.description
        try StandardOutput.line("\(name) \(sizes)" + (rates.isEmpty ? "" : ": \(rates)"))
      }
    }
    if offered.isEmpty { remark("The camera has one format.") }
  }

  private func listControls(of device: DeviceSpecification) async throws {
    let record = try await CameraSession.with(device, for: .reading) { session in
      let port = session.camera.port
      var controls: [ControlRecord] = []
      for control in await port.controls {
        // Buttons and some other controls have no value.
        controls.append(.init(control: control, value: try? await port.value(of: control.id)))
      }
      var missing: String?
      #if os(Linux)
      missing = (session.port as? VideoDevice)?.missingControls
      #endif
      return DeviceRecord(
        device: device.text, identity: await port.identity, controls: controls,
        missingControls: missing)
    }
    if json { return try printJSON(record) }
    if let reason = record.missingControls {
      remark("Controls of its sensor or image processor are missing: \(reason).")
    }
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
  }

  private func listCameras() async throws {
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

extension Devices.FormatRecord {
  init(_ format: OfferedFormat) {
    func number(_ rate: FrameRate) -> Double { Double(rate.frames) / Double(rate.seconds) }
    self.init(
      name: format.name, isReadable: format.isReadable,
      sizes: format.sizes.map {
        var sizes = Sizes(
          minimumWidth: $0.width.low, maximumWidth: $0.width.high, widthStep: $0.width.step,
          minimumHeight: $0.height.low, maximumHeight: $0.height.high, heightStep: $0.height.step)
        switch $0.rates {
        case .list(let rates): sizes.rates = rates.isEmpty ? nil : rates.map(number)
        case .range(let slow, let fast):
          (sizes.minimumRate, sizes.maximumRate) = (number(slow), number(fast))
        }
        return sizes
      })
  }
}
