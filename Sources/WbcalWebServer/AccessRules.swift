/// The rules of access: all requirements that a request must meet before a handler receives it.
package struct AccessRules: Sendable {
  /// The decision on a request.
  package enum Verdict: Sendable {
    case allowed(RequestTarget)
    /// The request is answered; `isFinal` if its body is not worth reading, or not to be trusted.
    case answered(WebResponse, isFinal: Bool)
  }

  private let passes: Passes
  /// The name of the cookie, distinct for each port because browsers keep cookies by host only.
  let cookie: String
  let isSecure: Bool
  /// The server's host names, in lower case.
  let names: Set<String>
  /// Indicates whether a numeric address counts as a name of the server. A page of another site
  /// cannot make a numeric address point to this server, as it can a name (DNS rebinding).
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

  /// The headers of every response.
  static let headers = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// Decides on a request from its first line and its headers.
  package func verdict(
    method: String, target text: String, headers: RequestHeaders
  ) -> Verdict {
    let isPost = method == "POST"
    func refuse(_ status: Int, _ reason: String, isFinal: Bool = false) -> Verdict {
      .answered(refusal(status, reason, target: text), isFinal: isFinal)
    }

    // The length of the body must be certain, or the bytes after it might be read as another
    // request.
    let lengths = headers.values("Content-Length")
    let encodings = headers.values("Transfer-Encoding").map { $0.lowercased() }
    guard lengths.count + encodings.count <= 1, encodings.allSatisfy({ $0 == "chunked" }),
      isPost || encodings.isEmpty && lengths.allSatisfy({ $0 == "0" })
    else {
      return refuse(400, "The length of the request's body is ambiguous or invalid.", isFinal: true)
    }
    guard isPost || method == "GET" || method == "HEAD" else {
      return refuse(405, "The studio supports only GET, HEAD and POST.", isFinal: true)
    }
    if lengths.contains(where: { Int($0).map { $0 > bodyLimit } ?? true }) {
      return refuse(413, "The request's body is too large.", isFinal: true)
    }

    let hosts = headers.values("Host")
    guard hosts.count == 1, let host = hosts.first, isOwn(host) else {
      return refuse(421, "The host name of this address is not one of the studio's.")
    }
    guard let target = RequestTarget(text)?.within(passes.folder) else {
      return refuse(400, "The address is not one of the studio's.")
    }
    let tokens = target.query.filter { $0.name == "token" }
    if method == "GET", target.path == "/", tokens.contains(where: { passes.accepts($0.value) }) {
      return .answered(entrance, isFinal: false)
    }
    guard isAuthorized(headers) else {
      return refuse(
        403,
        "This page requires the complete address, with the token, that wbcal studio printed when "
          + "it started. Open that address again.")
    }
    let origins = headers.values("Origin")
    let sites = headers.values("Sec-Fetch-Site")
    // A link on another page may lead here; a picture or a script in it may not come from here.
    let isVisit = !isPost && headers.values("Sec-Fetch-Mode") == ["navigate"]
    guard !isPost || origins.allSatisfy({ isOwn(origin: $0, host: host) }),
      isVisit || sites.allSatisfy({ $0 == "same-origin" || $0 == "none" })
    else {
      return refuse(
        403, "This request came from another page; only the studio's own page may send it.")
    }
    guard !isPost || headers.values("Content-Type").map(Self.mediaType) == ["application/json"]
    else { return refuse(415, "A POST must have a body of the type application/json.") }
    return .allowed(target)
  }

  /// Returns the response to a refused request, in the form that its target has.
  private func refusal(_ status: Int, _ reason: String, target: String) -> WebResponse {
    let isRefusal = status == 403 || status == 421
    var answer =
      target.hasPrefix("/api/") || target.hasPrefix("/\(passes.folder)/api/")
      ? WebResponse.failure(
        status, error: isRefusal ? "refused" : "usage", exitCode: isRefusal ? 77 : 64,
        reasons: [reason])
      : .page(status, reason)
    if status == 405 { answer.headers.append(("Allow", "GET, HEAD, POST")) }
    return answer
  }

  /// Returns the response that sets the cookie in exchange for a token, and redirects to the page.
  private var entrance: WebResponse {
    var answer = WebResponse.page(303, "The studio's page is at another address.")
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

  /// Indicates whether the name in a `Host` header is the server's. The port may be that of a
  /// tunnel.
  package func isOwn(_ host: String) -> Bool {
    guard let name = ListenAddress.split(host)?.host.lowercased() else { return false }
    return names.contains(name) || allowsNumbers && ListenAddress.isNumeric(name)
  }

  /// Indicates whether a page has the same origin as its request's address.
  package func isOwn(origin: String, host: String) -> Bool {
    origin.lowercased() == (isSecure ? "https://" : "http://") + host.lowercased()
  }

  /// Returns the values of the cookies with a name in one `Cookie` header.
  package static func cookies(in header: String, named name: String) -> [String] {
    // The header is split by bytes, because a character may be a semicolon with an accent.
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
