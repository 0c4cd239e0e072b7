import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WbcalWebServer

struct Studio: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show and control a camera on a local web page.",
    discussion: """
      The page shows the picture, the light on the card and the exposure, and has the
      controls of 'wbcal set', 'gray', 'exposure', 'focus', 'bracket' and 'calibrate'.
      Its address is printed; the token in it gives a browser access. The camera is in
      use while a page is open; then its settings are restored, unless the page's
      switch keeps them. The page shows the equivalent command of each action.

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

  func execute() async throws {
    let device = try device ?? DeviceSpecification(argument: "simulated")
    let profile = try profile.map {
      StudioProfile(
        name: URL(filePath: $0).lastPathComponent, path: $0, profile: try CameraProfile(source: $0))
    }
    let folder = try StudioFolder(folder)
    var server = WebServer.Configuration()
    (server.listen, server.allowsRemote) = (listen, allowRemote)
    server.certificate = try certificate.map { try readBytes($0, limit: 1 << 20) }
    server.key = try key.map { try readBytes($0, limit: 1 << 20) }
    try await StudioSite(
      device: device, profile: profile, folder: folder, server: server, opensBrowser: open
    ).serve()
  }
}
