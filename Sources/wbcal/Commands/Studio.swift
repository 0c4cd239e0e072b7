import CameraControl
import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WbcalWebServer

struct Studio: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show and control a camera on a local web page.",
    discussion: """
      Without --device the one connected camera is used, or a simulated one if there
      is none; the page can choose another.

      The page shows the picture, the light on the card and the exposure, and has the
      controls of 'wbcal set', 'gray', 'exposure', 'focus', 'bracket' and 'calibrate'.
      Its address is printed; the token in it gives a browser access. The camera is in
      use while a page is open. When the last page is closed, its settings are
      restored, unless a switch of the page keeps them. The page shows the equivalent
      command of each action.

      The studio only serves this computer, unless --listen names another address and
      --allow-remote is given; use a --certificate and its --key then. Profiles,
      reports and pictures are only written to --folder. Programs can also use the
      interface of the page (see the documentation's article 'The studio').

      The studio ends with Ctrl-C.

        wbcal studio --open
        wbcal studio --device /dev/video0 --profile desk.json
        wbcal studio --listen 127.0.0.1:8080 --folder shots
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(
    help: ArgumentHelp(
      "The address and port to serve; with port 0, a free port is used.", valueName: "address:port")
  )
  var listen = "127.0.0.1:0"
  @Option(help: "The folder of the files that the page reads and writes.", completion: .file())
  var folder = "."
  @Flag(help: "Open the page in the browser.") var open = false
  @Flag(help: "Also serve other computers.") var allowRemote = false
  @Option(help: "The certificate for HTTPS, in PEM.", completion: .file(extensions: ["pem"]))
  var certificate: String?
  @Option(help: "Its private key, in PEM.", completion: .file(extensions: ["pem"])) var key: String?

  func validate() throws {
    try forbid((certificate == nil) != (key == nil), "--certificate and --key require each other.")
  }

  /// Returns the camera to use if the user names none: the only one, or without any the simulated
  /// one.
  ///
  /// - Throws: `Failure` with the names of several cameras.
  static func onlyCamera(among cameras: [ConnectedCamera]) throws -> DeviceSpecification {
    if cameras.count > 1 {
      let names = cameras.map { "--device \($0.identity.id) (\($0.identity.name))" }
      throw Failure.usage(
        "several cameras are connected; choose one: \(names.joined(separator: ", "))")
    }
    return try DeviceSpecification(argument: cameras.first?.identity.id ?? "simulated")
  }

  func execute() async throws {
    let device =
      if let device { device } else { try Self.onlyCamera(among: await ConnectedCamera.all()) }
    // A setting of a simulated camera that does not exist is an error now, not on the page.
    if device.isSimulated { _ = try await device.open() }
    let profile = try profile.map {
      StudioProfile(
        name: URL(filePath: $0).lastPathComponent, path: $0, profile: try CameraProfile(source: $0))
    }
    let folder = try StudioFolder(folder)
    var server = WebServer.Configuration()
    (server.listen, server.allowsRemote) = (listen, allowRemote)
    if allowRemote, certificate == nil {
      complain(
        "without --certificate and --key, anyone on the network can read the pictures and the "
          + "token, and set the camera")
    }
    server.certificate = try certificate.map { try readBytes($0, limit: 1 << 20) }
    server.key = try key.map { try readBytes($0, limit: 1 << 20) }
    try await StudioSite(
      device: device, profile: profile, folder: folder, server: server, opensBrowser: open
    ).serve()
  }
}
