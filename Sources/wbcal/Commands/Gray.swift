import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct Gray: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the gray card in front of the camera neutral, and lock the white balance.",
    discussion: """
      Moves the controls a little to measure their effect on the card, then step by
      step to neutral, and locks the white balance there. No --profile is needed, but
      one saves steps, and adds the gains and the light to the result. The setting of
      a real camera is stored for 'wbcal restore'. Gains are scaled so that the
      smallest is 1; JSON also has them with green 1.

      Not every camera can do this: a temperature or a menu of lights cannot correct a
      green or magenta tint. The camera then stays at the setting nearest to neutral.
      If the card differs from neutral by more than --limit, the exit code is 65.

        wbcal gray --device simulated:light=FL11
        wbcal gray --device simulated:light=FL11 --profile desk.json
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(help: "The largest accepted difference from neutral (CIEDE2000).")
  var limit = Neutrality.limit
  @OptionGroup var card: CardOptions
  @OptionGroup var recording: RecordOptions
  @Flag(help: "End as soon as the picture shows the setting, without checking that it stays.")
  var noWatch = false
  @Flag(help: "Store nothing for 'wbcal restore'.") var noStore = false
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    try forbid(!(limit >= 0 && limit.isFinite), "the limit must be a number from 0.")
  }

  func execute() async throws {
    let profile = try profile.map { try CameraProfile(source: $0) }
    let outcome = try await CameraSession.with(
      device, card: card, profile: profile, for: .setting,
      recording: try recording.recording(of: device)
    ) { session in
      if noWatch { session.endWhenSeen() }
      let neutral = try await Self.neutralize(session)
      if !noStore { await session.keep(neutral.applied, by: session.knownLaws) }
      let outcome = self.outcome(neutral, session.lightProfile)
      NearestNeutral.note(
        outcome.failure == nil ? nil : neutral.applied.residualGains, at: neutral.applied.values,
        of: session.identity)
      return outcome
    }
    try show(outcome.applied, light: outcome.light, residual: outcome.residual, json: json)
    if let failure = outcome.failure { throw failure }
  }

  /// Makes the card neutral, and leaves the camera's controls there.
  static func neutralize(_ session: CameraSession) async throws -> CardBalance {
    try await session.withExposedCard { try await session.neutralizedCard() }
  }

  /// The result of making the card neutral.
  struct Outcome {
    var applied: AppliedWhiteBalance
    var light: LightReading?
    var residual: Neutrality?
    /// Set if the difference exceeds the limit.
    var failure: Failure?
  }

  func outcome(_ neutral: CardBalance, _ profile: CameraProfile?) -> Outcome {
    var outcome = Outcome(applied: neutral.applied)
    outcome.light = neutral.response.flatMap { Gains(neutralizing: $0) }
      .flatMap { profile?.reliableReading(of: $0) }
    outcome.residual = Neutrality(of: neutral.estimate.response)
    guard let residual = outcome.residual, residual.ciede2000 > limit else { return outcome }
    let controls = neutral.applied.values.map(\.id.rawValue).joined(separator: " and ")
    outcome.failure = .badData(
      "the card is \(residual.text) from neutral, above the limit of \(shortNumber(limit)), and "
        + "\(controls) cannot reduce it; the camera keeps this setting. Apply the gains "
        + "\(neutral.applied.residualGains.argument) to its pictures, use another lamp, or correct the "
        + "tint with a filter")
    return outcome
  }
}
