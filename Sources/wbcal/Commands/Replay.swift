import CameraProfiles
import ColorScience
import WbcalArguments

struct Replay: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a recording of a camera tells.",
    discussion: """
      A recording, which --record of the camera's commands writes, has every setting
      and what the gray card looked like in every frame, and nothing of the scene
      beside it. What is printed: the camera, after how many frames its settings
      show, and each setting that came to rest with the mean codes of the card, on a
      scale from 0 to 255.

        wbcal calibrate --device simulated --light A --light D65 -o desk.json \\
          --record desk.jsonl
        wbcal replay desk.jsonl
      """)

  @Argument(help: "The recording.", completion: .file(extensions: ["jsonl"])) var file: String
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let recording = try CameraRecording(path: file)
    let record = Record(recording)
    if json { return try printJSON(record) }
    try StandardOutput.line(record.text)
  }

  /// What a recording tells.
  struct Record: Encodable {
    struct Look: Encodable {
      var light: String
      var settings: [String: Int]
      var frames: Int
      var firstFrame: Int
      var codes: [Double]
      var errors: [Double]
      var clipped: [Double]
    }

    var camera: CameraIdentity
    var lights: [String]
    var frames: Int
    var refused: Int
    var latency: Int?
    var looks: [Look]

    init(_ recording: CameraRecording) {
      let lights = recording.lights
      self.lights = lights
      camera = recording.camera.identity
      frames = recording.events.count { if case .frame = $0 { true } else { false } }
      refused = recording.events.count { if case .refused = $0 { true } else { false } }
      latency = recording.latency
      let looks = recording.looks()
      // What never changes need not be said of each.
      let moved = Set(
        looks.flatMap(\.settings.keys).filter { id in
          Set(looks.map { $0.settings[id] }).count > 1
        })
      self.looks = looks.map { look in
        Look(
          light: lights[look.light],
          settings: Dictionary(
            look.settings.filter { moved.contains($0.key) }.map { ($0.key.rawValue, $0.value) },
            uniquingKeysWith: { $1 }),
          frames: look.frames, firstFrame: look.firstFrame, codes: look.codes,
          errors: look.errors, clipped: look.clipped)
      }
    }

    var text: String {
      var lines = ["\(camera.name) (\(camera.id)), driver \(camera.driver)"]
      lines.append(
        "frames \(frames), settings at rest \(looks.count)"
          + (refused > 0 ? ", refused \(refused)" : "")
          + (latency.map { ", frames until a setting shows \($0)" } ?? ""))
      let names = Set(looks.flatMap(\.settings.keys)).sorted()
      let rows = looks.map { look in row(of: look, names) }
      lines.append(
        columns([["light"] + names + ["red", "green", "blue", "frames"]] + rows))
      return lines.joined(separator: "\n")
    }

    private func row(of look: Look, _ controls: [String]) -> [String] {
      var cells = [look.light.isEmpty ? "-" : look.light]
      cells += controls.map { name in look.settings[name].map { "\($0)" } ?? "-" }
      cells += look.codes.map { fixed($0, decimals: 2) }
      return cells + ["\(look.frames)"]
    }
  }
}
