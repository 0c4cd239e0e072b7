import Synchronization
import WbcalFoundation
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
    case "events":
      guard let page = request.query("page"), Self.isID(page) else {
        throw StudioProblem.usage(
          "events?page=ID requires an ID of 1 to 64 letters, digits, - and _")
      }
      return await events(page)
    case "picture": return await picture(width: try width(request, or: 1280))
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
    case "spectrum-locus": return .text(try jsonLine(SpectrumLocus.shared))
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

  private func events(_ page: String) async -> WebResponse {
    await camera.beginLooking()
    await camera.publish()
    let (number, queue) = pages.connect(page)
    camera.readings.set(hasReaders: true)
    return .stream(contentType: "text/event-stream") {
      guard let event = await queue.next() else { return nil }
      return Array("event: \(event.name)\ndata: \(event.data)\n\n".utf8)
    } ended: {
      pages.disconnect(number)
      camera.readings.set(hasReaders: pages.hasVisitors)
      await camera.endLooking()
    }
  }

  private static let boundary = "wbcal-picture"

  private func picture(width: Int) async -> WebResponse {
    await camera.beginLooking()
    let pictures = camera.pictures
    // A browser shows a part only after the boundary that follows it.
    let mark = "--\(Self.boundary)\r\n"
    let start = Mutex(mark)
    return .stream(contentType: "multipart/x-mixed-replace; boundary=\(Self.boundary)") {
      guard let jpeg = await pictures.next(width: width), !jpeg.isEmpty else { return nil }
      let head = "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n"
      let first = start.withLock { start in
        defer { start = "" }
        return start
      }
      return Array((first + head).utf8) + jpeg
        + Array("\r\n\(mark)".utf8)
    } ended: {
      await camera.endLooking()
    }
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
