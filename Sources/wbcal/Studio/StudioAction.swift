import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

/// The result of an action.
struct StudioResult: Sendable {
  /// One JSON object.
  var json: String
  /// The setting, for readings.
  var setting: StudioReading.Setting?
  /// The values for `wbcal restore`, if the camera's settings are kept.
  var applied: AppliedWhiteBalance?
  var laws: ControlLaws?
  /// The neutrality that was achieved, if a card was made neutral.
  var neutral: StudioNeutral?
}

/// A page's request to the camera.
struct StudioAction: Sendable {
  /// The effect of an action on the camera.
  enum Effect {
    /// The camera is only read.
    case none
    /// The settings are restored at the end.
    case borrows
    /// The settings stay until they are undone or the studio ends.
    case sets
    /// The settings from before an earlier action are restored.
    case undoes
  }

  var name: String
  /// The command that does the same.
  var command: ShellWords?
  var effect: Effect
  var work: @Sendable (CameraSession) async throws -> StudioResult

  /// The camera and the options for actions.
  struct Context: Sendable {
    var device: DeviceSpecification
    var profile: StudioProfile?
    var region: PixelRectangle?
    var folder: StudioFolder

    /// Returns a command for the camera with the options that all commands share.
    func words(_ command: String, withProfile: Bool = true) -> ShellWords {
      var words = ShellWords(["wbcal", command, "--device", device.text])
      if withProfile, let profile { words.add("--profile", profile.path) }
      return words
    }

    /// Returns the options of commands for the region of the card.
    func card(_ region: PixelRectangle?) throws -> CardOptions {
      var words = words("gray", withProfile: false)
      if let region = region ?? self.region { words.add(region) }
      return try Gray.parse(words.arguments).card
    }
  }
}

/// The profile in use, and its path.
struct StudioProfile: Sendable {
  var name: String
  var path: String
  var profile: CameraProfile
  var advice: StudioAdvice

  init(name: String, path: String, profile: CameraProfile) {
    (self.name, self.path, self.profile) = (name, path, profile)
    advice =
      profile.calibration.map { StudioAdvice($0, through: profile.laws) } ?? StudioAdvice()
  }
}

extension ShellWords {
  mutating func add(_ region: PixelRectangle) {
    add("--region", "\(GrayCardEstimator.Region.rectangle(region))")
  }
}

extension StudioAction {
  static func named(
    _ name: String, _ body: StudioBody, _ context: Context
  ) throws -> StudioAction? {
    switch name {
    case "set": try set(body, context)
    case "gray": try gray(body, context)
    case "exposure": try exposure(body, context)
    case "focus": try focus(body, context)
    case "find": try find(body, context)
    case "estimate": try estimate(body, context)
    case "bracket": try bracket(body, context)
    default: nil
    }
  }

  private static func set(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    switch try balance(body, context) {
    case .command(let command, let words): set(by: command, words, context)
    case .controls(let named): set(named)
    }
  }

  /// Sets the controls themselves, for which no command exists.
  private static func set(_ named: [String: Int]) -> StudioAction {
    StudioAction(name: "set", effect: .sets) { session in
      let values = try await session.balanceValues(named)
      guard let laws = session.knownLaws, laws.gains(at: values).arePositiveAndFinite else {
        try await session.setBalance(to: values)
        return StudioResult(
          json: try jsonLine(SetBalance.ModeRecord(mode: "locked", controls: values.byName)))
      }
      let (applied, _) = try await SetBalance.lock(session, at: laws.gains(at: values))
      let record = AppliedRecord(applied, residual: Neutrality(residual: applied.residualGains))
      return result(
        applied, laws, json: try jsonLine(record), session.lightProfile, asked: nil)
    }
  }

  private static func set(
    by command: SetBalance, _ words: ShellWords, _ context: Context
  ) -> StudioAction {
    let profile = context.profile?.profile
    return StudioAction(name: "set", command: words, effect: .sets) { session in
      if let mode = command.mode {
        let values = try await SetBalance.choose(mode, session)
        return StudioResult(
          json: try jsonLine(
            SetBalance.ModeRecord(mode: mode.rawValue, controls: values.byName)))
      }
      guard let wanted = try command.light.chosenGains(profile) else {
        throw StudioProblem.usage("name a light, gains, controls or a mode")
      }
      let (applied, laws) = try await SetBalance.lock(session, at: wanted.gains)
      let other = command.light.gains == nil ? session.otherCamera : nil
      let record = AppliedRecord(
        applied, residual: Neutrality(residual: applied.residualGains),
        expected: session.expectedCard(applied, wanted.covariance, by: laws),
        assumed: command.light.gains == nil ? profile?.calibration?.uncheckedLight : nil,
        otherCamera: other)
      let light = command.light
      let asked =
        try light.temperature.map { TemperatureAndTint(temperature: $0, tint: light.tint ?? 0) }
        ?? light.color(profile).flatMap { TemperatureAndTint($0) }
      return result(
        applied, laws, json: try jsonLine(record), session.lightProfile,
        try light.knownClass(profile), asked: asked)
    }
  }

  /// A page may only name files in the studio's folder.
  static func refuseFiles(_ body: StudioBody) throws(StudioProblem) {
    if try body.text("light")?.hasPrefix("spd:") == true {
      throw .usage("a light from a file is not supported here; use a name, or its x and y")
    }
  }

  private static func result(
    _ applied: AppliedWhiteBalance, _ laws: ControlLaws?, json: String, _ profile: CameraProfile?,
    _ lightClass: LightClass? = nil, asked: TemperatureAndTint?
  ) -> StudioResult {
    let reached = applied.gains.flatMap { gains in
      try? profile?.model.reading(of: gains, lightClass: lightClass)
    }
    return StudioResult(
      json: json,
      setting: .init(
        asked: .init(asked), applied: .init(reached),
        seen: applied.firstFrame.map { .init(frame: $0.sequence) }),
      applied: applied, laws: laws)
  }

  private static func gray(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("region")
    var words = context.words("gray")
    if let region = try body.region() ?? context.region { words.add(region) }
    let command = try Gray.parse(words.arguments)
    let profile = context.profile?.profile
    return StudioAction(name: "gray", command: words, effect: .sets) { session in
      let session = session.reading(command.card, profile: profile)
      let shown = try await session.camera.estimate(frames: 2)
      let outcome = command.outcome(try await Gray.neutralize(session), session.lightProfile)
      let record = AppliedRecord(outcome.applied, light: outcome.light, residual: outcome.residual)
      // The camera keeps the setting, so that this is an answer and not a failure.
      let json =
        try outcome.failure.map {
          try jsonLine(Joined(first: record, second: FailureRecord($0)))
        } ?? jsonLine(record)
      var result = result(
        outcome.applied, session.knownLaws, json: json, session.lightProfile, asked: nil)
      result.neutral = StudioNeutral(
        ciede2000: outcome.residual?.ciede2000, accepted: outcome.failure == nil,
        card: StudioNeutral.Card(shown.refusals))
      return result
    }
  }

  private static func exposure(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("duration", "gain", "compensation", "mode")
    var words = context.words("exposure")
    for (key, option) in [
      ("duration", "--duration"), ("gain", "--gain"), ("compensation", "--bias"),
    ] {
      if let value = try body.number(key) { words.add(option, ShellWords.number(value)) }
    }
    if let mode = try body.text("mode") { words.add("--mode", mode) }
    let command = try Exposure.parse(words.arguments)
    let isSetting = words.words.count > context.words("exposure").words.count
    return StudioAction(
      name: "exposure", command: words, effect: isSetting ? .sets : .none
    ) { session in
      StudioResult(json: try jsonLine(try await command.perform(session)))
    }
  }

  private static func focus(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("position", "sweep", "mode", "region")
    var words = context.words("focus", withProfile: false)
    if let position = try body.number("position") {
      words.add("--position", ShellWords.number(position))
    }
    if try body.flag("sweep") == true { words.words.append("--sweep") }
    if let mode = try body.text("mode") { words.add("--mode", mode) }
    let isSetting = words.words.count > 4
    if let region = try body.region() { words.add(region) }
    let command = try Focus.parse(words.arguments)
    return StudioAction(
      name: "focus", command: words, effect: isSetting ? .sets : .none
    ) { session in
      StudioResult(json: try jsonLine(try await command.perform(session)))
    }
  }

  private static func find(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("what")
    let what = try body.text("what") ?? "card"
    var words = context.words("find", withProfile: what != "chart")
    words.words.append(what)
    let command = try Find.parse(words.arguments)
    let profile = context.profile?.profile
    return StudioAction(name: "find", command: words, effect: .none) { session in
      Progress.shared.show("looking for the \(what)")
      let scene = try await Find.scene(of: session)
      if command.target == .chart {
        let found = try Find.chart(in: scene)
        return StudioResult(json: try jsonLine(ProposalRecord(found, file: scene.name)))
      }
      let (proposal, estimate) = try command.card(in: scene)
      return StudioResult(
        json: try jsonLine(command.record(proposal, estimate, in: scene, profile: profile)))
    }
  }

  private static func estimate(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("region")
    var words = context.words("estimate")
    if let region = try body.region() ?? context.region { words.add(region) }
    let command = try Estimate.parse(words.arguments)
    let profile = context.profile?.profile
    return StudioAction(name: "estimate", command: words, effect: .none) { session in
      let session = session.reading(command.picture.card, profile: profile)
      let card = try await Estimate.look(session)
      return StudioResult(json: try jsonLine(command.record(card, name: session.device.text)))
    }
  }

  private struct Pictures: JSONRecord { var pictures: [BracketCapture.Record] }

  private static func bracket(_ body: StudioBody, _ context: Context) throws -> StudioAction {
    try body.allow("count", "steps", "output", "replace")
    let count = try body.integer("count") ?? 1
    guard 1...99 ~= count else { throw StudioProblem.usage("'count' must be 1 to 99") }
    var words = context.words("bracket")
    let steps = try body.number("steps") ?? 0
    if steps != 0, count > 1 {
      let offsets = (0..<count).map { steps * (Double($0) - Double(count - 1) / 2) }
      words.words.append("--ev=" + ShellWords.numbers(offsets))
    } else {
      words.add("--count", "\(count)")
    }
    var arguments = words
    if var name = try body.text("output") {
      _ = try StudioFolder.contentType(of: name)
      if count > 1, !name.contains("{"), let dot = name.lastIndex(of: ".") {
        name.insert(contentsOf: steps != 0 ? "{ev}" : "-{index}", at: dot)
      }
      arguments.add("--output", name)
      words.add("--output", context.folder.path(of: name))
    }
    let command = try BracketCapture.parse(arguments.arguments)
    let folder = context.folder
    let isReplaced = try body.flag("replace") ?? false
    if !isReplaced, let there = try command.outputs.first(where: folder.has) {
      throw StudioProblem.exists("\(there) already exists.")
    }
    return StudioAction(name: "bracket", command: words, effect: .borrows) { session in
      var pictures: [BracketCapture.Record] = []
      try await command.perform(session) { name, bytes in
        try folder.write(name, bytes)
      } report: {
        pictures.append($0)
      }
      return StudioResult(json: try jsonLine(Pictures(pictures: pictures)))
    }
  }
}
