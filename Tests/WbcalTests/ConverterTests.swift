import Foundation
import Testing

private let isWanted = ProcessInfo.processInfo.environment["WBCAL_CONVERTERS"] != nil

private func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

/// The results of darktable and RawTherapee for neutral 6.5 in the shipped photograph, with and
/// without the sidecars, and for its chart, with the camera's profile.
@Suite(.enabled(if: isWanted, "make test-converters runs them"), .serialized)
struct ConverterTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try FileManager.default.copyItem(
      atPath: Workbench.dng, toPath: bench.folder.appending(path: "card.dng").path)
  }

  /// The photograph's chart, developed with the profile of its own shot in a color space that
  /// includes its cyan. Neutrals go from reddish at the left to greenish at the right because of
  /// the mixed light of the room, so that no profile shows all 24 colors well.
  @Test(
    .enabled(if: isInstalled("rawtherapee-cli"), "RawTherapee is not installed"),
    arguments: [[], ["--light", "A"]])
  func chartInRawTherapee(light: [String]) async throws {
    try await bench.run("calibrate", "--chart", "card.dng@A", "-o", "camera.json").expect(0)
    try await bench.run(
      ["profile", "export", "camera.json", "--dcp", "camera.dcp", "--camera", "Canon EOS Kiss X4"]
        + ["--glare"] + light
    ).expect(0)
    try await measure("--write-pp3")
    let script = """
      printf '\n[Color Management]\nInputProfile=file:%s/camera.dcp\nToneCurve=false\n' "$PWD" \
        >> card.dng.pp3
      printf 'OutputProfile=RTv4_Rec2020\n' >> card.dng.pp3
      export XDG_CONFIG_HOME=$PWD/run/config XDG_CACHE_HOME=$PWD/run/cache
      rawtherapee-cli -s -b16 -t -Y -o chart.tif -c card.dng >&2
      """
    try bench.runProcess(shell: script).expect(0)
    let outcome = try await bench.run("verify", "chart.tif", "--chart", "--limit", "2.5")
    outcome.expect(0)
    #expect(outcome.output.contains("CIEDE2000 of 24 patches"))
  }

  /// The photograph's chart with an ICC profile, in a form for darktable 4's module for input
  /// profiles. darktable's own matrix leaves 4.8.
  @Test(.enabled(if: isInstalled("darktable-cli"), "darktable is not installed"))
  func chartInDarktable() async throws {
    try await bench.run("calibrate", "--chart", "card.dng@A", "-o", "camera.json").expect(0)
    let folder = bench.folder.appending(path: "run/config/color/in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await bench.run(
      "profile", "export", "camera.json", "--icc", "run/config/color/in/camera.icc", "--light", "A",
      "--icc-table", "--glare"
    ).expect(0)
    try await measure("--write-xmp")
    // A file of this name; perceptual; to linear Rec. 2020.
    func text(_ name: String) -> [UInt8] {
      Array(name.utf8) + [UInt8](repeating: 0, count: 512 - name.utf8.count)
    }
    func number(_ value: UInt8) -> [UInt8] { [value, 0, 0, 0] }
    let parameters =
      number(0) + text("camera.icc") + number(0) + number(0) + number(0) + number(4) + text("")
    let sidecar = try bench.read("card.dng.xmp")
      .replacing("history_end=\"2\"", with: "history_end=\"3\"")
      .replacing(
        "    </rdf:Seq>",
        with: """
               <rdf:li darktable:num="2" darktable:operation="colorin" darktable:enabled="1"
                darktable:modversion="7" darktable:multi_name="" darktable:multi_priority="0"
                darktable:params="\(parameters.map { String(format: "%02x", $0) }.joined())"/>
              </rdf:Seq>
          """)
    try bench.write("card.dng.xmp", sidecar)
    let script = """
      darktable-cli card.dng chart.tif --icc-type LIN_REC2020 --core --library :memory: \
        --configdir run/config --cachedir run/cache --conf plugins/darkroom/workflow=none \
        --conf plugins/imageio/format/tiff/bpp=16 >&2
      """
    try bench.runProcess(shell: script).expect(0)
    try await bench.run("verify", "chart.tif", "--chart", "--limit", "2.5").expect(0)
  }

  /// A program that develops DNG files with the matrices and the white in them.
  enum Converter: CaseIterable, Sendable {
    case libRaw, rawTherapee, darktable

    /// The commands that develop raw.dng to chart.tif in a space that includes a chart's cyan, and
    /// the options with which it is read.
    var development: (script: String, options: [String]) {
      switch self {
      case .libRaw:
        // sRGB, whose profile in the file LibRaw approximates. Brightness is not stretched.
        return (
          "dcraw_emu -w -o 1 -W -g 2.4 12.92 -6 -T -Z chart.tif raw.dng",
          ["--transfer", "srgb"]
        )
      case .rawTherapee:
        return (
          """
          export XDG_CONFIG_HOME=$PWD/run/config XDG_CACHE_HOME=$PWD/run/cache
          printf '[Version]\nVersion=349\n[White Balance]\nSetting=Camera\n' >raw.pp3
          printf '[Color Management]\nInputProfile=(embedded)\nToneCurve=false\n' >>raw.pp3
          printf 'OutputProfile=RTv4_Rec2020\n' >>raw.pp3
          rawtherapee-cli -p raw.pp3 -b16 -t -Y -o chart.tif -c raw.dng >&2
          """, []
        )
      case .darktable:
        return (
          """
          darktable-cli raw.dng chart.tif --icc-type LIN_REC2020 --core --library :memory: \
            --configdir run/config --cachedir run/cache --conf plugins/darkroom/workflow=none \
            --conf plugins/darkroom/chromatic-adaptation=legacy \
            --conf plugins/imageio/format/tiff/bpp=16 >&2
          """, []
        )
      }
    }
  }

  /// Develops raw.dng, and expects a chart's colors within a limit.
  private func expectChart(by converter: Converter, limit: String) async throws {
    let development = converter.development
    try bench.runProcess(shell: development.script).expect(0)
    let outcome = try await bench.run(
      ["verify", "chart.tif", "--chart", "--limit", limit] + development.options)
    outcome.expect(0)
    #expect(outcome.output.contains("CIEDE2000 of 24 patches"))
  }

  /// A raw picture of a simulated camera's chart, as the file itself describes the camera's color,
  /// of a camera that was calibrated by a chart under another light.
  @Test(arguments: Converter.allCases, ["D65", "A", "FL11"])
  func simulatedChart(converter: Converter, light: String) async throws {
    let camera = "simulated:format=RG12,controls=none,target=chart,size=960x640,light="
    try await bench.run("snapshot", "--device", "\(camera)D50", "-o", "card.dng").expect(0)
    try await bench.run("calibrate", "--chart", "card.dng@D50", "-o", "camera.json").expect(0)
    try await bench.run(
      "snapshot", "--device", camera + light, "--profile", "camera.json", "--light", light, "-o",
      "raw.dng"
    ).expect(0)
    try await expectChart(by: converter, limit: "2.5")
  }

  /// The photograph's chart. With the light that lies on all of it, its grays are off by 4 on
  /// average.
  @Test(arguments: Converter.allCases) func photographedChart(converter: Converter) async throws {
    try await bench.run("calibrate", "--chart", "card.dng@A", "-o", "camera.json").expect(0)
    try await bench.run(
      "balance", "card.dng", "--like", "card.dng", "--region", "904,906,36,36", "--profile",
      "camera.json", "--light", "A", "--glare", "--to", "dng", "-o", "raw.dng"
    ).expect(0)
    try await expectChart(by: converter, limit: "2.5")
  }

  private func measure(_ flag: String) async throws {
    try await bench.run("estimate", "card.dng", "--region", "904,906,36,36", flag).expect(0)
  }

  private func expect(_ picture: String, region: String, isNeutral: Bool) async throws {
    let outcome = try await bench.run("verify", picture, "--region", region, "--limit", "0.5")
    #expect(outcome.status == (isNeutral ? 0 : 65), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("CIEDE2000"), "\(outcome.errors)")
  }

  /// All automatic steps of darktable for a photograph that it opens for the first time.
  @Test(
    .enabled(if: isInstalled("darktable-cli"), "darktable is not installed"),
    arguments: [
      ("scene-referred", "modern"), ("scene-referred", "legacy"), ("display-referred", "modern"),
      ("display-referred", "legacy"), ("none", "modern"), ("none", "legacy"),
    ])
  func darktable(workflow: String, adaptation: String) async throws {
    func develop(_ output: String) throws {
      let script = """
        darktable-cli card.dng \(output) --icc-type SRGB --core --library :memory: \
          --configdir run/config --cachedir run/cache \
          --conf plugins/darkroom/workflow=\(workflow) \
          --conf plugins/darkroom/chromatic-adaptation=\(adaptation) \
          --conf plugins/imageio/format/tiff/bpp=16 >&2
        """
      try bench.runProcess(shell: script).expect(0)
    }
    try develop("before.tif")
    try await expect("before.tif", region: "904,906,36,36", isNeutral: false)
    try await measure("--write-xmp")
    let sidecar = try bench.read("card.dng.xmp")
    try develop("after.tif")
    try await expect("after.tif", region: "904,906,36,36", isNeutral: true)
    #expect(try bench.read("card.dng.xmp") == sidecar)
  }

  @Test(.enabled(if: isInstalled("rawtherapee-cli"), "RawTherapee is not installed"))
  func rawTherapee() async throws {
    func develop(_ output: String) throws {
      let script = """
        export XDG_CONFIG_HOME=$PWD/run/config XDG_CACHE_HOME=$PWD/run/cache
        rawtherapee-cli -s -b16 -t -Y -o \(output) -c card.dng >&2
        """
      try bench.runProcess(shell: script).expect(0)
    }
    // RawTherapee crops four pixels at each edge.
    let region = "900,902,36,36"
    try develop("before.tif")
    try await expect("before.tif", region: region, isNeutral: false)
    try await measure("--write-pp3")
    try develop("after.tif")
    try await expect("after.tif", region: region, isNeutral: true)
  }
}
