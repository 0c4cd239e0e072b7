import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WbcalWebServer

struct Studio: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a camera live on a local web page, and set it there.",
    discussion: """
      The page shows the picture, the card's light and how the picture is exposed, and
      has the controls of 'wbcal set', 'gray', 'exposure', 'focus', 'bracket' and
      'calibrate'. Its address is printed; the token in it lets a browser in. The
      camera is in use while a page is open, and then as it was before, unless the
      page says to keep it. The page shows which command does the same.

      It serves this computer alone, unless --listen names another address together
      with --allow-remote; give it a --certificate and its --key then. Profiles,
      reports and pictures are written to --folder, and to no other. Programs may use
      the interface of the page, too (the documentation's article 'The studio').

      It ends with Ctrl-C.

        wbcal studio --open
        wbcal studio --device /dev/video0 --profile desk.json
        wbcal studio --listen 127.0.0.1:8080 --folder shots
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(help: ArgumentHelp(ProfileSource.help), completion: .profile) var profile: String?
  @Option(
    help: ArgumentHelp(
      "The address and port to serve; port 0 takes a free one.", valueName: "address:port"))
  var listen = "127.0.0.1:0"
  @Option(help: "The folder of the files that the page reads and writes.", completion: .file())
  var folder = "."
  @Flag(help: "Open the page in the browser.") var open = false
  @Flag(help: "Serve other computers, too.") var allowRemote = false
  @Option(help: "The certificate for HTTPS, in PEM.", completion: .file(extensions: ["pem"]))
  var certificate: String?
  @Option(help: "Its private key, in PEM.", completion: .file(extensions: ["pem"])) var key: String?

  func validate() throws {
    if (certificate == nil) != (key == nil) {
      throw ValidationError("--certificate and --key belong together.")
    }
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
