import CameraControl
import CameraProfiles
import WbcalFoundation
import WbcalReports
import WhiteBalance

extension StudioCamera {
  private static let keptUndoes = 50

  /// The actions that a controlling page may ask for.
  static let actions: Set = [
    "set", "gray", "exposure", "focus", "find", "estimate", "bracket", "calibrate/shot",
    "calibrate/remove", "calibrate/finish", "region", "undo", "keep", "before", "cancel", "adjust",
    "use",
  ]

  private struct Done: JSONRecord {
    var region: [Int]?
    var keep, cancelled, before: Bool?
    var profile, report: String?
    var shots: Int?
    var device: String?
    var controls: [String: Int]?
  }

  /// Performs an action for a controlling page.
  ///
  /// - Returns: one JSON object.
  /// - Throws: `StudioProblem`, or the errors of subcommands.
  func perform(_ name: String, _ body: StudioBody) async throws -> String {
    switch name {
    case "region": return try await setRegion(body)
    case "adjust": return try await adjust(body)
    case "use":
      try body.allow("device")
      try requireIdle()
      let device = try await listed(try body.text("device"))
      use(device)
      return try jsonLine(Done(device: device.text))
    case "keep":
      try body.allow("keep")
      keeps = try body.flag("keep") ?? true
      await publish()
      return try jsonLine(Done(keep: keeps))
    case "cancel":
      try body.allow()
      running?.task.cancel()
      return try jsonLine(Done(cancelled: running != nil))
    case "before":
      try body.allow()
      before = try await snapshot(width: Self.keptWidth)
      await publish()
      return try jsonLine(Done(before: true))
    case "calibrate/remove":
      try body.allow("shot")
      try requireIdle()
      guard let index = try body.integer("shot") else { throw StudioProblem.usage("name a 'shot'") }
      calibration = try calibration.removing(index)
      await publish()
      return try jsonLine(Done(shots: calibration.shots.count))
    case "calibrate/finish": return try await finish(body)
    case "calibrate/shot": return try await takeShot(body)
    case "undo":
      try body.allow("action")
      return try await undo(try body.text("action"))
    default:
      guard let action = try StudioAction.named(name, body, context) else {
        throw StudioProblem(
          404, "usage", .usage, "there is no action '\(printable(name))'")
      }
      return try await run(action).json
    }
  }

  private func setRegion(_ body: StudioBody) async throws -> String {
    try body.allow("region")
    let region = try body.region()
    if let region {
      // The picture's size is known only while the camera is open.
      beginLooking()
      defer { endLooking() }
      if facts.size == nil { _ = try await openSession() }
      let size = facts.size ?? [0, 0]
      guard region.x + region.width <= size[0], region.y + region.height <= size[1] else {
        throw StudioProblem(FrameError.region(region, width: size[0], height: size[1]))
      }
    }
    self.region = region
    readings.set(setup, isNew: false)
    await publish()
    return try jsonLine(Done(region: region.map { [$0.x, $0.y, $0.width, $0.height] }))
  }

  /// Returns the next frame as a JPEG file.
  func snapshot(width: Int) async throws -> [UInt8] {
    beginLooking()
    defer { endLooking() }
    _ = try await openSession()
    guard let jpeg = await pictures.next(width: width), !jpeg.isEmpty else {
      throw StudioProblem(503, "unavailable", .unavailable, "there is no picture")
    }
    return jpeg
  }

  private func requireIdle() throws(StudioProblem) {
    guard let busyWith else { return }
    throw StudioProblem(
      409, "busy", .tryAgain, "'\(busyWith)' is running; wait for it, or cancel it")
  }

  /// Runs an action while no other one runs, and restores the camera's settings if it fails.
  @discardableResult func run(_ action: StudioAction) async throws -> StudioResult {
    try requireIdle()
    busyWith = action.name
    beginLooking()
    reporter.begin(action.name)
    await publish()
    let result: Result<StudioResult, any Error>
    do { result = .success(try await attempt(action)) } catch { result = .failure(error) }
    Progress.shared.show(nil)
    (running, busyWith) = (nil, nil)
    endLooking()
    switch result {
    case .success: reporter.end(action.name, "done", "")
    case .failure(let error):
      let problem = StudioProblem(error)
      reporter.end(
        action.name, problem.error == "cancelled" ? "cancelled" : "failed",
        problem.reasons.joined(separator: " "))
    }
    await refresh()
    return try result.get()
  }

  private func attempt(_ action: StudioAction) async throws -> StudioResult {
    let session = try await openSession()
    if action.name != "set" { endSlide() }
    let before = try await settings(of: session)
    let task = Task { try await action.work(session) }
    running = Running(name: action.name, task: task)
    let outcome = await task.result
    let result: StudioResult
    switch outcome {
    case .success(let value): result = value
    case .failure(let error):
      try? await session.camera.restore(before)
      beforeSlide = nil
      throw error
    }
    switch action.effect {
    case .none, .undoes: break
    case .borrows: try await session.camera.restore(before)
    case .sets: try await note(result, action, before, session)
    }
    if let command = action.command { reporter.log(command) }
    // From now on, what the action found out about the camera is used.
    if self.session != nil {
      use(session.reading(try context.card(nil), profile: profile?.profile))
    }
    return result
  }

  private func note(
    _ result: StudioResult, _ action: StudioAction, _ before: [ControlValue],
    _ session: CameraSession
  ) async throws {
    beforeSlide = nil
    remember(Undo(action: action.name, settings: before))
    neutral = result.neutral
    if result.applied != nil { lastResult = result }
    if ["exposure", "focus"].contains(action.name) {
      hasExposed = true
    } else {
      shown = result.setting
    }
    let held = result.laws?.fixedSettings.map(\.id) ?? []
    lastSettings = try await session.camera.colorSettings(
      of: ControlID.balanceSettings + ControlID.lens + held)
  }

  private func remember(_ undo: Undo) {
    undoes.append(undo)
    if undoes.count > Self.keptUndoes { undoes.removeFirst() }
  }

  // MARK: Sliders

  /// Returns the settings to which an action that fails or is undone returns: those before the
  /// slider was moved, if it was.
  private func settings(of session: CameraSession) async throws -> [ControlValue] {
    if let beforeSlide { return beforeSlide }
    return try await session.camera.settings()
  }

  /// Makes what a slider has set a change of its own, if nothing has verified it.
  private func endSlide() {
    guard let settings = beforeSlide else { return }
    beforeSlide = nil
    remember(Undo(action: "set", settings: settings))
  }

  /// Sets the white balance while a slider is moved, without verifying the picture. All such
  /// settings and the `set` that follows are one change, which is undone at once.
  private func adjust(_ body: StudioBody) async throws -> String {
    let wanted = try StudioAction.balance(body, context)
    beginLooking()
    defer { endLooking() }
    let session = try await openSession()
    try requireIdle()
    busyWith = "adjust"
    defer { busyWith = nil }
    let before = try await settings(of: session)
    let values = try await wanted.set(through: session, profile?.profile)
    let isFirst = beforeSlide == nil
    beforeSlide = before
    (shown, neutral, lastResult) = (nil, nil, nil)
    if isFirst {
      readings.set(setup, isNew: false)
      await publish()
    }
    return try jsonLine(Done(controls: values.byName))
  }

  /// - Parameter named: the action to undo; `nil` for the last one, whatever it is.
  private func undo(_ named: String?) async throws -> String {
    try requireIdle()
    endSlide()
    guard let last = undoes.last else {
      throw StudioProblem(409, "refused", .badData, "there is no setting to undo")
    }
    guard named == nil || named == last.action else {
      throw StudioProblem(
        409, "refused", .badData, "'\(last.action)' was set later, and must be undone first")
    }
    let before = last.settings
    let action = StudioAction(name: "undo", command: nil, effect: .undoes) { session in
      let camera = session.camera
      try await camera.restore(before)
      let mode = try await camera.whiteBalanceMode
      return StudioResult(
        json: try jsonLine(
          SetBalance.ModeRecord(
            mode: mode.rawValue, controls: try await camera.settings().byName)))
    }
    let result = try await run(action)
    undoes.removeLast()
    (shown, lastResult, neutral) = (nil, nil, nil)
    readings.set(setup, isNew: false)
    await publish()
    return result.json
  }

  // MARK: Calibrating

  private func takeShot(_ body: StudioBody) async throws -> String {
    try body.allow("light", "class", "region")
    guard let name = try body.text("light"), !name.hasPrefix("spd:") else {
      throw StudioProblem.usage("name the 'light' on the card, such as A, D65 or 2856K")
    }
    let light: Light
    light = try Light(argument: name, folder: nil)
    var lightClass: LightClass?
    if let text = try body.text("class") {
      guard let named = LightClass(rawValue: text) else {
        throw StudioProblem.usage(
          "the 'class' must be one of "
            + LightClass.allCases.map(\.rawValue).joined(separator: ", "))
      }
      lightClass = named
    }
    let card = try context.card(try body.region())
    let old = calibration
    let new = StudioCalibrationBox()
    // No profile is used, as in `wbcal calibrate`, for which the camera is not known yet.
    let action = StudioAction(
      name: "calibrate/shot", command: nil, effect: .borrows
    ) { [lightClass] session in
      let calibration = try await old.adding(
        light, lightClass, through: session.reading(card, profile: nil))
      await new.set(calibration)
      return StudioResult(json: "")
    }
    try await run(action)
    if let taken = await new.calibration { calibration = taken }
    await publish()
    guard let shot = calibration.shots.last else { throw CameraError.cancelled }
    return try jsonLine(shot)
  }

  private func finish(_ body: StudioBody) async throws -> String {
    try body.allow("output", "replace")
    try requireIdle()
    guard let name = try body.text("output"), name.hasSuffix(".json") else {
      throw StudioProblem.usage("'output' must be the profile's name, such as desk.json")
    }
    _ = try StudioFolder.contentType(of: name)
    let report = name.dropLast(".json".count) + ".html"
    let isReplaced = try body.flag("replace") ?? false
    let former = isReplaced ? nil : try formerProfile(in: name, report: String(report))
    let made = try calibration.profile(adding: former, written: writtenShots)
    guard let fitted = made.calibration else { throw CameraError.cancelled }
    let page = Report.page(of: made, fitted, named: name)
    try folder.write(name, Array(try made.json()))
    try folder.write(String(report), Array(page.utf8))
    writtenShots.formUnion(try calibration.profile().calibration?.cards ?? [])
    let path = folder.path(of: name)
    profile = StudioProfile(name: name, path: path, profile: made)
    reporter.log(calibration.command(device.text, output: path))
    if let session { use(session.reading(try context.card(nil), profile: made)) }
    await refresh()
    return try jsonLine(
      Done(profile: name, report: String(report), shots: fitted.shots.count))
  }

  /// Returns the profile that shots are added to: the existing file of its name, if it is of this
  /// camera.
  ///
  /// - Throws: `StudioProblem` if the file is something else, and the page has to ask the user.
  private func formerProfile(in name: String, report: String) throws -> CameraProfile? {
    if let page = try folder.contents(of: report), !CalibrationReport.isOne(page) {
      throw StudioProblem.exists("\(report) already exists, and is not the report of a profile.")
    }
    guard let bytes = try folder.contents(of: name) else { return nil }
    guard let former = try? CameraProfile(Data(bytes), path: name) else {
      throw StudioProblem.exists("\(name) already exists, and is not a profile.")
    }
    guard former.calibration != nil else {
      throw StudioProblem.exists(
        "\(name) already exists, and was imported: it has no shots to add to.")
    }
    if let device = former.device, device.id != facts.identity?.id {
      throw StudioProblem.exists("\(name) is the profile of another camera, \(device.name).")
    }
    return former
  }
}

/// A place where an action stores the calibration that it has made.
actor StudioCalibrationBox {
  private(set) var calibration: StudioCalibration?
  func set(_ calibration: StudioCalibration) { self.calibration = calibration }
}
