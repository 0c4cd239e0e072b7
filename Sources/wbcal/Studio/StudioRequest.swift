/// What a browser asks for.
struct StudioRequest: Sendable {
  var method: String
  var path: String
  var query: [String: String]
  /// By names in lower case.
  var headers: [String: String]
  var body: [UInt8]
}

/// What it gets.
enum StudioAnswer: Sendable {
  case whole(StudioPart)
  /// Pieces that come in time; each is asked for when the one before has been sent.
  case stream(StudioStream)
}

/// An answer that is known as a whole.
struct StudioPart: Sendable {
  var status = 200
  var contentType: String
  var headers: [String: String] = [:]
  var bytes: [UInt8]
}

/// An answer that goes on until the browser or the studio ends it.
struct StudioStream: Sendable {
  var contentType: String
  /// The next piece; `nil` at the end.
  var next: @Sendable () async -> [UInt8]?
  /// Called once, when nobody reads any more.
  var end: @Sendable () async -> Void
}

extension StudioAnswer {
  static func json(_ text: String, status: Int = 200) -> StudioAnswer {
    .whole(
      StudioPart(
        status: status, contentType: "application/json", headers: ["Cache-Control": "no-store"],
        bytes: Array((text + "\n").utf8)))
  }

  static func problem(_ problem: StudioProblem) -> StudioAnswer {
    let text = try? jsonLine(problem)
    return json(text ?? #"{"version":1,"error":"internal"}"#, status: problem.status)
  }

  static func page(_ text: String, status: Int) -> StudioAnswer {
    .whole(
      StudioPart(
        status: status, contentType: "text/html; charset=utf-8",
        headers: ["Cache-Control": "no-store"], bytes: Array(text.utf8)))
  }
}
