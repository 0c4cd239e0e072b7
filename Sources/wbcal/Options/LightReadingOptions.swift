import CameraProfiles
import WbcalArguments
import WhiteBalance

/// The profile with which a command determines the light on a card.
struct LightReadingOptions: ParsableArguments {
  @Option(
    help: "The camera's profile; adds chromaticity, temperature and tint.", completion: .profile)
  var profile: String?
  @Flag(
    help: "Use the profile even for pictures of other cameras and kinds; the result states this.")
  var anyCamera = false
  @Option(name: .customLong("class"), help: "The class of the light, if it is known.")
  var lightClass: LightClass?

  func validate() throws {
    try forbid(anyCamera && profile == nil, "--any-camera requires --profile.")
    try forbid(lightClass != nil && profile == nil, "--class requires --profile.")
  }

  func loadedProfile() throws -> CameraProfile? {
    try profile.map { try CameraProfile(source: $0) }
  }

  /// Returns the light for which a camera needs the given gains in total; `nil` without a profile
  /// or gains.
  func reading(of gains: Gains?, profile: CameraProfile?) -> LightReading? {
    gains.flatMap { profile?.reliableReading(of: $0, lightClass: lightClass) }
  }
}

/// A card that a camera shows, possibly with gains applied.
struct CameraCard: Sendable {
  var estimate: GrayCardEstimate
  /// The gains that the camera applies, if its laws are known.
  var applied: Gains?
  /// The profile for determining the light.
  var profile: CameraProfile?

  /// The gains that the camera needs in total.
  var gains: Gains? {
    guard let profile, let applied else { return nil }
    // A camera applies its gains before its channel mixing.
    let missing =
      profile.laws?.mixing.map { Gains(neutralizing: $0.unmixed(estimate.response)) }
      ?? estimate.gains
    return missing.map { Gains($0.vector * applied.vector) }
  }
}
