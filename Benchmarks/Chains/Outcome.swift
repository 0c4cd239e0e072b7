/// The outcome of calibrating a camera and setting its white balance under three lights.
enum Outcome: String, CaseIterable {
  /// The card is neutral under each light, or as near to it as the controls allow.
  case right
  /// The camera was refused, with its true defect as the reason.
  case trulyRefused = "truly refused"
  /// A camera with a fault was refused for another reason, or for a fault that does not prevent
  /// calibration.
  case falselyRefused = "falsely refused"
  /// A sound camera was refused.
  case refusedInVain = "refused in vain"
  /// The result was reported as done, but is wrong.
  case wrong = "confidently wrong"
  /// The result is wrong, but within 1.96 times its stated standard error.
  case wrongAsSaid = "wrong as it said"
  case hang, crash

  var isRefusal: Bool { [.trulyRefused, .falselyRefused, .refusedInVain].contains(self) }
}

/// One camera's line of the machine-readable table.
struct Row {
  var seed = 0
  /// The fault, or `none`.
  var fault = "none"
  /// The kind of the controls.
  var controls = ""
  var flickers = false
  /// Indicates whether the controls reach neutral under A and D65.
  var reaches = true
  var outcome = Outcome.right
  /// The command that determined the outcome, such as `calibrate` or `set D50`.
  var stage = ""
  /// The number of frames of `calibrate`; `nil` if it did not finish.
  var frames: Int?
  /// The time of all commands, in seconds.
  var seconds = 0.0
  /// The CIEDE2000 from neutral under A, D65 and D50; `nil` if nothing was set.
  var differences: [Double?] = [nil, nil, nil]
  /// The smallest differences that the controls allow.
  var best: [Double] = [0, 0, 0]
  /// The number of stated gains within 1.96 of their stated errors, the number of all, and the
  /// largest relative error.
  var inside = 0
  var stated = 0
  var worstGain = 0.0
  var reason = ""
  var description = ""

  static let header =
    "seed,fault,controls,flickers,reaches,outcome,stage,frames,seconds,A,D65,D50,bestA,bestD65,"
    + "bestD50,inside,stated,worst gain,reason,camera"

  /// The row as a line of the table.
  var line: String {
    func number(_ value: Double?) -> String { value.map { fixed($0, 3) } ?? "" }
    func text(_ value: String) -> String { value.replacing(",", with: ";") }
    let frames = frames.map { "\($0)" } ?? ""
    let fields =
      ["\(seed)", fault, controls, flickers ? "1" : "0", reaches ? "1" : "0", outcome.rawValue]
      + [stage, frames, number(seconds)] + differences.map(number) + best.map(number)
      + ["\(inside)", "\(stated)", fixed(worstGain, 4), text(reason), text(description)]
    return fields.joined(separator: ",")
  }

  init() {}

  /// Parses a line that was written before; `nil` if it is not a row.
  init?(line: Substring) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 20, let seed = Int(fields[0]), let outcome = Outcome(rawValue: fields[5])
    else { return nil }
    (self.seed, fault, controls, self.outcome) = (seed, fields[1], fields[2], outcome)
    (flickers, reaches, stage) = (fields[3] == "1", fields[4] == "1", fields[6])
    (frames, seconds) = (Int(fields[7]), Double(fields[8]) ?? 0)
    differences = fields[9...11].map { Double($0) }
    best = fields[12...14].map { Double($0) ?? 0 }
    (inside, stated) = (Int(fields[15]) ?? 0, Int(fields[16]) ?? 0)
    (worstGain, reason, description) = (Double(fields[17]) ?? 0, fields[18], fields[19])
  }

  /// The row's group in the table.
  var kind: String { fault == "none" ? flickers ? "sound, but flickers" : "sound" : fault }
}

/// Returns a number with a number of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite else { return "\(value)" }
  var factor = 1.0
  for _ in 0..<decimals { factor *= 10 }
  let scaled = Int((abs(value) * factor).rounded())
  let digits = String(scaled)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded }
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}
