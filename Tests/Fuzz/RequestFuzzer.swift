// Fuzzes the web server's own parsers: of the address at which it listens, targets, cookies, hosts
// and origins.

import WbcalWebServer

/// The lines are a method, a target, and headers.
let seeds: [[UInt8]] = [
  "GET\n/?token=0123456789abcdef\nHost: localhost:8080",
  "GET\n/a%20b/%C3%A4?a=1&b=%26+x\nHost: [::1]\nCookie: a=b; wbcal8080=fedcba9876543210",
  "POST\n/api/1/set\nHost: 127.0.0.1:8080\nAuthorization: Bearer 0123456789abcdef\n"
    + "Origin: http://127.0.0.1:8080\nSec-Fetch-Site: same-origin\nContent-Type: application/json\n"
    + "Content-Length: 2",
  "HEAD\n/%2e%2e/x\nHost: 192.0.2.1", "POST\n/\nTransfer-Encoding: chunked", "[::1]:8080",
  "127.0.0.1:0",
].map { Array($0.utf8) }

private let token = "0123456789abcdef"
private let rules = AccessRules(
  passes: Passes(token: token, cookie: "fedcba9876543210", folder: "desk"), port: 8080,
  isSecure: false, names: ["127.0.0.1", "[::1]", "localhost"],
  allowsNumbers: false, bodyLimit: 1 << 20)

/// Checks that an allowed request has the token and the server's name, and that paths stay in their
/// folder.
func test(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let address = try? ListenAddress(text), address.host.isEmpty {
    fatalError("an address without a host")
  }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  var headers = RequestHeaders()
  for line in lines.dropFirst(2) {
    let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    headers.append(String(sides[0]), sides.count > 1 ? sides[1].drop { $0 == " " }.description : "")
  }
  let target = lines.count > 1 ? lines[1] : text
  switch rules.verdict(method: lines[0], target: target, headers: headers) {
  case .allowed(let target):
    guard text.contains(token) || text.contains("fedcba9876543210") else {
      fatalError("a request without the token is allowed")
    }
    check(target)
  case .answered(let response, _):
    guard [303, 400, 403, 405, 413, 415, 421].contains(response.status) else {
      fatalError("an answer of its own")
    }
    if response.status == 303, !target.contains("token=") { fatalError("a pass for nothing") }
  }
  if let target = RequestTarget(text) { check(target) }
  if let decoded = RequestTarget.decoded(bytes), decoded.utf8.contains(where: { $0 < 0x20 }) {
    fatalError("a control character")
  }
  for value in AccessRules.cookies(in: text, named: "wbcal8080") where value.utf8.contains(0x3B) {
    fatalError("a cookie that does not end")
  }
  if rules.isOwn(text),
    !["127.0.0.1", "[::1]", "localhost"].contains(where: text.lowercased().hasPrefix)
  {
    fatalError("another's name")
  }
  if rules.isOwn(origin: text, host: "localhost"), text.lowercased() != "http://localhost" {
    fatalError("another's origin")
  }
}

private func check(_ target: RequestTarget) {
  let segments = target.path.split(separator: "/", omittingEmptySubsequences: false)
  guard target.path.hasPrefix("/"), !target.path.utf8.contains(0), !segments.contains(".."),
    !segments.contains("."), !segments.dropFirst().dropLast().contains("")
  else { fatalError("a path that leads elsewhere") }
}
