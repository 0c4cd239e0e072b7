import Foundation
import SimulatedCamera

/// The output of a guest of the camera lab for one camera, in lines of a word and a value.
struct LabRun {
  private(set) var row = Row()
  private var attempts: [Attempt] = []

  private struct Attempt {
    var name: String
    var status: Int32 = 124
    var frames: Int?
    var expected = 0.0
    var message = ""
    var neutral: Double?
    var best = 0.0
  }

  /// Returns the rows of all guests, each of which has a folder named after its seed.
  static func rows(in folder: URL) throws -> [Row] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.compactMap { Int($0) }.sorted().map { seed in
      let file = folder.appending(path: "\(seed)/said")
      return LabRun(seed: seed, said: try String(contentsOf: file, encoding: .utf8)).row
    }
  }

  private init(seed: Int, said: String) {
    row.seed = seed
    var isComplete = false
    for line in said.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let value = words.count > 1 ? words[1] : ""
      if words.first == "end" { isComplete = true }
      note(words.first ?? "", value)
    }
    judge(isComplete)
  }

  private mutating func note(_ word: String, _ value: String) {
    let last = attempts.count - 1
    switch word {
    case "camera": row.description = value
    case "fault": row.fault = value
    case "controls": row.controls = value
    case "flickers": row.flickers = value == "1"
    case "attempt": attempts.append(Attempt(name: value))
    case "seconds": row.seconds += Double(value) ?? 0
    case "status" where last >= 0: attempts[last].status = Int32(value) ?? 124
    case "frames" where last >= 0: attempts[last].frames = Int(value)
    case "expected" where last >= 0: attempts[last].expected = Double(value) ?? 0
    case "message" where last >= 0: attempts[last].message = value
    case "neutral" where last >= 0: attempts[last].neutral = Double(value)
    case "best" where last >= 0: attempts[last].best = Double(value) ?? 0
    default: break
    }
  }

  /// The parts of messages that name a true defect.
  private var trueReasons: [String] {
    (RandomFault(rawValue: row.fault)?.names ?? []) + (row.flickers ? flickerNames : [])
      + (row.description.contains("--flat") ? reachNames : [])
  }

  private mutating func judge(_ isComplete: Bool) {
    row.frames = attempts.first?.frames
    for attempt in attempts {
      let outcome = outcome(of: attempt)
      if let index = ChainRun.lights.firstIndex(where: { attempt.name == "set \($0)" }) {
        (row.differences[index], row.best[index]) = (attempt.neutral, attempt.best)
      }
      guard outcome != .right else { continue }
      // A wrong result outweighs a refusal.
      if row.outcome == .right || outcome == .wrong {
        (row.outcome, row.stage) = (outcome, attempt.name)
        row.reason =
          attempt.message.isEmpty
          ? attempt.neutral.map { "\(fixed($0, 2)) from neutral" } ?? "" : attempt.message
      }
    }
    if !isComplete, row.outcome == .right { (row.outcome, row.stage) = (.hang, "the guest") }
  }

  private func outcome(of attempt: Attempt) -> Outcome {
    switch attempt.status {
    case 0:
      let index = ChainRun.lights.firstIndex { attempt.name == "set \($0)" }
      guard let index, let neutral = attempt.neutral else { return .right }
      if neutral <= ChainRun.limits[index] || neutral <= attempt.best + ChainRun.margin {
        return .right
      }
      return neutral <= 1.96 * attempt.expected ? .wrongAsSaid : .wrong
    case 124, 137, 143: return .hang
    case 70, 128...: return .crash
    default:
      let message = attempt.message
      if trueReasons.contains(where: message.contains) { return .trulyRefused }
      return row.fault == "none" ? .refusedInVain : .falselyRefused
    }
  }
}
