import CameraControl
import CameraProfiles
import CameraTestSupport
import ColorScience
import Glibc
import Video4Linux
import WhiteBalance

/// Prints what an application sees of a camera, a line for each thing, for the scripts of the lab.
@main struct CameraProbe {
  static let usage = """
    wbcal-camera-probe list
    wbcal-camera-probe controls NAME
    wbcal-camera-probe set NAME CONTROL=VALUE…
    wbcal-camera-probe stream NAME COUNT [FOURCC [WxH]]
    wbcal-camera-probe means NAME WxH           of a frame of each format named on standard input
    wbcal-camera-probe changes NAME SECONDS
    wbcal-camera-probe lock NAME COUNT          sets gains COUNT times, and brings the settings back
    wbcal-camera-probe cycle NAME COUNT         opens, streams and closes, and tells what it then holds
    wbcal-camera-probe misuse NAME              does what no program should, on two openings
    wbcal-camera-probe laws NAME [UNPLUG PLUG]  the laws of camera ports; commands that disconnect it
                                                and connect it again
    wbcal-camera-probe return NAME SECONDS      waits until the camera is gone, then until it is back
    """

  static func main() async {
    let start = ContinuousClock.now
    do throws(CameraError) {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      say("error after \(shortNumber(seconds)) s: \(error)")
      say("  \(String(reflecting: error))")
      exit(1)
    }
  }

  static func run(_ arguments: [String]) async throws(CameraError) {
    switch (arguments.first, arguments.count) {
    case ("list", 1): await list()
    case ("controls", 2): try await controls(arguments[1])
    case ("set", 3...): try await set(arguments[1], arguments[2...].compactMap(assignment))
    case ("stream", 3...5): try await stream(arguments[1], Array(arguments.dropFirst(2)))
    case ("means", 3): await means(arguments[1], size: arguments[2])
    case ("changes", 3): try await changes(arguments[1], Double(arguments[2]) ?? 1)
    case ("lock", 3): try await lock(arguments[1], Int(arguments[2]) ?? 1)
    case ("cycle", 3): try await cycle(arguments[1], Int(arguments[2]) ?? 1)
    case ("misuse", 2): try await misuse(arguments[1])
    case ("laws", 2), ("laws", 4): try await laws(arguments[1], Array(arguments.dropFirst(2)))
    case ("return", 3): try await reconnect(arguments[1], Double(arguments[2]) ?? 1)
    default:
      say(usage)
      exit(64)
    }
  }

  static func list() async {
    for camera in await VideoDevice.connected() {
      let identity = camera.identity
      say(
        "\(camera.path) \(identity.driver) '\(identity.name)' id=\(identity.id) bus=\(camera.bus)")
      if let problem = camera.problem { say("  \(problem)") }
    }
  }

  static func controls(_ name: String) async throws(CameraError) {
    let device = try await VideoDevice(opening: name)
    for control in device.controls {
      let flags = try await device.flags(of: control.id)
      var value = "-"
      do throws(CameraError) { value = "\(try await device.value(of: control.id))" } catch {
        value = "(\(error))"
      }
      let kind =
        switch control.kind {
        case .integer: "integer"
        case .boolean: "boolean"
        case .button: "button"
        case .menu(let items):
          "menu " + items.map { "\($0.value)=\($0.name)" }.joined(separator: ", ")
        }
      say(
        "\(control.id.rawValue) \(value) \(control.minimum)…\(control.maximum)/\(control.step) "
          + "default \(control.defaultValue) \(kind)\(words(flags))")
    }
  }

  static func words(_ flags: ControlFlags) -> String {
    let names: [(ControlFlags, String)] = [
      (.readOnly, "read-only"), (.writeOnly, "write-only"), (.inactive, "inactive"),
      (.volatile, "volatile"), (.grabbed, "grabbed"), (.updatesOthers, "updates-others"),
    ]
    return names.filter { flags.contains($0.0) }.map { " " + $0.1 }.joined()
  }

  static func assignment(_ text: String) -> ControlValue? {
    let parts = text.split(separator: "=")
    guard parts.count == 2, let value = Int(parts[1]) else { return nil }
    return ControlValue(ControlID(rawValue: String(parts[0])), value)
  }

  static func set(_ name: String, _ values: [ControlValue]) async throws(CameraError) {
    let device = try await VideoDevice(opening: name)
    try await device.set(values)
    for value in values {
      say("\(value.id.rawValue) \(try await device.value(of: value.id))")
    }
  }

  static func stream(_ name: String, _ rest: [String]) async throws(CameraError) {
    let device = try await VideoDevice(
      opening: name,
      request: request(rest.count > 1 ? rest[1] : nil, size: rest.count > 2 ? rest[2] : ""))
    for index in 0..<(Int(rest[0]) ?? 1) {
      let (info, mean) = try await nextMean(device)
      if index == 0 {
        say(
          "\(info.layout.width)x\(info.layout.height) \(info.layout.bytesPerRow) bytes a row, "
            + "\(info.layout.transfer) \(info.layout.encoding.matrix) \(info.layout.encoding.range)"
        )
      }
      say("frame \(info.sequence) at \(shortNumber(info.timestamp / .seconds(1))) s: \(text(mean))")
    }
  }

  static func means(_ name: String, size: String) async {
    while let format = readLine() {
      do throws(CameraError) {
        let device = try await VideoDevice(opening: name, request: request(format, size: size))
        let (_, mean) = try await nextMean(device)
        await device.close()
        say("\(format): \(text(mean))")
      } catch {
        say("\(format): error")
      }
    }
  }

  static func request(_ fourCC: String?, size: String) -> FormatRequest {
    var request = FormatRequest()
    request.fourCC = fourCC
    let sides = size.split(separator: "x").compactMap { Int($0) }
    if sides.count == 2 { (request.width, request.height) = (sides[0], sides[1]) }
    return request
  }

  /// The middle of the next frame.
  static func nextMean(
    _ device: VideoDevice
  ) async throws(CameraError) -> (FrameInfo, LinearRGB) {
    let (info, statistics) = try await device.withNextFrame { info, bytes in
      let layout = info.layout
      let region = PixelRectangle(
        x: layout.width / 4 & ~1, y: layout.height / 4 & ~1, width: layout.width / 2 & ~1,
        height: layout.height / 2 & ~1)
      return (
        info,
        Result { () throws(FrameError) in
          try FrameStatistics(bytes, layout: layout, region: region)
        }
      )
    }
    do { return (info, try statistics.get().mean) } catch { throw .frame(error) }
  }

  static func text(_ mean: LinearRGB) -> String {
    [mean.red, mean.green, mean.blue].map { shortNumber($0) }.joined(separator: " ")
  }

  static func changes(_ name: String, _ seconds: Double) async throws(CameraError) {
    let device = try await VideoDevice(opening: name)
    let stream = await device.changes()
    let listener = Task {
      for await change in stream { say("change \(change.id.rawValue) \(change.value)") }
      say("end of changes")
    }
    try? await Task.sleep(for: .seconds(seconds))
    listener.cancel()
    await listener.value
  }

  /// Sets red and blue many times, and tells each time which frame is named as the first to show
  /// it.
  static func lock(_ name: String, _ count: Int) async throws(CameraError) {
    let port = try await VideoDevice(
      opening: name, request: FormatRequest(width: 160, height: 120))
    // The transfer function and the laws of the lab's camera, so that no time goes into finding
    // them out.
    let camera = Camera(port, transfer: .gamma(2.2))
    func law(_ id: ControlID) -> ControlLaw? {
      controls(port).first { $0.id == id }.flatMap { control in
        ControlLaw(
          control: control, reference: 256,
          points: [64, 256, 1023].map { .init(value: $0, gain: Double($0) / 256) })
      }
    }
    guard let red = law(.redBalance), let blue = law(.blueBalance) else {
      throw .noWhiteBalance(camera: name)
    }
    let laws = ControlLaws(
      .channels(red: red, green: nil, blue: blue),
      persistence: SettingPersistence(frames: 240, isLostOnStreamStart: false, baseline: .absolute))
    let before = try await camera.settings()
    try await camera.lockExposure()
    for step in 0..<count {
      let gains = Gains(
        red: 1.2 + 0.11 * Double(step % 5), blue: 2.2 - 0.13 * Double(step % 7))
      let applied = try await ProbedCamera(camera, laws: laws).lock(at: gains)
      say(
        "set "
          + applied.values.map { "\($0.value)" }.joined(separator: " ")
          + " shown \(applied.firstFrame?.sequence ?? -1)")
    }
    try await camera.restore(before)
    say("restored")
  }

  private static func controls(_ port: VideoDevice) -> [ControlDescription] { port.controls }

  static func cycle(_ name: String, _ count: Int) async throws(CameraError) {
    for step in 1...max(count, 1) {
      let device = try await VideoDevice(
        opening: name, request: FormatRequest(width: 320, height: 240))
      for _ in 0..<2 { try await device.withNextFrame { _, _ in } }
      await device.close()
      if step == 1 || step == count {
        let open = (CInt(0)..<1024).count { fcntl($0, F_GETFD) >= 0 }
        let pages = memoryPages().map { $0 * sysconf(CInt(_SC_PAGESIZE)) / 1024 }
        say("after \(step): \(open) descriptors, \(pages[1]) kB of memory, \(pages[0]) kB mapped")
      }
    }
  }

  /// The pages that this process has mapped, and those that are in memory.
  static func memoryPages() -> [Int] {
    var text = [UInt8](repeating: 0, count: 256)
    let descriptor = unsafe open("/proc/self/statm", O_RDONLY)
    let count = unsafe read(descriptor, &text, text.count)
    close(descriptor)
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
      .split(separator: " ").compactMap { Int($0) } + [0, 0]
  }

  static func misuse(_ name: String) async throws(CameraError) {
    func attempt<Result: Sendable>(
      _ what: String, _ body: () async throws(CameraError) -> Result
    ) async {
      do throws(CameraError) { say("\(what): \(try await body())") } catch {
        say("\(what): refused, \(error)")
      }
    }
    func sequence(_ device: VideoDevice) async throws(CameraError) -> String {
      try await device.withNextFrame { info, _ in "\(info.layout.width) wide" }
    }
    let first = try await VideoDevice(opening: name)
    let second = try await VideoDevice(
      opening: name, request: FormatRequest(width: 320, height: 180))
    await attempt("the first streams") { () async throws(CameraError) in
      try await sequence(first)
    }
    await attempt("the second streams too") { () async throws(CameraError) in
      try await sequence(second)
    }
    await attempt("the second sets a control") { () async throws(CameraError) in
      guard let control = second.controls.first(where: { $0.id == .brightness }) else {
        throw .noControl(.brightness, camera: name)
      }
      try await second.set([ControlValue(control.id, control.minimum)])
      return try await first.value(of: control.id) == control.minimum
    }
    await first.close()
    await first.close()
    await attempt("the first, closed twice, tells") { () async throws(CameraError) in
      try await first.value(of: .brightness)
    }
    await attempt("the first, closed, streams") { () async throws(CameraError) in
      try await sequence(first)
    }
    await attempt("the second streams now, its own size") { () async throws(CameraError) in
      try await sequence(second)
    }
    await second.stopStreaming()
    await second.stopStreaming()
    await attempt("and again, after stopping twice") { () async throws(CameraError) in
      try await sequence(second)
    }
  }

  static func reconnect(_ name: String, _ seconds: Double) async throws(CameraError) {
    let identity = try await VideoDevice(opening: name).identity
    for await _ in await (try await VideoDevice(opening: name)).changes() {}
    say("gone")
    say(try await VideoDevice.waitForReturn(of: identity, within: .seconds(seconds)))
  }
}

/// Prints a line at once, whatever comes after it.
func say(_ text: String) {
  print(text)
  fflush(nil)
}
