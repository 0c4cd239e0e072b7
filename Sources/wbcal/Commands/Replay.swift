import CameraProfiles
import ColorScience
import WbcalArguments

struct Replay: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Analyze a recording of a camera.",
    discussion: """
      A recording, which --record of the camera's commands writes, contains every
      setting and the values of the gray card in every frame, and nothing else of the
      scene. The command prints the camera, its latency in frames, and each setting
      that settled, with the mean codes of the card on a scale from 0 to 255; then the
      results of one model of the camera that is fitted to all of these. A recorded
      camera can be set like any other: --device recorded:FILE shows its card by that
      model.

        wbcal calibrate --device simulated --light A --light D65 -o desk.json \\
          --record desk.jsonl
        wbcal replay desk.jsonl
        wbcal gray --device recorded:desk.jsonl
      """)

  @Argument(help: "The recording.", completion: .file(extensions: ["jsonl"])) var file: String
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let recording = try CameraRecording(path: file)
    let record = Record(recording)
    if json { return try printJSON(record) }
    try StandardOutput.line(record.text)
  }

  /// The contents of a recording.
  struct Record: JSONRecord {
    struct Look: JSONRecord {
      var light: String
      var settings: [String: Int]
      var frames: Int
      var firstFrame: Int
      var codes: SIMD3<Double>
      var errors: SIMD3<Double>
      var clipped: SIMD3<Double>
    }

    var camera: CameraIdentity
    var lights: [String]
    var frames: Int
    var refused: Int
    var latency: Int?
    var looks: [Look]
    var model: Model?

    /// The result of one model of the camera that is fitted to all looks.
    struct Model: JSONRecord {
      var law: String
      var mixing: String
      var floor: Double
      var error: Double
      var doubts: [String]
      var fault: String?
      var probability: Double?

      init?(_ fit: ModelFit) {
        guard let family = fit.family else { return nil }
        (law, mixing) = ("\(family.law)", "\(family.mixing)")
        (floor, error) = (fit.floor, fit.statedError)
        doubts = fit.doubts.map(\.sentence)
        if doubts.isEmpty { return }
        let diagnosis = fit.diagnose().mostProbable
        (fault, probability) = (diagnosis.fault.name, diagnosis.probability)
      }

      var text: String {
        var lines = [
          "one model of all: law \(law), mixing \(mixing); its residual is \(shortNumber(floor)) "
            + "of 255 codes, gains are known to \(shortNumber(100 * error)) %"
        ]
        lines += doubts.map { "not reliable: \($0)" }
        if let fault, let probability {
          lines.append("most probable: \(fault) (\(shortNumber(100 * probability)) %)")
        }
        return lines.joined(separator: "\n")
      }
    }

    init(_ recording: CameraRecording) {
      let lights = recording.lights
      self.lights = lights
      camera = recording.camera.identity
      frames = recording.events.count { if case .frame = $0 { true } else { false } }
      refused = recording.events.count { if case .refused = $0 { true } else { false } }
      latency = recording.latency
      let looks = recording.looks()
      model = recording.fittedModel(to: looks).flatMap { Model($0.fit) }
      // Settings that never change are left out.
      let moved = Set(
        looks.flatMap(\.observation.settings.keys).filter { id in
          Set(looks.map { $0.observation.settings[id] }).count > 1
        })
      self.looks = looks.map { look in
        let card = look.observation
        return Look(
          light: lights[card.lamp],
          settings: Dictionary(
            card.settings.filter { moved.contains($0.key) }.map { ($0.key.rawValue, $0.value) },
            uniquingKeysWith: { $1 }),
          frames: look.frames, firstFrame: look.firstFrame, codes: card.codes, errors: card.errors,
          clipped: card.clipped)
      }
    }

    var text: String {
      var lines = ["\(camera.name) (\(camera.id)), driver \(camera.driver)"]
      lines.append(
        "frames \(frames), settled settings \(looks.count)"
          + (refused > 0 ? ", refused \(refused)" : "")
          + (latency.map { ", latency \($0) frames" } ?? ""))
      let names = Set(looks.flatMap(\.settings.keys)).sorted()
      let rows = looks.map { look in row(of: look, names) }
      lines.append(
        columns([["light"] + names + ["red", "green", "blue", "frames"]] + rows))
      if let model { lines.append(model.text) }
      return lines.joined(separator: "\n")
    }

    private func row(of look: Look, _ controls: [String]) -> [String] {
      var cells = [look.light.isEmpty ? "-" : look.light]
      cells += controls.map { name in look.settings[name].map { "\($0)" } ?? "-" }
      cells += (0..<3).map { fixed(look.codes[$0], decimals: 2) }
      return cells + ["\(look.frames)"]
    }
  }
}

extension ModelDoubt {
  /// The reason to distrust a fit.
  fileprivate var sentence: String {
    switch self {
    case .fewLooks(let least): "there are fewer than \(least) samples of the card"
    case .notMoved(let control): "\(control.rawValue) was not moved"
    case .noEffect(let control): "the picture does not change with \(control.rawValue)"
    case .misfit(let codes):
      "no model describes the camera to better than \(shortNumber(codes)) codes"
    }
  }
}

extension FaultHypothesis {
  /// The fault, as a part of a sentence.
  fileprivate var name: String {
    switch self {
    case .none: "nothing went wrong"
    case .drift: "the color of the light drifted"
    case .hysteresis: "the effect of a control depends on its previous value"
    case .stairs: "a control moves in coarse steps"
    case .returns(let look): "the automatic mode came back at sample \(look + 1)"
    case .sceneChange(let look): "the light changed at sample \(look + 1)"
    case .unknown: "a fault that no model here describes"
    }
  }
}
