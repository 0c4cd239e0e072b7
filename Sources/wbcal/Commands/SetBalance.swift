import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct SetBalance: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Lock a camera's white balance for a light, and verify it in the picture.",
    discussion: """
      Returns when the picture shows the setting. If it does not, the camera's
      settings are restored. The setting of a real camera is stored for 'wbcal
      restore'; --mode deletes the stored one. Gains are scaled so that the smallest
      is 1; JSON also has them with green 1.

      A --light that has shots in the profile gets the gains of these shots, which are
      more accurate than those of a class of lights. So does a color that agrees with
      that of a shot to four decimals of x and y, unless --class states another class.
      Without a shot, the gains follow from the light's spectrum if that is known, and
      otherwise from its color and class.

      With --room, all cameras of a room file, which 'wbcal match' writes, are set to
      one light at once, each by its own profile, and to the exposures in the file.
      The expected difference between two of them on a gray card is printed; it
      follows from the uncertainty of their calibrations and the steps of their
      controls. If a camera fails, its settings are restored, and the exit code is
      that of its error; Ctrl-C restores all cameras.

      --save-in-camera saves all present settings of a machine-vision camera, its
      exposure and picture format among them, in the user set with that name, and
      makes the camera start with it, so that the balance survives without power.
      The previous contents of the set are lost. The maker's own sets are never
      written; choosing one as UserSetDefault, as with 'arv-tool-0.8 control
      UserSetDefault=Default', makes the camera start with it again.

        wbcal set --device simulated --profile desk.json --temperature 5000
        wbcal set --device simulated --profile desk.json --xy 0.3457,0.3585
        wbcal set --device simulated --profile desk.json --light LED-B3
        wbcal set --device simulated --profile desk.json --preset tungsten
        wbcal set --device simulated --gains 1.4,1,1.9
        wbcal set --device simulated --mode continuousAutomatic
        wbcal set --device genicam:2237184 --gains 1.4,1,1.9 --save-in-camera UserSet1
        wbcal set --room room.json --temperature 5000 --class led
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(
    help: "A room of cameras that 'wbcal match' has written, to set instead of one camera.",
    completion: .json)
  var room: String?
  @OptionGroup var light: WantedBalance
  @Option(
    help: ArgumentHelp(
      "The mode: locked, at the current setting; automatic, which the camera chooses once; or "
        + "continuousAutomatic.", valueName: "mode"))
  var mode: WhiteBalanceMode?
  @OptionGroup var card: CardOptions
  @OptionGroup var recording: RecordOptions
  @Flag(help: "End as soon as the picture shows the setting, without checking that it stays.")
  var noWatch = false
  @Flag(help: "Store nothing for 'wbcal restore'.") var noStore = false
  @Option(
    help: ArgumentHelp(
      "The user set of the camera in which to save all its settings, such as UserSet1.",
      valueName: "set"))
  var saveInCamera: String?
  @Flag(help: "Write the result as JSON.") var json = false

  func validate() throws {
    try forbid(
      (device == nil) == (room == nil), "name a camera with --device, or several with --room.")
    try forbid(
      room != nil && (profile != nil || light.gains != nil || mode != nil),
      "--room contains the profiles of its cameras and requires a light; it cannot be combined "
        + "with --profile, --gains or --mode.")
    guard light.ways + (mode == nil ? 0 : 1) == 1 else {
      throw ValidationError("name the light by one of \(WantedBalance.names), or a --mode.")
    }
    try forbid(
      noWatch && (mode != nil || room != nil),
      "--no-watch requires one camera, and a light or --gains.")
    try forbid(
      saveInCamera != nil && (mode != nil || room != nil),
      "--save-in-camera requires one camera, and a light or --gains.")
    try forbid(
      light.lightClass != nil && mode != nil,
      "--class describes a light; it cannot be combined with gains or a mode.")
    _ = try recording.recording(of: device)
    if mode == nil, room == nil { try light.requireProfile(profile) }
  }

  func execute() async throws {
    if let room { return try await set(try Room(path: room), path: room) }
    guard let device else { return }
    let profile = try profile.map { try CameraProfile(source: $0) }
    if let mode { return try await choose(mode, profile, on: device) }
    guard let wanted = try light.chosenGains(profile) else { return }
    let (applied, expected, otherCamera) = try await CameraSession.with(
      device, card: card, profile: profile, for: .setting,
      recording: try recording.recording(of: device)
    ) { session in
      if noWatch { session.endWhenSeen() }
      if let saveInCamera { try await session.requireUserSet(saveInCamera) }
      let (applied, laws) = try await Self.lock(session, at: wanted.gains)
      if let saveInCamera { try await session.save(inUserSet: saveInCamera) }
      if !noStore { await session.keep(applied, by: laws) }
      let expected = session.expectedCard(applied, wanted.covariance, by: laws)
      if light.gains == nil, session.profile?.laws == nil {
        remark(
          "The profile has no control laws of this camera, so its gains are taken as relative to "
            + "\(laws.reference.text), and it is unknown how neutral a gray card is: 'wbcal verify' "
            + "measures it; 'wbcal calibrate --device' calibrates the camera itself.")
      }
      return (applied, expected, light.gains == nil ? session.otherCamera : nil)
    }
    try show(
      applied, residual: Neutrality(residual: applied.residualGains),
      expected: expected,
      assumed: light.gains == nil ? profile?.calibration?.uncheckedLight : nil,
      otherCamera: otherCamera, json: json)
  }

  /// Locks a camera at gains, by its known laws or newly measured ones.
  static func lock(
    _ session: CameraSession, at wanted: Gains
  ) async throws -> (applied: AppliedWhiteBalance, laws: ControlLaws) {
    let camera = try await session.probe()
    let applied = try await camera.lock(at: wanted, progress: { Progress.shared.show($0) })
    return (applied, camera.laws)
  }

  /// Sets a camera to a mode, and returns the values of its controls afterwards.
  static func choose(
    _ mode: WhiteBalanceMode, _ session: CameraSession
  ) async throws -> [ControlValue] {
    let camera = session.camera
    if mode == .locked, let laws = session.knownLaws {
      try await ProbedCamera(camera, laws: laws).lock()
    } else {
      try await camera.setWhiteBalanceMode(mode)
    }
    return try await camera.settings()
  }

  struct ModeRecord: JSONRecord {
    var mode: String
    var controls: [String: Int]
  }

  private func choose(
    _ mode: WhiteBalanceMode, _ profile: CameraProfile?, on device: DeviceSpecification
  ) async throws {
    let values = try await CameraSession.with(
      device, card: card, profile: profile, for: .setting,
      recording: try recording.recording(of: device)
    ) { session in
      let values = try await Self.choose(mode, session)
      if !noStore { SettingStore().forget(session.identity.id) }
      return values
    }
    if json {
      try printJSON(ModeRecord(mode: mode.rawValue, controls: values.byName))
    } else {
      let decided = ControlID.balanceChoosers + ControlID.balanceSettings
      let shown = values.filter { decided.contains($0.id) }.text
      try StandardOutput.line("\(mode.rawValue) (\(shown))")
    }
  }
}

/// Prints the applied setting, the first frame that shows it, and the residual difference of a card
/// from neutral.
///
/// - Parameters:
///   - residual: the difference from neutral that the controls leave a gray card, if it is known.
///   - light: the light that the setting is for, if it is known.
///   - expected: the expected picture of a gray card, if it is known.
///   - assumed: the lamp whose name determines the result, although nothing verifies it.
///   - otherCamera: the camera whose profile gave the gains, if it is another one.
func show(
  _ applied: AppliedWhiteBalance, light: LightReading? = nil, residual: Neutrality?,
  expected: ExpectedCard? = nil, assumed: Light? = nil, otherCamera: String? = nil, json: Bool
) throws {
  if json {
    return try printJSON(
      AppliedRecord(
        applied, light: light, residual: residual, expected: expected, assumed: assumed,
        otherCamera: otherCamera))
  }
  if let light { try StandardOutput.line("the light: " + EstimateText.light(light)) }
  for line in lines(applied, residual: residual, expected: expected, assumed: assumed) {
    try StandardOutput.line(line)
  }
  if applied.brightness < 0.995 {
    try StandardOutput.line(
      "the camera has no gain for green: its picture is \(fixed(applied.brightness, decimals: 2)) as "
        + "bright as with these gains, and clipped highlights are colored")
  }
}

/// Returns the applied setting in words.
func lines(
  _ applied: AppliedWhiteBalance, residual: Neutrality?, expected: ExpectedCard? = nil,
  assumed: Light? = nil
) -> [String] {
  var lines = [
    "locked at "
      + (applied.gains.map {
        "\(EstimateText.gains($0, applied.covariance)) (\(applied.values.text))"
      }
        ?? applied.values.text) + ", "
      + (applied.firstFrame.map { "seen in frame \($0.sequence)" }
        ?? "reached gradually")
  ]
  if applied.persistence?.isLostOnStreamStart == true {
    lines.append(
      "the setting lasts until a program starts the camera's stream again, which turns the "
        + "automatic mode on; run 'wbcal restore' after every start")
  }
  if applied.persistence?.baseline == .relativeToAutomatic {
    lines.append(
      "the setting lasts until the automatic mode is turned on, because gains start from where "
        + "that stops; then run 'wbcal gray' again")
  }
  // A smaller residual comes from the steps of the controls.
  if applied.residualGains.vector.max() > 1.005 {
    lines.append(
      "the camera's controls cannot get closer"
        + (residual.map { " than \($0.text) to neutral" } ?? "")
        + "; gains to apply in software: \(applied.residualGains.argument)")
  }
  if let expected {
    lines.append(
      "a gray card under this light is expected CIEDE2000 "
        + "\(fixed(expected.differenceFromNeutral, decimals: 2)) from neutral (standard error)"
        + (assumed.map { ", if the light of the profile's shot was \($0.name)" } ?? ""))
  }
  return lines
}
