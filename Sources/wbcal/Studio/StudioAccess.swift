import Foundation

/// Lets in those who were told the address: the token in it becomes a cookie, and other sites'
/// pages are kept out.
struct StudioAccess: Sendable {
  let token: String

  static let cookie = "wbcal"

  init() {
    var random = SystemRandomNumberGenerator()
    token = (0..<4).map { _ in
      String(format: "%08x", UInt32.random(in: 0...UInt32.max, using: &random))
    }
    .joined()
  }

  /// The answer to those who are not let in; `nil` to others.
  func refusal(of request: StudioRequest) -> StudioAnswer? {
    if request.path == "/", let given = request.query["token"], isToken(given) {
      return .whole(
        StudioPart(
          status: 303, contentType: "text/plain",
          headers: [
            "Location": "/",
            "Set-Cookie": "\(Self.cookie)=\(token); HttpOnly; SameSite=Strict; Path=/",
            "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
          ], bytes: []))
    }
    guard !hasCookie(request) else { return nil }
    let reason =
      "This is the studio of wbcal. Open the address that 'wbcal studio' has printed, with "
      + "its token: it lets this browser in."
    if request.path.hasPrefix("/api/") {
      return .problem(StudioProblem(403, "no-permission", .noPermission, reason))
    }
    return .page(
      "<!doctype html><meta charset=\"utf-8\"><title>wbcal studio</title><p>\(reason)", status: 403)
  }

  private func hasCookie(_ request: StudioRequest) -> Bool {
    let cookies = request.headers["cookie"]?.split(separator: ";") ?? []
    return cookies.contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].trimmingCharacters(in: .whitespaces) == Self.cookie
        && isToken(parts[1].trimmingCharacters(in: .whitespaces))
    }
  }

  /// Takes as long whatever differs.
  private func isToken(_ text: String) -> Bool {
    let (given, own) = (Array(text.utf8), Array(token.utf8))
    return given.count == own.count && zip(given, own).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}
