import WbcalArguments
import CameraControl
import WhiteBalance

struct Gray: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the gray card in front of the camera neutral, and lock there.",
    discussion: """
      Looks at the card, sets the gains that make it neutral, looks again, and locks
      there. A profile saves the time to find out what the controls mean, and names
      the light. A real camera's setting is kept for 'wbcal restore'. Gains are given
      with the smallest 1, and in JSON also with green 1.

        wbcal gray --device simulated:light=FL11
        wbcal gray --device simulated:light=FL11 --profile desk.json
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(help: "The camera's profile.", completion: .json) var profile: String?
  @OptionGroup var card: CardOptions
  @Flag(help: "Keep nothing for 'wbcal restore'.") var noStore = false
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let profile = try profile.map { try CameraProfile(path: $0) }
    let neutral = try await CameraSession.with(device, card: card, profile: profile, keep: true) {
      session in
      let camera = try await session.probed()
      let neutral = try await camera.neutralizeCard()
      if !noStore { await session.keep(neutral.applied, of: camera) }
      return neutral
    }
    let light = Gains(neutralizing: neutral.response).flatMap { profile?.tellableReading(of: $0) }
    try show(neutral.applied, light: light, json: json)
  }
}
