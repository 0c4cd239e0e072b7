import CameraControl
import CameraProfiles
import WbcalArguments
import WhiteBalance

/// The white balance that a page asks for.
indirect enum StudioBalance: Sendable {
  /// By a command, with the words that run it.
  case command(SetBalance, ShellWords)
  /// By the camera's own controls, by name, which needs no profile.
  case controls([String: Int])

  /// Sets it without verifying the picture, and returns the values of the controls.
  ///
  /// - Throws: `StudioProblem` if that is not possible before the controls are measured.
  func set(
    through session: CameraSession, _ profile: CameraProfile?
  ) async throws -> [ControlValue] {
    switch self {
    case .controls(let named):
      let values = try await session.balanceValues(named)
      try await session.sendBalance(values)
      return values
    case .command(let command, _):
      guard let wanted = try command.light.chosenGains(profile) else {
        throw StudioProblem.usage("a mode is set by 'set'")
      }
      guard let laws = session.knownLaws else {
        throw StudioProblem(
          409, "not-measured", .tryAgain,
          "the camera's controls are not measured yet; the first 'set' measures them")
      }
      return try await ProbedCamera(session.camera, laws: laws).set(wanted.gains).values
    }
  }
}

extension StudioAction {
  /// Reads the white balance that the body of `set` and of `adjust` asks for.
  static func balance(_ body: StudioBody, _ context: Context) throws -> StudioBalance {
    try body.allow(
      "temperature", "tint", "xy", "light", "preset", "gains", "mode", "class", "controls")
    if let named = try body.integers("controls") {
      try body.allow("controls")
      return .controls(named)
    }
    let isGiven = try body.text("mode") != nil || body.numbers("gains", count: 3) != nil
    guard isGiven || context.profile != nil else {
      throw StudioProblem.usage(
        "a light needs a profile of this camera: calibrate it, or set 'gains', 'controls' or a "
          + "'mode'")
    }
    var words = context.words("set")
    for key in ["temperature", "tint"] {
      if let value = try body.number(key) { words.add("--\(key)", ShellWords.number(value)) }
    }
    for (key, count) in [("xy", 2), ("gains", 3)] {
      if let values = try body.numbers(key, count: count) {
        words.add("--\(key)", ShellWords.numbers(values))
      }
    }
    for key in ["light", "preset", "mode", "class"] {
      if let text = try body.text(key) { words.add("--\(key)", text) }
    }
    try refuseFiles(body)
    return .command(try SetBalance.parse(words.arguments), words)
  }
}
