import WbcalFoundation
import WbcalReports
import WbcalWebServer

/// Answers the requests of browsers that have been let in.
struct StudioRouter: Sendable {
  let camera: StudioCamera
  let pages: StudioPages

  private static let api = "/api/1/"

  func answer(_ request: WebRequest) async -> WebResponse {
    do {
      if request.path.hasPrefix(Self.api) {
        let name = String(request.path.dropFirst(Self.api.count))
        return request.method == "POST"
          ? try await post(name, request) : try await get(name, request)
      }
      return try file(request)
    } catch { return .problem(StudioProblem(error)) }
  }

  private func file(_ request: WebRequest) throws(StudioProblem) -> WebResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      throw StudioProblem(405, "usage", .usage, "pages can only be read")
    }
    let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
    guard let file = StudioPageFiles.file(named: name) else {
      throw StudioProblem(404, "no-input", .noInput, "there is no page '\(shown(request.path))'")
    }
    return WebResponse(contentType: file.contentType, body: .bytes(file.bytes))
  }

  private func get(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    switch name {
    case "camera": return .text(try jsonLine(await camera.record))
    case "cameras": return .text(try jsonLine(await camera.choices()))
    case "news": return try await news(request)
    case "snapshot":
      let bytes: [UInt8]
      if request.query("which") == "before" {
        guard let kept = await camera.before else {
          throw StudioProblem(404, "no-input", .noInput, "no picture was kept for comparison")
        }
        bytes = kept
      } else {
        bytes = try await camera.snapshot(width: try width(request, or: 4096))
      }
      return WebResponse(contentType: "image/jpeg", body: .bytes(bytes))
    case "diagram":
      let (width, height) = (try side("width", request), try side("height", request))
      let isWhole = request.query("whole") == "true"
      return .text(try jsonLine(PageDiagram(width: width, height: height, isWhole: isWhole)))
    case "file":
      let (bytes, type) = try camera.folder.read(request.query("name") ?? "")
      // A file in the folder, which may be anybody's, must not run scripts here.
      let rules =
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        + "frame-ancestors 'none'"
      return WebResponse(
        contentType: type, headers: [("Content-Security-Policy", rules)], body: .bytes(bytes))
    default: throw Self.unknown(name)
    }
  }

  private static func unknown(_ name: String) -> StudioProblem {
    StudioProblem(404, "usage", .usage, "there is no '\(shown(name))' in the interface")
  }

  private static func isID(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private func width(_ request: WebRequest, or usual: Int) throws(StudioProblem) -> Int {
    guard let text = request.query("width") else { return usual }
    guard let width = Int(text), 16...4096 ~= width else {
      throw .usage("the width must be 16 to 4096 pixels")
    }
    return width
  }

  private func side(_ name: String, _ request: WebRequest) throws(StudioProblem) -> Int {
    guard let side = request.query(name).flatMap(Int.init), 100...4096 ~= side else {
      throw .usage("the \(name) of the diagram must be 100 to 4096 pixels")
    }
    return side
  }

  /// The longest time for which a request for events waits for one.
  private static let wait = Duration.milliseconds(250)

  /// Returns the events after a number as soon as there are any.
  private func news(_ request: WebRequest) async throws -> WebResponse {
    guard let page = request.query("page"), Self.isID(page),
      let number = Int(request.query("after") ?? "0"), number >= 0
    else {
      throw StudioProblem.usage(
        "news?page=ID&after=NUMBER requires an ID of 1 to 64 letters, digits, - and _, and the "
          + "number of the last answer, at first 0")
    }
    if pages.arrive(page) {
      await camera.beginLooking()
      camera.readings.set(hasReaders: true)
      await camera.publish()
    }
    let end = ContinuousClock.now + Self.wait
    while !Task.isCancelled {
      if let news = pages.news(for: page, after: number) { return .text(news) }
      if ContinuousClock.now > end { break }
      try? await Task.sleep(for: .milliseconds(15))
    }
    return .text(pages.noNews())
  }

  /// Notes that pages have been closed.
  func pagesLeft(_ count: Int) async {
    camera.readings.set(hasReaders: pages.hasVisitors)
    for _ in 0..<count { await camera.endLooking() }
  }

  private func post(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    guard let page = request.header("X-Wbcal-Page"), Self.isID(page) else {
      throw StudioProblem.usage(
        "send it with 'X-Wbcal-Page: ID', an ID of 1 to 64 letters, digits, - and _")
    }
    let body = try StudioBody(request.body)
    if name == "control" {
      try body.allow("takeOver")
      if try body.flag("takeOver") ?? false { pages.takeOver(page) }
      return .text(try jsonLine(pages.control(for: page)))
    }
    if name == "leave" {
      try body.allow()
      if pages.leave(page) { await pagesLeft(1) }
      return .text(try jsonLine(pages.control(for: page)))
    }
    guard StudioCamera.actions.contains(name) else { throw Self.unknown(name) }
    guard pages.mayControl(page) else {
      throw StudioProblem(
        409, "watching", .tryAgain, "another page controls the camera; take over to control it here"
      )
    }
    // The action continues when the page is left.
    let work = Task { try await camera.perform(name, body) }
    return .text(try await work.value)
  }
}

extension WebResponse {
  /// A response with one JSON object.
  fileprivate static func text(_ text: String) -> WebResponse { .json(Array((text + "\n").utf8)) }

  fileprivate static func problem(_ problem: StudioProblem) -> WebResponse {
    .failure(
      problem.status, error: problem.error, exitCode: Int(problem.exitCode),
      reasons: problem.reasons)
  }
}
