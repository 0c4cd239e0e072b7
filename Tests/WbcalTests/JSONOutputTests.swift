import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WbcalArguments
import WbcalImageFiles
import WhiteBalance
import WhiteBalanceTestSupport

@testable import wbcal

/// The documentation's page on JSON and CSV, compared with the output of the commands.
struct JSONOutputTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A row of a table: a key with its path.
  private struct Key {
    var path, type: String
    var isAlwaysThere: Bool
  }

  private static func page() throws -> String {
    try String(
      contentsOf: Workbench.repository.appending(path: "Documentation/Guides.docc/JSONOutput.md"),
      encoding: .utf8)
  }

  /// Returns the cells of the tables below each third-level heading.
  private static func tables() throws -> [String: [[String]]] {
    var tables: [String: [[String]]] = [:]
    var heading = ""
    for line in try page().components(separatedBy: "\n") {
      if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
      guard line.hasPrefix("| `"), !heading.isEmpty else { continue }
      tables[heading, default: []].append(
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
    }
    return tables
  }

  private static func names(_ cell: String) -> [String] {
    cell.components(separatedBy: ", ").map { $0.trimmingCharacters(in: ["`"]) }
  }

  /// A JSON value that distinguishes booleans and the kinds of numbers.
  private enum Value: Decodable {
    case boolean, integer, number, string
    case list([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      func reads(_ type: (some Decodable).Type) -> Bool { (try? container.decode(type)) != nil }
      if let object = try? container.decode([String: Value].self) {
        self = .object(object)
      } else if let list = try? container.decode([Value].self) {
        self = .list(list)
      } else {
        self =
          reads(Bool.self)
          ? .boolean
          : reads(String.self) ? .string : reads(Int.self) ? .integer : .number
      }
    }

    /// Returns the paths in it, each with the type of its value.
    func paths(at path: String = "") -> [(path: String, type: String)] {
      switch self {
      case .boolean: return [(path, "boolean")]
      case .integer: return [(path, "integer")]
      case .number: return [(path, "number")]
      case .string: return [(path, "string")]
      case .list(let values):
        if case .object = values.first { return values.flatMap { $0.paths(at: path + "[]") } }
        return [(path, "list")]
      case .object(let values):
        if values.isEmpty { return [(path, "object")] }
        return values.flatMap { $1.paths(at: path.isEmpty ? $0 : "\(path).\($0)") }
      }
    }
  }

  private func expect(_ heading: String, _ texts: [String]) throws {
    let keys = try #require(try Self.tables()[heading]).flatMap { cells in
      Self.names(cells[0]).map {
        Key(path: $0, type: cells[1], isAlwaysThere: cells[2] == "always")
      }
    }
    func matches(_ key: Key, _ path: String) -> Bool {
      key.path.hasSuffix(".*")
        ? path.hasPrefix(key.path.dropLast()) || path == key.path.dropLast(2) : key.path == path
    }
    var seen: Set<String> = []
    for line in texts.joined(separator: "\n").split(separator: "\n") where line.hasPrefix("{") {
      let found = try JSONDecoder().decode(Value.self, from: Data(line.utf8)).paths()
      for (path, type) in found {
        guard let key = keys.first(where: { matches($0, path) }) else {
          Issue.record("\(heading): \(path) is not on the page: \(line)")
          return
        }
        seen.insert(key.path)
        let isRight =
          key.type == type || key.type == "any" || (key.type, type) == ("number", "integer")
        #expect(isRight, "\(heading): \(path) is of type \(type): \(line)")
      }
      for key in keys where key.isAlwaysThere {
        let parent = key.path.components(separatedBy: "[].")[0]
        let isInList = parent != key.path
        let hasList = found.contains { $0.path.hasPrefix(parent + "[]") }
        #expect(
          found.contains { matches(key, $0.path) } || isInList && !hasList,
          "\(heading): \(key.path) is missing: \(line)")
      }
    }
    for key in keys {
      #expect(seen.contains(key.path), "\(heading): nothing shows \(key.path)")
    }
  }

  private func run(_ arguments: [String]) async throws -> String {
    let outcome = try await bench.run(arguments + ["--json"])
    #expect(!outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
    return outcome.output
  }

  private func makeProfiles() async throws {
    try await bench.makeProfile()
    _ = try await bench.run(
      "calibrate", "--device", Workbench.camera, "--light", "A", "-o", "sim.json")
    try await bench.run(
      "calibrate", "--shot", "\(Workbench.dng)@A", "--region", "904,906,36,36", "-o", "photo.json"
    ).expect(0)
  }

  @Test func estimates() async throws {
    try await makeProfiles()
    try bench.writeCard("card.ppm", 100, 128, 64)
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    // A 16-bit picture, dark except for its highlights.
    var deep = Data("P6 64 48 65535\n".utf8)
    for index in 0..<64 * 48 {
      for code in [20, 22, 18] { deep.append(contentsOf: [index % 64 < 4 ? 200 : UInt8(code), 0]) }
    }
    try deep.write(to: bench.folder.appending(path: "deep.ppm"))
    try await bench.makeProfile("flat.json")
    try (Data("P6 128 96 255\n".utf8) + Data(repeating: 120, count: 128 * 96 * 3)).write(
      to: bench.folder.appending(path: "flat.ppm"))
    try await bench.run("calibrate", "--profile", "flat.json", "--flat", "flat.ppm").expect(0)
    let patches = ["--region", "796,908,36,36", "--second-region", "904,906,36,36"]
    try await expect(
      "wbcal estimate --json",
      [
        run(["estimate", "card.ppm", "clipped.ppm", "missing.ppm", "--profile", "desk.json"]),
        run(["estimate", "card.ppm", "--method", "gray-world", "--profile", "desk.json"]),
        run(["estimate", "deep.ppm"]),
        run(["estimate", "--device", Workbench.camera, "--profile", "sim.json"]),
        run(["estimate", "card.ppm", "--profile", "desk.json", "--light", "A", "--light", "FL11"]),
        run(["estimate", Workbench.dng] + patches),
        run(["estimate", "card.ppm", "--profile", "photo.json", "--any-camera"]),
        run(["estimate", Workbench.dng, "--black", "0"] + patches),
        run(["estimate", "flat.ppm", "--profile", "flat.json"]),
      ])
    var dark = Data()
    for index in 0..<32 * 32 { dark.append(contentsOf: [UInt8(60 + index % 3), 0]) }
    try dark.write(to: bench.folder.appending(path: "dark.raw"))
    try await expect(
      "wbcal black-level --json",
      [
        run(["black-level", "dark.raw", "--raw", "32x32:RG12"]),
        run(["black-level", Workbench.dng]),
      ])
    try bench.writeScene("scene.ppm")
    try await expect(
      "wbcal find --json",
      [
        run(["find", "card", "scene.ppm"]),
        run(["find", "card", "card.ppm"]),
        run(["find", "card", "missing.ppm"]),
        run(["find", "chart", Workbench.dng]),
        run(["find", "chart", "card.ppm"]),
        run(["find", "card", "--device", "simulated:size=320x240"]),
        run(["find", "card", "--device", "simulated:vanish=1"]),
      ])
  }

  @Test func pictures() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    try await expect(
      "wbcal snapshot --json",
      [
        run(["snapshot", "--device", Workbench.camera, "-o", "seen.png"]),
        run(["snapshot", "--device", "\(Workbench.camera),format=RG12", "-o", "seen.dng"]),
      ])
    try await expect(
      "wbcal verify --json",
      [
        run(["verify", "card.ppm", "clipped.ppm", "missing.ppm"]),
        run(["verify", "--device", Workbench.camera]),
        run(["verify", "--device", "/dev/missing"]),
      ])
    let colors = ColorChart.classicFrom2014.colors(under: StandardIlluminant.d65.spectrum)
    try bench.drawChart(colors.map { RGBColorSpace.sRGB.fromXYZ * $0.vector }, to: "chart.ppm")
    let light = StandardIlluminant.d65.spectrum
    let sensor = MeasuredSensor.all[8]
    let shine = 0.02 * sensor.response(to: light).vector
    let rows = sensor.responses(to: .classicFrom2014, under: light).map { seen in
      let seen = seen.vector + shine
      return "\(seen.x),\(seen.y),\(seen.z)\n"
    }
    try bench.write("chart.csv", "r,g,b\n" + rows.joined())
    try await bench.run("calibrate", "--chart", "chart.csv@D65", "-o", "chart.json").expect(0)
    let camera = ["--profile", "chart.json", "--light", "D65"]
    try await expect(
      "wbcal verify --chart --json",
      [
        run(["verify", "--chart", "chart.ppm", "card.ppm", "missing.ppm"]),
        run(["verify", "--chart", "chart.csv"] + camera),
      ])
    try await bench.makeProfile()
    let even = try SimulatedFlat().frame(
      try FrameLayout(width: 320, height: 240, format: .rgb16, transfer: .sRGB))
    try Data(
      PictureWriter.encode(even, as: .png, path: "even.png", isSRGB: true, iccProfile: nil)
    ).write(to: bench.folder.appending(path: "even.png"))
    try await bench.run("calibrate", "--profile", "desk.json", "--flat", "even.png").expect(0)
    try await expect(
      "wbcal verify --flat --json",
      [
        run(["verify", "--flat", "even.png", "missing.ppm"]),
        run(["verify", "--flat", "even.png", "--profile", "desk.json"]),
      ])
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "balanced"), withIntermediateDirectories: false)
    try await bench.run("calibrate", "--chart", "\(Workbench.dng)@A", "-o", "chart.json").expect(0)
    try await expect(
      "wbcal balance --json",
      [
        run(["balance", "card.ppm", "-o", "out.ppm"]),
        run(["balance", "card.ppm", "-o", "out.ppm", "--preserve-highlights"]),
        run(["balance", "card.ppm", "missing.ppm", "-o", "balanced"]),
        run([
          "balance", "chart.ppm", "--profile", Workbench.dng, "--light", "D65", "--to", "srgb",
          "--any-camera", "-o", "out.png",
        ]),
        run([
          "balance", Workbench.dng, "--region", "796,908,36,36", "--profile", "chart.json",
          "--glare", "--to", "dng", "-o", "out.dng",
        ]),
      ])
    let series = try bench.writeSeries(count: 10, change: 5)
    let lines = try await run(["balance"] + series + ["--like", "card.ppm", "-o", "balanced"])
    try expect(
      "wbcal balance --json, after several pictures with common gains",
      [String(try #require(lines.split(separator: "\n").last))])
  }

  @Test func recordings() async throws {
    let camera = ["--device", "simulated:controls=balances,size=96x64"]
    let lights = ["--light", "A", "--light", "D65", "-o", "desk.json"]
    try await bench.run(["calibrate"] + camera + lights + ["--record", "whole"]).expect(0)
    // With few looks, the model is in doubt.
    let lines = try bench.read("whole").split(separator: "\n").prefix(100)
    try bench.write("cut", lines.joined(separator: "\n"))
    try await expect("wbcal replay --json", [run(["replay", "whole"]), run(["replay", "cut"])])
  }

  @Test func exposuresAndLenses() async throws {
    let shutter = ["--device", "simulated:shutter=absolute,size=96x64"]
    try await expect(
      "wbcal exposure --json",
      [
        run(["exposure"] + shutter), run(["exposure", "--duration", "1/100"] + shutter),
        run(["exposure", "--gain", "2"] + shutter), run(["exposure", "--bias", "-1"] + shutter),
        run(["exposure", "--flicker", "--device", "simulated:shutter=absolute,flicker=100"]),
      ])
    let lens = ["--device", "simulated:lens=motor,size=160x120"]
    try await expect(
      "wbcal focus --json",
      [
        run(["focus"] + lens), run(["focus", "--position", "0.3"] + lens),
        run(["focus", "--sweep"] + lens),
      ])
    try await expect(
      "wbcal bracket --json",
      [
        run(["bracket", "--ev=-1,0,1", "-o", "card{ev}.png"] + shutter),
        run(["bracket", "--count", "2"] + shutter),
      ])
  }

  @Test func cameras() async throws {
    try await makeProfiles()
    let device = ["--device", Workbench.camera]
    let lamp = ["--device", Workbench.camera + ",light=A"]
    let profile = ["--profile", "sim.json"]
    let lights = ["--light", "A", "--light", "D65"]
    try await bench.run(["calibrate", "-o", "two.json"] + lights + device).expect(0)
    try await expect(
      "wbcal set --json, wbcal gray --json",
      [
        run(["gray", "--profile", "two.json"] + lamp),
        run(["set", "--temperature", "5000", "--profile", "two.json"] + device),
        run(["set", "--gains", "1,1,1.5"] + device), run(["set", "--gains", "1,1,1.5"] + device),
        run(["gray"] + lamp + profile), run(["gray"] + lamp),
        run([
          "set", "--temperature", "5000", "--profile", "sim.json", "--device",
          "simulated:camera=nikon-d850,size=96x64",
        ]),
      ])
    var modes: [String] = []
    for mode in WhiteBalanceMode.allCases {
      modes.append(try await run(["set", "--mode", mode.rawValue] + device))
    }
    try expect("wbcal set --mode --json", modes)
    let second = ["--device", "simulated:camera=nikon-d850,size=96x64,controls=bent,light=A"]
    try await bench.run(["calibrate", "--light", "A", "-o", "second.json"] + second).expect(0)
    let room = ["-o", "room.json"] + profile + ["--profile", "second.json"]
    let missing = ["--device", "simulated:camera=sony-ilce-7m3,size=96x64,vanish=30"]
    try await expect(
      "wbcal match --json",
      [run(["match"] + lamp + second + missing + room), run(["match"] + lamp + second + room)])
    try bench.write(
      "gone.json",
      bench.read("room.json").replacing("controls=bent", with: "controls=bent,vanish=20"))
    try await expect(
      "wbcal set --room --json",
      [
        run(["set", "--room", "room.json", "--temperature", "3500"]),
        run(["set", "--room", "gone.json", "--temperature", "3500"]),
      ])
    try await expect(
      "wbcal watch --json",
      [
        run(["watch", "--seconds", "0.01"] + device),
        run(["watch", "--seconds", "0.01"] + device + profile), relit(),
      ])
    func relit() async throws -> String {
      let locked = Workbench.camera + ",controls=balances"
      try await bench.run("set", "--device", locked, "--mode", "locked").expect(0)
      return try await run(["watch", "--seconds", "3", "--device", locked + ",relight=A@60"])
    }
    func version(_ record: some Encodable) throws -> String {
      let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
      return "{\"version\":1," + text.dropFirst()
    }
    let streamed = CorrectedStream.Record(
      FrameCounts(frames: 900, lost: 2), values: [ControlValue(.whiteBalanceTemperature, 4400)],
      remainder: Gains(red: 1.2, blue: 1.1))
    try expect("wbcal stream --json", [version(streamed)])
    try await expect("wbcal devices --lights --json", [run(["devices", "--lights"])])
    let shutter = ControlDescription(
      id: .exposureTime, minimum: 20, maximum: 1_000_000, defaultValue: 10_000, secondsPerUnit: 1e-6
    )
    let identity = CameraIdentity(driver: "GigEVision", name: "Camera", id: "genicam:1")
    try await expect(
      "wbcal devices --device --json",
      [
        run(["devices", "--device", "simulated:size=96x64,controls=temperature"]),
        version(
          Devices.DeviceRecord(
            device: "genicam:1", identity: identity,
            controls: [.init(control: shutter, value: 10_000)],
            missingControls: "no permission to use /dev/media0")),
      ])
    let listed = OfferedFormat(
      name: "YUYV", isReadable: true,
      sizes: [
        .init(
          width: .init(640), height: .init(480),
          rates: .list([FrameRate(frames: 30000, seconds: 1001)]))
      ])
    try await expect(
      "wbcal devices --formats --json",
      [
        run(["devices", "--formats", "--device", "simulated:size=96x64"]),
        version(
          Devices.FormatsRecord(
            device: "usb-1", identity: identity, formats: [.init(listed)])),
      ])
    let connected = Devices.ConnectedRecord(
      device: "usb-1", name: "Camera", path: "/dev/video0", bus: "usb", problem: "busy")
    try await expect("wbcal devices --json", [run(["devices"]), version(connected)])
    let setting = StoredSetting(
      camera: CameraIdentity(driver: "uvcvideo", name: "Camera", id: "usb-1"), date: .now,
      gains: Gains(red: 1.2, blue: 1.6), values: [ControlValue(.redBalance, 4)])
    try await expect(
      "wbcal restore --json",
      [
        version(Restore.Record(setting, wasInterrupted: true)),
        run(["restore", "--device", "/dev/missing"]),
      ])
  }

  @Test func profiles() async throws {
    try await makeProfiles()
    try await bench.run("profile", "import", "libcamera:imx219", "-o", "pi.json").expect(0)
    try await expect(
      "wbcal calibrate --json",
      [
        run(["calibrate", "--profile", "sim.json", "--add", "rgb:0.429,1,0.781@D65"]),
        run(["calibrate", "--shot", "rgb:0.429,1,0.781@D65", "-o", "one.json"]),
        run(["calibrate", "--profile", "photo.json", "--add", "rgb:0.429,1,0.781@D65"]),
      ])
    var shown: [String] = []
    for name in ["desk.json", "sim.json", "pi.json", "photo.json", "one.json"] {
      shown.append(try await run(["profile", "show", name]))
    }
    try expect("wbcal profile show --json", shown)
    try await expect(
      "wbcal profile compare --json", [run(["profile", "compare", "desk.json", "pi.json"])])
    try await expect(
      "wbcal profile matrix --json",
      [
        run(["profile", "matrix", "desk.json", "--light", "FL11"]),
        run(["profile", "matrix", "desk.json", "--light", "FL11", "--roots"]),
        run(["profile", "matrix", Workbench.dng, "--light", "D65", "--space", "srgb"]),
      ])
  }

  @Test func studio() async throws {
    try await makeProfiles()
    let device = Workbench.camera + ",shutter=absolute,lens=motor,controls=presets"
    func lines(
      _ arguments: String..., act: (StudioBench) throws -> Void
    ) async throws -> [String: [String]] {
      let studio =
        arguments.isEmpty
        ? try StudioBench(bench, device: device)
        : try StudioBench(bench, arguments[0], arguments[1])
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "reading")
      try act(studio)
      let seen = page.events("reading").count
      _ = try await page.wait(for: "reading") { _ in page.events("reading").count > seen + 12 }
      page.leave()
      return ["reading": page.texts("reading"), "camera": page.texts("camera")]
    }
    let known = try await lines("--profile", "sim.json") { studio in
      _ = try studio.act("set", #"{"temperature":5000}"#)
      _ = try studio.act("region", #"{"region":[30,20,30,20]}"#)
      _ = try studio.act("exposure", #"{"duration":0.2}"#)
      _ = try studio.act("gray")
    }
    try await bench.run(
      "calibrate", "--device", "simulated:camera=nikon-d850,size=96x64", "--light", "A", "-o",
      "other.json"
    ).expect(0)
    let strange = try await lines("--profile", "other.json") { _ in }
    let unknown = try await lines { studio in
      _ = try studio.act("focus", #"{"position":0.5}"#)
      _ = try studio.act("exposure", #"{"gain":1.2}"#)
      _ = try studio.act("calibrate/shot", #"{"light":"A","class":"thermal"}"#)
      _ = try studio.act("calibrate/shot", #"{"light":"HP1"}"#)
      _ = try studio.act("calibrate/shot", #"{"light":"FL11"}"#)
      _ = try studio.act("calibrate/finish", #"{"output":"new.json"}"#)
      _ = try studio.act("set", #"{"light":"A"}"#)
    }
    let relit = try StudioBench(
      bench, device: Workbench.camera + ",controls=balances,relight=A@150")
    let watcher = try StudioPage(relit)
    _ = try relit.act("set", #"{"mode":"locked"}"#)
    _ = try await watcher.wait(for: "reading") { $0["lightChange"] != nil }
    watcher.leave()
    let missing = try StudioBench(bench, device: "/dev/missing")
    let page = try StudioPage(missing)
    _ = try await page.wait(for: "camera") { $0["reason"] != nil }
    for name in ["reading", "camera"] {
      try expect(
        "wbcal studio: \(name)",
        (known[name] ?? []) + (unknown[name] ?? []) + (strange[name] ?? [])
          + watcher.texts(name)
          + (name == "camera" ? [missing.get("camera").text] : []))
    }
    page.leave()
  }

  @Test func columns() throws {
    let rows = try #require(try Self.tables()["wbcal estimate --csv"])
    #expect(rows.flatMap { Self.names($0[0]) } == EstimateRecord.columns)
  }

  /// Every command with `--json`, and every code that it can give.
  @Test func nothingIsLeftOut() async throws {
    let page = try Self.page()
    let commands = [
      ["convert"], ["estimate"], ["find"], ["black-level"], ["balance"], ["calibrate"], ["set"],
      ["gray"], ["match"],
      ["stream"],
      ["watch"],
      ["restore"], ["snapshot"], ["verify"], ["devices"], ["report"], ["profile", "show"],
      ["profile", "compare"], ["profile", "import"], ["profile", "export"],
    ]
    for command in commands {
      let help = try await bench.run(command + ["--help"])
      let name = "wbcal " + command.joined(separator: " ")
      #expect(help.output.contains("--json") == page.contains(name + " --"), "\(name)")
    }
    for (code, _) in ExitCode.meanings where (65...77).contains(code.rawValue) {
      #expect(page.contains("| `\(code.word)` | \(code.rawValue) |"), "\(code)")
    }
    #expect(page.contains("| `refused` | 65 |"))
  }
}
