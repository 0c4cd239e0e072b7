/// Who may ask for what. Whatever a request must fulfil before a handler sees it is here.
package struct AccessRules: Sendable {
  /// What becomes of a request.
  package enum Verdict: Sendable {
    case allowed(RequestTarget)
    /// `isFinal` where the request's body is not worth reading, or not to be trusted.
    case answered(WebResponse, isFinal: Bool)
  }

  private let passes: Passes
  /// Distinct for every port, because browsers keep cookies by host alone.
  let cookie: String
  let isSecure: Bool
  /// The server's host names, in lower case.
  let names: Set<String>
  /// Whether an address in numbers counts as a name of the server, which a page of another site
  /// cannot borrow as it can a name.
  let allowsNumbers: Bool
  let bodyLimit: Int

  package init(
    passes: Passes, port: Int, isSecure: Bool, names: Set<String>, allowsNumbers: Bool,
    bodyLimit: Int
  ) {
    self.passes = passes
    cookie = "wbcal\(port)"
    self.isSecure = isSecure
    self.names = Set(names.map { $0.lowercased() })
    self.allowsNumbers = allowsNumbers
    self.bodyLimit = bodyLimit
  }

  /// The headers of every answer.
  static let headers = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// Judges a request by its first line and its headers.
  package func verdict(
    method: String, target text: String, headers: RequestHeaders
  ) -> Verdict {
    let isPost = method == "POST"
    func refuse(_ status: Int, _ reason: String, isFinal: Bool = false) -> Verdict {
      let isRefusal = status == 403 || status == 421
      var answer =
        text.hasPrefix("/api/") || text.hasPrefix("/\(passes.folder)/api/")
        ? WebResponse.failure(
          status, error: isRefusal ? "refused" : "usage", exitCode: isRefusal ? 77 : 64,
          reasons: [reason])
        : .page(status, reason)
      if status == 405 { answer.headers.append(("Allow", "GET, HEAD, POST")) }
      return .answered(answer, isFinal: isFinal)
    }

    // How long the body is must be beyond doubt, or what follows it might pass for a request.
    let lengths = headers.values("Content-Length")
    let encodings = headers.values("Transfer-Encoding").map { $0.lowercased() }
    guard lengths.count + encodings.count <= 1, encodings.allSatisfy({ $0 == "chunked" }),
      isPost || encodings.isEmpty && lengths.allSatisfy({ $0 == "0" })
    else { return refuse(400, "The length of the request's body is not clear.", isFinal: true) }
    guard isPost || method == "GET" || method == "HEAD" else {
      return refuse(405, "The studio answers GET, HEAD and POST only.", isFinal: true)
    }
    if lengths.contains(where: { Int($0).map { $0 > bodyLimit } ?? true }) {
      return refuse(413, "The request's body is too large.", isFinal: true)
    }

    let hosts = headers.values("Host")
    guard hosts.count == 1, let host = hosts.first, isOwn(host) else {
      return refuse(421, "The studio is not known by the host name of this address.")
    }
    guard let target = RequestTarget(text)?.within(passes.folder) else {
      return refuse(400, "The address is not one of the studio's.")
    }
    let tokens = target.query.filter { $0.name == "token" }
    if method == "GET", target.path == "/", tokens.contains(where: { passes.letsIn($0.value) }) {
      return .answered(entrance, isFinal: false)
    }
    guard isAuthorized(headers) else {
      return refuse(
        403,
        "This page needs the whole address that wbcal studio printed when it started, with its "
          + "token. Open that address again.")
    }
    let origins = headers.values("Origin")
    let sites = headers.values("Sec-Fetch-Site")
    // A link on another page may lead here; a picture or a script there may not come from here.
    let isVisit = !isPost && headers.values("Sec-Fetch-Mode") == ["navigate"]
    guard !isPost || origins.allSatisfy({ isOwn(origin: $0, host: host) }),
      isVisit || sites.allSatisfy({ $0 == "same-origin" || $0 == "none" })
    else { return refuse(403, "Another page has sent this request; only the studio's own may.") }
    guard !isPost || headers.values("Content-Type").map(Self.mediaType) == ["application/json"]
    else { return refuse(415, "A POST has a body of the type application/json.") }
    return .allowed(target)
  }

  /// Trades a token for the cookie, and leads to the page.
  private var entrance: WebResponse {
    var answer = WebResponse.page(303, "The studio's page is behind this one.")
    let path = "/\(passes.folder)/"
    let secure = isSecure ? "; Secure" : ""
    answer.headers = [
      ("Location", path),
      (
        "Set-Cookie",
        "\(cookie)=\(passes.cookie); HttpOnly; SameSite=Strict; Path=\(path)\(secure)"
      ),
    ]
    return answer
  }

  private func isAuthorized(_ headers: RequestHeaders) -> Bool {
    headers.values("Cookie").flatMap { Self.cookies(in: $0, named: cookie) }
      .contains { Passes.areSame($0, passes.cookie) }
      || headers.values("Authorization").contains { value in
        let parts = value.split(separator: " ")
        return parts.count == 2 && parts[0].lowercased() == "bearer"
          && Passes.areSame(String(parts[1]), passes.token)
      }
  }

  /// Whether the name in a `Host` header is the server's. The port may be that of a tunnel.
  package func isOwn(_ host: String) -> Bool {
    guard let name = ListenAddress.split(host)?.host.lowercased() else { return false }
    return names.contains(name) || allowsNumbers && ListenAddress.isNumeric(name)
  }

  /// Whether a page is from the same address as what it asks for.
  package func isOwn(origin: String, host: String) -> Bool {
    origin.lowercased() == (isSecure ? "https://" : "http://") + host.lowercased()
  }

  /// The values of a cookie's name in one `Cookie` header.
  package static func cookies(in header: String, named name: String) -> [String] {
    // Bytes, because a character may be a semicolon with an accent.
    header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
      let parts = pair.drop { $0 == UInt8(ascii: " ") }.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].elementsEqual(name.utf8) ? String(parts[1]) : nil
    }
  }

  private static func mediaType(_ value: String) -> String {
    value.prefix { $0 != ";" && $0 != " " }.lowercased()
  }
}
