import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

struct Match: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Match the color and brightness of a gray card in several cameras.",
    discussion: """
      All cameras must see the same card. All are made neutral at once, as by 'wbcal
      gray'; then their exposure times are adjusted until the card is equally bright
      in all of them, in linear light by each camera's tone curve. The brightness is
      that of the dimmest card after each camera has chosen its exposure; if some
      exposures cannot be set, that of the dimmest card of these cameras. A brighter
      camera whose exposure cannot be set keeps it, which is reported.

      CIEDE2000 is the difference between a camera's card and the neutral of that
      brightness. If a difference exceeds --limit, the exit code is 65, and gains to
      apply in software are printed; if the exposure cannot be set, only the color
      counts.

      The room is a file of all settings, for 'wbcal set --room'. To set a
      temperature, that needs the profile of each camera; profiles are assigned to
      their cameras automatically. Exposures and balances stay; those of real cameras
      are kept for 'wbcal restore'. If a camera fails, its settings are restored, it
      is omitted, and the exit code is that of its error; Ctrl-C restores all cameras.

        wbcal match --device usb-Left --device usb-Right -o room.json
        wbcal match --device simulated:controls=balances,light=A \\
          --device simulated:camera=nikon-d850,controls=bent,light=A -o room.json
        wbcal match --device usb-Left --device usb-Right --profile left.json \\
          --profile right.json -o room.json
      """)

  @Option(help: "A camera, as 'wbcal devices' lists it; repeat it for the others.")
  var device: [String] = []
  @Option(
    help: "The profile of one of the cameras; repeat it for others.", completion: .profile)
  var profile: [String] = []
  @Option(
    name: .shortAndLong, help: "The room to write; - for standard output.", completion: .json)
  var output: String
  @Option(help: "The largest accepted difference from the reference (CIEDE2000).")
  var limit = Neutrality.limit
  @OptionGroup var card: CardOptions
  @Flag(help: "Store nothing for 'wbcal restore'.") var noStore = false
  @Flag(help: "Write one JSON object per line.") var json = false

  func validate() throws {
    _ = try devices()
    try forbid(device.count < 2, "name at least two cameras, each with --device.")
    try forbid(!(limit >= 0 && limit.isFinite), "the limit must be a number from 0.")
  }

  private func devices() throws -> [DeviceSpecification] {
    try device.map { try DeviceSpecification(argument: $0) }
  }

  func execute() async throws {
    try refuse(output: output, over: profile)
    let given = try profile.map { (path: $0, profile: try CameraProfile(source: $0)) }
    let opened = try await CameraSession.openAll(devices(), for: .setting, card: card) {
      _, identity in
      given.first { $0.profile.device?.id == identity.id }?.profile
    }
    let sessions = opened.compactMap { try? $0.get() }
    try check(given, sessions, allAreOpen: sessions.count == opened.count)
    let matched = try await CameraSession.withAll(sessions) { try await match(opened) }
    try report(matched)
  }

  /// Refuses a camera that is listed twice, and a profile that does not belong to exactly one of
  /// the cameras.
  private func check(
    _ profiles: [(path: String, profile: CameraProfile)], _ sessions: [CameraSession],
    allAreOpen: Bool
  ) throws {
    for (first, second) in sessions.pairs where first.identity.id == second.identity.id {
      throw Failure.usage(
        "\(first.device.text) and \(second.device.text) are the same camera, "
          + "\(first.identity.id)")
    }
    for (first, second) in profiles.pairs
    where first.profile.device?.id == second.profile.device?.id {
      throw Failure.badData("\(first.path) and \(second.path) are profiles of the same camera")
    }
    for (path, profile) in profiles {
      guard let device = profile.device else {
        throw Failure.badData("\(path) does not state its camera")
      }
      // The profile may belong to a camera that could not be opened.
      if allAreOpen, !sessions.contains(where: { $0.identity.id == device.id }) {
        throw Failure.badData(
          "\(path) is the profile of \(device.name) (\(device.id)), not of one of these cameras"
        )
      }
    }
  }

  /// A camera that was matched.
  private struct Matched: Sendable {
    var match: CardMatch
    var member: Room.Member
    var level: Double

    /// The gains that correct the residual in software: the color, and the brightness too.
    var remainder: Gains { Gains(level / member.card.vector) }
    /// The CIEDE2000 difference from the neutral of the card's own brightness.
    var color: Double { Neutrality(of: member.card)?.ciede2000 ?? .infinity }
  }

  /// Matches cameras, writes the room of those that succeeded, and stores their settings.
  private func match(
    _ opened: [Result<CameraSession, Failure>]
  ) async throws -> [Result<Matched, Failure>] {
    let neutral = try await CameraSession.onEach(opened, of: \.self, "making the card neutral") {
      try await CardMatch(startingWith: $0)
    }
    // If no camera is left, there is no level, and it is not used.
    let level = CardMatch.commonLevel(neutral.compactMap { try? $0.get() }) ?? .nan
    let matched = try await CameraSession.onEach(
      neutral, of: \.session, "matching the brightness"
    ) {
      let match = try await $0.exposed(at: level)
      return Matched(match: match, member: try await match.member(level), level: level)
    }
    let done = matched.compactMap { try? $0.get() }
    if done.isEmpty { return matched }
    try Room(
      created: Date.now.formatted(.iso8601), generator: "wbcal \(Wbcal.version)",
      reference: LinearRGB(SIMD3(repeating: level)), cameras: done.map(\.member)
    ).write(to: output)
    for match in done.map(\.match) where !noStore {
      await match.session.keep(match.applied, by: match.session.knownLaws?.withGreenHeld)
    }
    return matched
  }

  private struct Record: JSONRecord {
    var device: String
    var identity: CameraIdentity
    var gains, gainsGreenOne: Gains?
    var controls, exposure: [String: Int]?
    var reference, level, before, after, color: Double?
    var remainder: Gains?
    /// The largest CIEDE2000 difference between any two cameras.
    var mutual: Double?

    init(_ matched: Matched, mutual: Double?) {
      let (applied, member) = (matched.match.applied, matched.member)
      device = member.device
      identity = member.identity
      (gains, gainsGreenOne) = (applied.gains, applied.gains?.greenOne)
      controls = member.whiteBalance.byName
      exposure = member.exposure.isEmpty ? nil : member.exposure.byName
      (reference, level) = (matched.level, member.card.green)
      (before, after, color) = (member.before, member.after, finite(matched.color))
      remainder = matched.remainder
      self.mutual = mutual
    }
  }

  private func report(_ results: [Result<Matched, Failure>]) throws {
    let colors = results.compactMap { try? $0.get() }.map { LabColor($0.member.card, in: .sRGB) }
    let mutual = colors.pairs.map { $0.ciede2000(to: $1) }.max()
    // The room itself may be on standard output.
    let (inRows, inWords) = (json && output != "-", !json && output != "-")
    var code: ExitCode?
    for (device, result) in zip(device, results) {
      switch result {
      case .failure(let failure):
        complain("\(device): \(failure.message)")
        if inRows { try printJSON(failure, of: ["device": device]) }
        code = code ?? failure.code
      case .success(let matched):
        if inRows { try printJSON(Record(matched, mutual: mutual)) }
        if inWords { try show(matched) }
      }
    }
    if inWords, !colors.isEmpty {
      if let mutual {
        try StandardOutput.line(
          "the cards differ by at most CIEDE2000 \(fixed(mutual, decimals: 2)) from each other")
      }
      try StandardOutput.line("saved \(output)")
    }
    for case .success(let matched) in results {
      let left = matched.match.setsExposure ? matched.member.after : matched.color
      guard left > limit else { continue }
      complain(
        "\(matched.member.device): the card is CIEDE2000 \(fixed(left, decimals: 2)) from the "
          + "reference, above the limit of \(shortNumber(limit)), and the controls cannot reduce "
          + "it; apply the gains \(matched.remainder.argument) to its pictures")
      code = code ?? .badData
    }
    if let code { throw code }
  }

  private func show(_ matched: Matched) throws {
    let member = matched.member
    let before = member.before.map {
      "CIEDE2000 \(fixed($0, decimals: 2)) from the reference before"
    }
    var line =
      "\(member.device): \(before ?? "not readable before"), \(fixed(member.after, decimals: 2)) now "
      + "(\((member.whiteBalance + member.exposure).text))"
    let rest = matched.remainder.vector
    if max(rest.max() - 1, 1 - rest.min()) > 0.005 {
      line += "; gains to apply in software: \(matched.remainder.argument)"
    }
    try StandardOutput.line(line)
    if !matched.match.setsExposure {
      try StandardOutput.line(
        "\(member.device): its exposure cannot be set; the card is "
          + "\(fixed(member.card.green / matched.level, decimals: 2)) times as bright as the "
          + "reference"
      )
    }
  }
}
