import CameraControl
import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WhiteBalance

struct Restore: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore the last settings of cameras, after a reboot or replug.",
    discussion: """
      The settings of 'wbcal set', 'wbcal gray' and 'wbcal match' are kept for each
      camera: the white balance and everything else that affects its color. 'wbcal
      exposure' and 'wbcal focus' keep their settings with them. If a command was
      killed while it changed a camera, the settings from before the command are
      restored. Without --device, all connected cameras with kept settings are set.

      Settings are kept in $WBCAL_STATE; if that is not set, in /var/lib/wbcal for
      users who may write there, else in $XDG_STATE_HOME/wbcal or
      ~/.local/state/wbcal. The latest of several settings of a camera is used. After
      'make install', cameras that are plugged in are restored automatically from
      /var/lib/wbcal, where the group 'video' may write.

        wbcal restore
        wbcal restore --device /dev/video0 --wait 5 --verify
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Flag(help: "Set every camera with a kept setting; all must be connected.") var all =
    false
  @Option(
    help: "The time to wait for a camera to be connected, in seconds.", transform: parseWholeSeconds
  )
  var wait = 0
  @Flag(help: "Wait until the picture has settled.") var verify = false
  @Flag(help: "Write one JSON object per line.") var json = false

  func validate() throws {
    try forbid(device != nil && all, "--device and --all cannot be combined.")
    try forbid(
      device?.isSimulated == true,
      "the simulated camera keeps its settings itself, and cannot be restored.")
    try forbid(wait < 0, "--wait must be at least 0 seconds.")
  }

  func execute() async throws {
    let store = SettingStore()
    let devices = try await devices(store)
    if devices.isEmpty { remark("There is no connected camera with a kept setting.") }
    var code: ExitCode?
    for device in devices {
      do {
        let camera = Camera(try await open(device))
        let (setting, wasInterrupted) = try await Self.restore(camera, from: store, verify: verify)
        try show(setting, wasInterrupted: wasInterrupted)
      } catch {
        let failure = Failure(error)
        complain((devices.count > 1 ? "\(device.text): " : "") + failure.message)
        if json { try printJSON(failure, of: ["device": device.text]) }
        code = code ?? failure.code
      }
    }
    if let code { throw code }
  }

  private func devices(_ store: SettingStore) async throws -> [DeviceSpecification] {
    if let device { return [device] }
    var names = store.cameras()
    if !all {
      let connected = Set(await ConnectedCamera.all().map(\.identity.id))
      names.removeAll { !connected.contains($0) }
    }
    return try names.map { try DeviceSpecification(argument: $0) }
  }

  private func open(_ device: DeviceSpecification) async throws -> any CameraPort {
    let deadline = ContinuousClock.now + .seconds(wait)
    while true {
      do { return try await device.open() } catch let error as CameraError {
        // A device node may exist for a while before its permissions are set.
        switch error {
        case .notFound, .notPermitted, .vanished: if ContinuousClock.now >= deadline { throw error }
        default: throw error
        }
      }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  static func restore(
    _ camera: Camera, from store: SettingStore, verify: Bool
  ) async throws -> (setting: StoredSetting, wasInterrupted: Bool) {
    let identity = await camera.port.identity
    if let note = try store.note(of: identity.id) {
      try await camera.withConfiguration { camera async throws(CameraError) in
        try await camera.restore(note.values)
      }
      store.forgetNote(of: identity.id)
      return (note, true)
    }
    guard let setting = try store.setting(of: identity.id) else {
      throw Failure.noInput(
        "no setting of \(identity.name) (\(identity.id)) is kept; 'wbcal set' and 'wbcal "
          + "gray' keep one")
    }
    // A start of the stream may lose earlier settings.
    if verify { _ = try await camera.port.withNextFrame(where: { _ in false }) { _, _ in } }
    try await camera.reapply(setting.values)
    if verify { try await camera.settle(after: Camera.latencyBound) }
    return (setting, false)
  }

  struct Record: JSONRecord {
    var device: String
    var name, set: String
    var gains, gainsGreenOne: Gains?
    var controls: [String: Int]
    /// `true` if the camera has the settings from before a command that was killed.
    var wasInterrupted: Bool

    init(_ setting: StoredSetting, wasInterrupted: Bool) {
      device = setting.camera.id
      name = setting.camera.name
      set = setting.date.formatted(.iso8601)
      (gains, gainsGreenOne) = (setting.gains, setting.gains?.greenOne)
      controls = setting.values.byName
      self.wasInterrupted = wasInterrupted
    }
  }

  private func show(_ setting: StoredSetting, wasInterrupted: Bool) throws {
    if json { return try printJSON(Record(setting, wasInterrupted: wasInterrupted)) }
    let time = setting.date.formatted(.iso8601)
    try StandardOutput.line(
      "\(setting.camera.name) (\(setting.camera.id)) is "
        + (wasInterrupted ? "as before the killed command of \(time)" : "as set at \(time)")
        + ": " + setting.values.text)
  }
}
