import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import WhiteBalance

func lamp(_ name: String) -> MeasuredLamp {
  guard let lamp = MeasuredLamp(named: name) else {
    preconditionFailure("there is no lamp \(name)")
  }
  return lamp
}

/// Calibrates one camera with the tool, sets its white balance under three lights, and compares the
/// result with the truth.
struct ChainRun {
  static let lights = ["A", "D65", "D50"]
  /// The largest CIEDE2000 from neutral that counts as right, and the accepted excess over the
  /// smallest possible one.
  static let limits = [0.5, 0.5, 1.0]
  static let margin = 0.15
  /// The time in seconds after which a command counts as hanging.
  static let patience = 120

  let chain: RandomChain
  private let tool: String
  /// The run's temporary folder.
  private let folder: URL
  private var row = Row()

  /// The true state of a simulated camera, as the tool writes it.
  private struct Truth: Decodable {
    var frames: Int
    var gains: [Double]?
    var later: [[Double]]
  }

  static func row(of seed: Int, tool: String, in work: URL) throws -> Row {
    var run = ChainRun(seed: seed, tool: tool, work: work)
    try FileManager.default.createDirectory(
      at: run.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: run.folder) }
    let start = ContinuousClock.now
    try run.judge()
    run.row.seconds = (ContinuousClock.now - start) / .seconds(1)
    return run.row
  }

  private init(seed: Int, tool: String, work: URL) {
    chain = RandomChain(seed: UInt64(seed))
    self.tool = tool
    folder = work.appending(path: "\(seed)")
    row.seed = seed
    (row.fault, row.controls, row.flickers) = (
      chain.fault.rawValue, chain.controls, chain.flickersVisibly
    )
    row.reaches = chain.reaches("A") && chain.reaches("D65")
    row.best = Self.lights.map { chain.best(under: lamp($0)).difference }
    row.description = chain.description
  }

  private mutating func judge() throws {
    let lights = Self.lights.prefix(2).flatMap { ["--light", $0] }
    let calibration = try run(
      "calibrate", light: nil,
      lights + ["-o", path("profile.json")])
    row.frames = calibration.truth?.frames
    guard note(calibration, stage: "calibrate") else { return }
    try judgeStatedErrors()
    var worst: (outcome: Outcome, stage: String, reason: String)?
    for (index, light) in Self.lights.enumerated() {
      let result = try run(
        "set", light: light, ["--profile", path("profile.json"), "--light", light])
      guard result.status == 0 else {
        if worst == nil || worst?.outcome == .wrongAsSaid {
          _ = note(result, stage: "set \(light)")
          worst = (row.outcome, row.stage, row.reason)
          if row.outcome == .hang || row.outcome == .crash { return }
        }
        continue
      }
      guard let difference = difference(result.truth, under: light) else { continue }
      row.differences[index] = difference
      if difference > Self.limits[index], difference > row.best[index] + Self.margin {
        let isSaid = difference <= 1.96 * result.expected
        if isSaid ? worst == nil : worst?.outcome != .wrong {
          worst = (
            isSaid ? .wrongAsSaid : .wrong, "set \(light)", "\(fixed(difference, 2)) from neutral"
          )
        }
      }
    }
    if let worst { (row.outcome, row.stage, row.reason) = worst }
  }

  /// Records the reason for the failure of a command: a refusal, a hang or a crash.
  ///
  /// - Returns: `true` if it succeeded.
  private mutating func note(_ result: CommandResult, stage: String) -> Bool {
    guard result.status != 0 else { return true }
    row.stage = stage
    row.reason = result.message
    row.outcome =
      switch result.status {
      case 124, 137: .hang
      case 128...: .crash
      case 70: .crash
      default: chain.refusal(result.message)
      }
    return false
  }

  /// Returns the largest difference of the card from neutral, from the last frame of a command on.
  private func difference(_ truth: Truth?, under light: String) -> Double? {
    guard let truth else { return nil }
    // Slow gains take effect after the last frame of the command.
    return truth.later.map {
      chain.differenceFromNeutral(Gains(SIMD3($0[0], $0[1], $0[2])), under: lamp(light))
    }.max()
  }

  // MARK: Stated errors

  /// Compares stated gains with the true ones at settings that were not measured, both relative to
  /// those at the profile's reference.
  private mutating func judgeStatedErrors() throws {
    let data = try Data(contentsOf: folder.appending(path: "profile.json"))
    guard let laws = try JSONDecoder().decode(CameraProfile.self, from: data).laws else { return }
    let reference = chain.gains(at: laws.reference).relativeToGreen
    for settings in settings() {
      let said = laws.gains(at: settings)
      let (red, blue) = said.relativeToGreen
      guard red > 0, blue > 0, red.isFinite, blue.isFinite else { continue }
      let errors = laws.covariance(of: said).standardErrors
      let truth = chain.gains(at: settings).relativeToGreen
      for (said, truth, error) in [
        (red, truth.red / reference.red, errors.red),
        (blue, truth.blue / reference.blue, errors.blue),
      ] {
        let off = abs(logarithm(said / truth))
        row.stated += 1
        if off <= 1.96 * error { row.inside += 1 }
        row.worstGain = max(row.worstGain, off)
      }
    }
  }

  /// Returns six settings between and up to 25 % around those of both lights, two of them in
  /// corners without a lamp.
  private func settings() -> [[ControlValue]] {
    var random = SplitMix64(state: chain.seed ^ 0x57A7ED)
    let ends = Self.lights.prefix(2).map { chain.neutralGains(under: lamp($0)) }
    func place(_ channel: KeyPath<Gains, Double>, _ share: Double) -> Double {
      let logs = ends.map { logarithm($0[keyPath: channel]) }.sorted()
      let around = logarithm(1.25)
      return exponential(logs[0] - around + share * (logs[1] - logs[0] + 2 * around))
    }
    let corners = [(0.1, 0.1), (0.9, 0.9)]
    let shares = corners + (0..<4).map { _ in (random.uniform(), random.uniform()) }
    return shares.map { red, blue in
      chain.settings(for: Gains(red: place(\.red, red), blue: place(\.blue, blue)))
    }
  }

  // MARK: Commands

  private struct CommandResult {
    var status: Int32
    /// The last line of its output.
    var message: String
    /// The stated standard error of the card's CIEDE2000 from neutral.
    var expected = 0.0
    var truth: Truth?
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func run(
    _ command: String, light: String?, _ arguments: [String]
  ) throws -> CommandResult {
    let truth = folder.appending(path: "truth.json")
    try? FileManager.default.removeItem(at: truth)
    let said = folder.appending(path: "said")
    try Data().write(to: said)
    let output = try FileHandle(forWritingTo: said)
    defer { try? output.close() }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    let device =
      "simulated:chain=\(chain.seed),truth=\(truth.path)"
      // A one-time fault has already happened during the calibration.
      + (light.map { ",past=1,light=\($0)" } ?? "")
    process.arguments =
      ["-k", "5", "\(Self.patience)", tool, command, "--device", device] + arguments
    process.environment = ["XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"]
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: said), as: UTF8.self)
    let last = text.split(separator: "\n").last { $0.hasPrefix("wbcal: ") }.map(String.init) ?? ""
    return CommandResult(
      status: process.terminationReason == .exit ? process.terminationStatus : 255,
      message: last.replacing("wbcal: ", with: "").replacing(". Nothing was saved.", with: ""),
      expected: Self.number(after: "is expected CIEDE2000 ", in: text) ?? 0,
      truth: (try? Data(contentsOf: truth)).flatMap {
        try? JSONDecoder().decode(Truth.self, from: $0)
      })
  }

  private static func number(after words: String, in text: String) -> Double? {
    guard let range = text.firstRange(of: words) else { return nil }
    return Double(text[range.upperBound...].prefix { $0.isNumber || $0 == "." })
  }
}
