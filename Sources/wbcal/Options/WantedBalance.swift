import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

/// The target of a camera's white balance: a light, or gains.
struct WantedBalance: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The light's name, as for 'wbcal calibrate': that of a shot of the profile, or any other.",
      valueName: "light"))
  var light: String?
  @Option(help: "The light's temperature in kelvin.", transform: parseTemperature)
  var temperature: Double?
  @Option(
    help: "The light's tint: 3000 Duv, positive for green light.",
    transform: asNumber("a tint as a number, such as 10 or -5"))
  var tint: Double?
  @Option(help: "A typical light, if no measured one is available.") var preset: LightingPreset?
  @Option(
    help: ArgumentHelp("The light's chromaticity.", valueName: "X,Y"), transform: parseChromaticity)
  var xy: Chromaticity?
  @Option(
    help: ArgumentHelp("Gains, relative to the camera's default balance.", valueName: "R,G,B"),
    transform: parseGains)
  var gains: Gains?
  @Option(name: .customLong("class"), help: "The class of the light, if it is known.")
  var lightClass: LightClass?

  static let names = "--light, --temperature (and --tint), --preset, --xy and --gains"

  /// The number of options that name the target; more than one is too many.
  var ways: Int {
    [light != nil, temperature != nil, preset != nil, xy != nil, gains != nil].count(where: \.self)
  }

  func validate() throws {
    try forbid(tint != nil && temperature == nil, "--tint requires --temperature.")
    try forbid(
      lightClass != nil && gains != nil,
      "--class describes a light; it cannot be combined with gains or a mode.")
    try forbid(
      temperature.map { $0.isNaN || $0 == 0 } ?? false,
      "the temperature must be a number other than 0, in kelvin.")
    try forbid(tint.map { !$0.isFinite } ?? false, "the tint must be a finite number.")
  }

  func requireProfile(_ profile: String?) throws {
    try forbid(
      gains == nil && profile == nil,
      "a light's gains depend on the camera: name its profile with --profile.")
  }

  /// Returns the given gains, or those for the light and their covariance; `nil` for a light
  /// without a profile.
  func chosenGains(
    _ profile: CameraProfile?
  ) throws -> (gains: Gains, covariance: GainUncertainty.Covariance?)? {
    try gains.map { ($0, nil) } ?? profile.map { try wantedGains($0) }
  }

  /// Returns the color of the light; `nil` if gains were given.
  func color(_ profile: CameraProfile?) throws -> Chromaticity? {
    if gains != nil { return nil }
    return color(
      try light.map { try profile?.light(argument: $0) ?? Light(argument: $0, folder: nil) })
  }

  /// Returns the class of the light if it was named or is implied by the light's name.
  func knownClass(_ profile: CameraProfile?) throws -> LightClass? {
    try lightClass ?? preset?.lightClass
      ?? light.flatMap { try profile?.light(argument: $0).impliedClass }
  }

  private func color(_ named: Light?) -> Chromaticity {
    named?.chromaticity ?? xy ?? preset?.chromaticity
      ?? Chromaticity(TemperatureAndTint(temperature: temperature ?? .nan, tint: tint ?? 0))
  }

  /// Returns the gains for the named light.
  ///
  /// - Parameter name: the camera's name, which precedes remarks if there are several cameras.
  /// - Returns: the gains, and their covariance by the camera's calibration, if it has one and the
  ///   light has a temperature.
  func wantedGains(
    _ profile: CameraProfile, name: String? = nil
  ) throws -> (gains: Gains, covariance: GainUncertainty.Covariance?) {
    func note(_ text: String, advice: String) {
      remark((name.map { "\($0): " } ?? "") + text, advice: advice)
    }
    func note(_ text: String) { note(text, advice: "") }
    let named = try light.map { try profile.light(argument: $0) }
    let color = color(named)
    let lightClass = lightClass ?? preset?.lightClass ?? named?.impliedClass
    // An invalid color has no shot either.
    let wanted = named ?? (try? Light(name: "", chromaticity: color))
    if let shot = wanted.flatMap({ profile.model.shotLight($0, lightClass: lightClass) }) {
      if shot.name != light {
        note("This is \(shot.name), which has a shot; the gains of that shot are used.")
      }
      if shot.isDoubtful {
        note("The shot under \(shot.name) is doubtful; check its light, and calibrate again.")
      }
      return (shot.gains, shot.covariance)
    }
    if let found = wanted.flatMap({ profile.model.lampGains(for: $0, lightClass: lightClass) }) {
      return (found.gains.normalized(to: .smallest), found.covariance)
    }
    try profile.model.remarkOnTint(of: color, note: note)
    guard let gains = profile.model.gains(for: color, lightClass: lightClass) else {
      throw Failure.badData(
        "no gains make this light (x \(fixed(color.x, decimals: 4)), "
          + "y \(fixed(color.y, decimals: 4))) neutral on this camera; it is outside the camera's "
          + "range of colors")
    }
    let covariance = profile.calibration?.uncertainty.covariance(at: color, lightClass: lightClass)
    if lightClass == nil, let errors = covariance?.standardErrors {
      let error = Calibrate.error(max(errors.red, errors.blue), through: profile.laws)
      let percent = fixed(100 * error, decimals: 1)
      note(
        "For a light of unknown class, gains are known to \(percent) %",
        advice: "; specify its --class.")
    }
    if let near = profile.calibration?.oddLamp(near: color, lightClass, gains: gains) {
      note(
        "\(near.name), which has a shot, has nearly this color, but needs gains that differ by "
          + "\(fixed(100 * near.difference, decimals: 1)) %",
        advice: "; --light \(near.name) uses them.")
    }
    return (gains, covariance)
  }
}

extension Calibration {
  /// Returns the lamp of a shot that has nearly the given color, but whose own gains differ by more
  /// than 1 % from those that the color gets.
  fileprivate func oddLamp(
    near color: Chromaticity, _ lightClass: LightClass?, gains: Gains
  ) -> (name: String, difference: Double)? {
    let (red, blue) = gains.relativeToGreen
    return shots.lazy.map(\.shot).filter { shot in
      let place = shot.light.chromaticity
      return max(abs(place.x - color.x), abs(place.y - color.y)) < 0.005
        && (lightClass == nil || shot.knownClass == nil || shot.knownClass == lightClass)
    }.map { shot in
      let (ownRed, ownBlue) = (
        shot.response.green / shot.response.red, shot.response.green / shot.response.blue
      )
      return (shot.light.name, max(abs(ownRed / red - 1), abs(ownBlue / blue - 1)))
    }.first { $0.1 > 0.01 }
  }
}
