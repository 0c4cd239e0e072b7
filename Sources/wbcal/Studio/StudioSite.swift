import Dispatch
import Synchronization
import WbcalArguments
import WbcalFoundation
import WbcalWebServer

/// A studio from its start to its end.
struct StudioSite: Sendable {
  var device: DeviceSpecification
  var profile: StudioProfile?
  var folder: StudioFolder
  var server: WebServer.Configuration
  var opensBrowser: Bool

  /// The link from the server, which starts first, to the camera.
  private final class Door: Sendable {
    let router = Mutex<StudioRouter?>(nil)

    func answer(_ request: WebRequest) async -> WebResponse {
      guard let router = router.withLock(\.self) else {
        return .failure(
          503, error: "try-again", exitCode: Int(ExitCode.tryAgain.rawValue),
          reasons: ["the studio is starting"])
      }
      return await router.answer(request)
    }
  }

  /// Serves until a signal comes.
  func serve() async throws {
    let interrupts = await Interrupts.begin()
    let door = Door()
    let server = try WebServer(server) { await door.answer($0) }
    let page = server.address
    let pages = StudioPages()
    let camera = StudioCamera(
      device: device, profile: profile, folder: folder,
      address: String(page.prefix { $0 != "?" }),
      pages: pages)
    let router = StudioRouter(camera: camera, pages: pages)
    door.router.withLock { $0 = router }
    let life = Task { await camera.live() }
    let clock = Task { await Self.tick(pages, router) }

    try StandardOutput.line("the studio of \(device.text) is at \(page)")
    remark("Open it in a browser; Ctrl-C ends it.")
    camera.reporter.listen()
    if opensBrowser { Self.open(try server.addressForOnce()) }
    await withCheckedContinuation { over in
      let waiting = Mutex<CheckedContinuation<Void, Never>?>(over)
      interrupts.act { waiting.withLock { $0.take() }?.resume() }
    }

    clock.cancel()
    await camera.end()
    await life.value
    server.stop()
    Progress.shared.setListener(nil)
    let keeps = await camera.keeps
    complain("interrupted; the camera's settings were \(keeps ? "kept" : "restored")")
    if let signal = interrupts.end(), signal != SIGINT { throw ExitCode(128 + signal) }
  }

  private static func tick(_ pages: StudioPages, _ router: StudioRouter) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      let left = pages.removeSilent()
      if left > 0 { await router.pagesLeft(left) }
      pages.passOnControl()
    }
  }

  /// Shows a page in the user's browser, if there is one.
  private static func open(_ page: String) {
    #if os(macOS)
    let program = "open"
    #else
    let program = "xdg-open"
    #endif
    DispatchQueue(label: "browser").async {
      let status = try? ShellCommand.run(
        "\(program) \"$WBCAL_PAGE\"", environment: ["WBCAL_PAGE": page])
      if status != 0 { remark("No browser could be opened; open the address yourself.") }
    }
  }
}
