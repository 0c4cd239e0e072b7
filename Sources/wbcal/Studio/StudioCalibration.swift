import CameraProfiles
import ColorScience
import WbcalFoundation
import WhiteBalance

/// The shots that were taken in a studio, and the result of all of them.
struct StudioCalibration: Sendable {
  /// A shot as pages show it.
  struct Shot: JSONRecord, Sendable {
    var light: String
    var `class`: String?
    /// The gains, the smallest of which is 1.
    var gains: Gains?
    var remark: String?
  }

  private struct Taken: Sendable {
    /// The index in the series.
    var index: Int
    var light: Light
    var lightClass: LightClass?
  }

  @Indirect private var series: CardSeries?
  private var taken: [Taken] = []
  private(set) var shots: [Shot] = []
  private(set) var advice = StudioAdvice()

  var isEmpty: Bool { taken.isEmpty }

  /// Returns the command that takes the same shots.
  func command(_ device: String, output: String) -> ShellWords {
    var words = ShellWords(["wbcal", "calibrate", "--device", device])
    for shot in taken { words.add("--light", shot.light.name) }
    words.add("--output", output)
    return words
  }

  /// Returns the calibration with one more shot, of the card that the camera sees.
  func adding(
    _ light: Light, _ lightClass: LightClass?, through session: CameraSession
  ) async throws -> StudioCalibration {
    var calibration = self
    var series = series ?? CardSeries(of: session.identity)
    let index = series.lights.count
    try await session.changeLight(to: light.name, LightChange(count: 1))
    Progress.shared.setSubject("under \(light.name)")
    defer { Progress.shared.setSubject(nil) }
    try await series.add(light, through: session)
    calibration.series = series
    calibration.taken.append(Taken(index: index, light: light, lightClass: lightClass))
    try calibration.judge()
    return calibration
  }

  /// Returns the calibration without a shot.
  ///
  /// - Throws: `StudioProblem` if there is no such shot.
  func removing(_ index: Int) throws -> StudioCalibration {
    guard taken.indices.contains(index) else {
      throw StudioProblem.usage(
        taken.isEmpty
          ? "there is no shot" : "there is no shot \(index); the shots are 0 to \(taken.count - 1)")
    }
    var calibration = self
    calibration.taken.remove(at: index)
    if calibration.taken.isEmpty { return StudioCalibration() }
    try calibration.judge()
    return calibration
  }

  /// Returns the profile that the shots make, together with the shots of a former profile of the
  /// same camera.
  ///
  /// - Parameter written: shots that the former profile may already have from this calibration.
  func profile(
    adding former: CameraProfile? = nil, written: Set<CalibrationShot> = []
  ) throws -> CameraProfile {
    guard let (found, cards) = try cards() else {
      throw StudioProblem(
        422, "bad-data", .badData, "there is no shot yet; light the card and take one")
    }
    let others = former?.calibration?.cards.filter { !written.contains($0) } ?? []
    var profile = try Calibrate.profile(
      cards: others + cards, charts: former?.calibration?.charts ?? [])
    profile.device = found.identity
    profile.pictures = former?.pictures
    (profile.laws, profile.exposure) = (found.laws, found.exposure)
    profile.transfer = found.transfer
    profile.flatFields = former?.flatFields ?? []
    return profile
  }

  private func cards() throws -> (CameraShots, [CalibrationShot])? {
    guard let series, !taken.isEmpty else { return nil }
    let found = try series.finished()
    return (
      found,
      try taken.map { taken in
        let shot = found.shots[taken.index]
        return try CalibrationShot(
          light: shot.light, response: shot.response, lightClass: taken.lightClass,
          noise: shot.noise, source: shot.source)
      }
    )
  }

  /// Updates the description of the shots, and the advice on the next one.
  private mutating func judge() throws {
    guard let (found, cards) = try cards(),
      let calibration = try Calibrate.profile(cards: cards).calibration
    else { return }
    shots = zip(taken, calibration.shots).map { taken, fitted in
      Shot(
        light: taken.light.name, class: taken.lightClass?.rawValue,
        gains: Gains(neutralizing: fitted.shot.response), remark: fitted.plainRemark)
    }
    advice = StudioAdvice(calibration, through: found.laws)
  }
}
