import Foundation

/// Answers what browsers ask for, once they have been let in.
struct StudioRouter: Sendable {
  let camera: StudioCamera
  let pages: StudioPages

  private static let api = "/api/1/"

  func answer(_ request: StudioRequest) async -> StudioAnswer {
    do {
      if request.path.hasPrefix(Self.api) {
        let name = String(request.path.dropFirst(Self.api.count))
        switch request.method {
        case "GET", "HEAD": return try await get(name, request)
        case "POST": return try await post(name, request)
        default:
          throw StudioProblem(
            405, "usage", .usage, "'\(printable(request.method))' is not known here")
        }
      }
      return try file(request)
    } catch { return .problem(StudioProblem(error)) }
  }

  private func file(_ request: StudioRequest) throws(StudioProblem) -> StudioAnswer {
    guard ["GET", "HEAD"].contains(request.method) else {
      throw StudioProblem(405, "usage", .usage, "pages are only read")
    }
    let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
    guard let file = StudioPageFiles.file(named: name) else {
      throw StudioProblem(404, "no-input", .noInput, "there is no page '\(shown(request.path))'")
    }
    return .whole(
      StudioPart(
        contentType: file.contentType, headers: ["Cache-Control": "no-cache"], bytes: file.bytes))
  }

  private func get(_ name: String, _ request: StudioRequest) async throws -> StudioAnswer {
    switch name {
    case "camera": return .json(try jsonLine(await camera.record))
    case "events":
      guard let page = request.query["page"], Self.isID(page) else {
        throw StudioProblem.usage("events?page=ID: 1 to 64 letters, digits, - and _ name the page")
      }
      return await events(page)
    case "picture": return await picture(width: try width(request, or: 1280))
    case "snapshot":
      let bytes: [UInt8]
      if request.query["which"] == "before" {
        guard let kept = await camera.before else {
          throw StudioProblem(404, "no-input", .noInput, "no picture was kept for comparison")
        }
        bytes = kept
      } else {
        bytes = try await camera.snapshot(width: try width(request, or: 4096))
      }
      return .whole(
        StudioPart(
          contentType: "image/jpeg", headers: ["Cache-Control": "no-store"], bytes: bytes))
    case "spectrum-locus": return .json(try jsonLine(SpectrumLocus.shared))
    case "file":
      let (bytes, type) = try camera.folder.read(request.query["name"] ?? "")
      // What somebody has put in the folder runs nothing here.
      return .whole(
        StudioPart(
          contentType: type,
          headers: [
            "Cache-Control": "no-store",
            "Content-Security-Policy":
              "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
          ], bytes: bytes))
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

  private func width(_ request: StudioRequest, or usual: Int) throws(StudioProblem) -> Int {
    guard let text = request.query["width"] else { return usual }
    guard let width = Int(text), 16...4096 ~= width else {
      throw .usage("the width is 16 to 4096 pixels")
    }
    return width
  }

  private func events(_ page: String) async -> StudioAnswer {
    await camera.beginLooking()
    await camera.publish()
    let (number, queue) = pages.connect(page)
    camera.readings.set(hasReaders: true)
    return .stream(
      StudioStream(contentType: "text/event-stream") {
        guard let event = await queue.next() else { return nil }
        return Array("event: \(event.name)\ndata: \(event.data)\n\n".utf8)
      } end: {
        pages.disconnect(number)
        camera.readings.set(hasReaders: pages.hasVisitors)
        await camera.endLooking()
      })
  }

  private static let boundary = "wbcal-picture"

  private func picture(width: Int) async -> StudioAnswer {
    await camera.beginLooking()
    let pictures = camera.pictures
    // A browser shows a part when it has seen the boundary behind it.
    let mark = "--\(Self.boundary)\r\n"
    let isFirst = OnlyOnce()
    return .stream(
      StudioStream(contentType: "multipart/x-mixed-replace; boundary=\(Self.boundary)") {
        guard let jpeg = await pictures.next(width: width), !jpeg.isEmpty else { return nil }
        let head = "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n"
        return Array(((isFirst.isNow() ? mark : "") + head).utf8) + jpeg
          + Array("\r\n\(mark)".utf8)
      } end: {
        await camera.endLooking()
      })
  }

  private func post(_ name: String, _ request: StudioRequest) async throws -> StudioAnswer {
    let type = request.headers["content-type"]?.split(separator: ";").first
    guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
      throw StudioProblem(415, "usage", .usage, "send it with 'Content-Type: application/json'")
    }
    guard let page = request.headers["x-wbcal-page"], Self.isID(page) else {
      throw StudioProblem.usage(
        "send it with 'X-Wbcal-Page: ID': 1 to 64 letters, digits, - and _ name the page")
    }
    let body = try StudioBody(request.body)
    if name == "control" {
      try body.allow("takeOver")
      if try body.flag("takeOver") ?? false { pages.takeOver(page) }
      return .json(try jsonLine(pages.control(for: page)))
    }
    guard StudioCamera.actions.contains(name) else { throw Self.unknown(name) }
    guard pages.mayControl(page) else {
      throw StudioProblem(
        409, "watching", .tryAgain, "another page controls the camera; take over to do it here")
    }
    // It goes on when the page is left.
    let work = Task { try await camera.perform(name, body) }
    return .json(try await work.value)
  }
}
