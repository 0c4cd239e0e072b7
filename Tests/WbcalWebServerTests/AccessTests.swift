import Testing
import WbcalWebServer

/// Tests the authorization of clients.
struct AccessTests {
  let server: WebServer

  init() throws { server = try echo() }

  @Test("The printed address sets the cookie, and leads to the page")
  func entry() async throws {
    #expect(server.address == "http://127.0.0.1:\(server.port)/?token=\(server.token)")
    #expect(server.token.count == 32)
    let host = "Host: 127.0.0.1:\(server.port)"
    let answer = try #require(await server.ask("GET /?token=\(server.token)", [host]))
    #expect(answer.status == 303)
    // The cookie is not valid as a token, and is sent to a folder that nobody else knows.
    let folder = try #require(answer.header("Location"))
    #expect(folder.wholeMatch(of: #/\/[0-9a-f]{32}\//#) != nil && !folder.contains(server.token))
    let cookie = try #require(answer.header("Set-Cookie"))
    let parts = try #require(
      cookie.wholeMatch(of: #/(wbcal\d+)=([0-9a-f]{32}); HttpOnly; SameSite=Strict; Path=(.*)/#))
    #expect(parts.1 == "wbcal\(server.port)" && parts.3 == folder && !cookie.contains(server.token))
    let pair = "\(parts.1)=\(parts.2)"
    let page = await server.ask("GET \(folder)x?a=1", [host, "Cookie: other=1; \(pair)"])
    #expect(page?.text == "GET /x 1 ")
    let root = await server.ask("GET \(folder)", [host, "Cookie: \(pair)"])
    #expect(root?.text == "GET / - ")
    #expect(await server.ask("GET \(folder)x", [host])?.status == 403)
    let bearer = "Authorization: Bearer \(parts.2)"
    #expect(await server.ask("GET \(folder)x", [host, bearer])?.status == 403)
    #expect(await server.ask("GET /?token=\(parts.2)", [host])?.status == 403)
    // Another user of the computer may have the folder, and still needs the cookie.
    let other = folder.dropLast(2) + "x/"
    #expect(
      await server.ask("GET \(other)x?a=1", [host, "Cookie: \(pair)"])?.text
        == "GET \(other)x 1 ")
  }

  /// The address on a browser's command line is of no use to another user who reads it there.
  @Test("An address for a command line lets in once")
  func once() async throws {
    let host = "Host: 127.0.0.1:\(server.port)"
    let address = try server.addressForOnce()
    let token = String(try #require(address.split(separator: "=").last))
    #expect(address.hasPrefix("http://127.0.0.1:\(server.port)/?token=") && token != server.token)
    let bearer = "Authorization: Bearer \(token)"
    #expect(await server.ask("GET /api/1/camera", [host, bearer])?.status == 403)
    #expect(
      await server.ask("GET /", [host, "Cookie: wbcal\(server.port)=\(token)"])?.status == 403)
    // A HEAD request does not use up the token.
    #expect(
      await server.ask("HEAD /?token=\(token)", [host], hasBody: false)?.status == 403)
    let first = try #require(await server.ask("GET /?token=\(token)", [host]))
    #expect(first.status == 303 && first.header("Set-Cookie")?.contains(token) == false)
    for _ in 0..<2 {
      let second = try #require(await server.ask("GET /?token=\(token)", [host]))
      #expect(second.status == 403 && second.header("Set-Cookie") == nil)
    }
    // The printed token remains valid.
    #expect(await server.ask("GET /?token=\(server.token)", [host])?.status == 303)
    #expect(await server.ask("GET /?token=\(server.token)", [host])?.status == 303)
  }

  @Test("Without the token nothing is answered")
  func strangers() async throws {
    let host = "Host: 127.0.0.1:\(server.port)"
    let wrong = String(server.token.dropLast()) + (server.token.last == "0" ? "1" : "0")
    for headers in [
      [], ["Cookie: wbcal\(server.port)=\(wrong)"], ["Cookie: wbcal\(server.port)=\(server.token)"],
      ["Cookie: wbcal\(server.port)="],
      ["Cookie: wbcal=\(server.token)"], ["Authorization: Bearer \(wrong)"],
      ["Authorization: Basic \(server.token)"], ["Authorization: Bearer"],
    ] {
      let answer = try #require(await server.ask("GET /api/1/camera", [host] + headers))
      #expect(answer.status == 403)
      #expect(answer.header("Content-Type") == "application/json")
      #expect(answer.text.hasPrefix(#"{"version":1,"error":"refused","exitCode":77,"reasons":["#))
      #expect(!answer.text.contains(server.token))
    }
    for target in ["/", "/?token=\(wrong)", "/?token=", "/x?token=\(server.token)"] {
      let answer = try #require(await server.ask("GET \(target)", [host]))
      #expect(answer.status == 403)
      #expect(answer.text.contains("wbcal studio"))
      #expect(answer.header("Set-Cookie") == nil)
    }
    #expect(
      await server.ask("POST /?token=\(server.token)", [host, "Content-Length: 0"])?.status == 403)
  }

  @Test("Other programs show the token as their bearer")
  func bearer() async {
    let headers = ["Host: localhost", "Authorization: Bearer \(server.token)"]
    #expect(await server.ask("GET /api/1/camera", headers)?.status == 200)
  }

  @Test("Every answer makes browsers careful", arguments: [true, false])
  func careful(isAllowed: Bool) async throws {
    let answer = try #require(
      await server.ask("GET /", isAllowed ? server.pass : ["Host: 127.0.0.1"]))
    #expect(answer.status == (isAllowed ? 200 : 403))
    let policy = try #require(answer.header("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
    #expect(policy.hasSuffix("form-action 'none'; frame-ancestors 'none'"))
    #expect(answer.header("X-Content-Type-Options") == "nosniff")
    #expect(answer.header("Referrer-Policy") == "no-referrer")
    #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
    #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin")
    #expect(answer.header("Cache-Control") == "no-store")
  }

  @Test(
    "Names of other machines are not answered",
    arguments: [
      ["Host: evil.example"], ["Host: evil.example:80"], [], ["Host: "], ["Host: 10.0.0.1"],
      ["Host: 127.0.0.1.evil.example"], ["Host: localhost", "Host: evil.example"],
      ["Host: localhost:99999"], ["Host: evil.example@localhost"], ["Host: [::2]"],
    ])
  func rebinding(hosts: [String]) async {
    #expect(await server.ask("GET /", hosts + server.pass.dropFirst())?.status == 421)
  }

  @Test("The server's own names are answered", arguments: ["LOCALHOST", "[::1]:1", "127.0.0.1:9"])
  func names(host: String) async {
    #expect(await server.ask("GET /", ["Host: \(host)"] + server.pass.dropFirst())?.status == 200)
  }

  @Test("Pages of other addresses send nothing")
  func origins() async {
    let json = ["Content-Type: application/json; charset=utf-8", "Content-Length: 2"]
    func post(_ headers: [String]) async -> Int? {
      await server.status("POST /api/1/set", json + headers, body: "{}")
    }
    let own = "http://127.0.0.1:\(server.port)"
    #expect(await post([]) == 200)
    #expect(await post(["Origin: \(own)", "Sec-Fetch-Site: same-origin"]) == 200)
    #expect(await post(["Sec-Fetch-Site: none"]) == 200)
    for origin in [
      "http://evil.example", "null", "https://127.0.0.1:\(server.port)", "http://127.0.0.1:1",
      "http://localhost:\(server.port)", own + ".evil.example", "",
    ] {
      #expect(await post(["Origin: \(origin)"]) == 403, "\(origin)")
    }
    #expect(await post(["Origin: \(own)", "Origin: http://evil.example"]) == 403)
    #expect(await post(["Sec-Fetch-Site: same-site"]) == 403)
    #expect(await post(["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]) == 403)
    #expect(await server.status("GET /", ["Sec-Fetch-Site: same-site"]) == 403)
    #expect(
      await server.status("GET /", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"])
        == 200)
  }

  @Test(
    "A POST is JSON", arguments: ["text/plain", "application/jsonp", "", "multipart/form-data"])
  func types(type: String) async {
    #expect(
      await server.status(
        "POST /api/1/set", ["Content-Type: \(type)", "Content-Length: 2"], body: "{}") == 415)
  }

  @Test(
    "Other methods are not known", arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get", "X"])
  func methods(method: String) async {
    let answer = await server.ask("\(method) /", server.pass)
    #expect(answer?.status == 405)
    #expect(answer?.header("Allow") == "GET, HEAD, POST")
  }

  @Test(
    "Paths that lead elsewhere are not followed",
    arguments: [
      "/%2e%2e/etc/passwd", "/a/../b", "/..", "/./", "//etc", "/a//b", "/%2E%2E%2fetc", "/a%00b",
      "/%", "/%4", "/%zz", "/%ff", "/a%0d%0ab", "/%5c..", "/?a=%00", "/?a=%0", "http://evil/", "*",
    ])
  func paths(path: String) async {
    #expect(await server.status("GET \(path)") == 400)
  }

  @Test("Paths and parameters are decoded once")
  func decoding() async {
    #expect(
      await server.ask("GET /a%20b/%C3%A4%252e?b=1&a=%26+%3D&a=2", server.pass)?.text
        == "GET /a b/ä%2e & = ")
  }
}
