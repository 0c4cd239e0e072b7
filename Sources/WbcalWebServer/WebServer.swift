import WbcalSystem

/// A small server for one page and for programs, which only admits clients that have its token.
///
/// Handlers run as tasks; a task is cancelled when its client leaves or the server stops. A client
/// that closes only its sending direction has left, too.
package final class WebServer: Sendable {
  /// Answers a request.
  package typealias Handler = @Sendable (WebRequest) async -> WebResponse

  /// The limits of clients' connections and requests.
  package struct Limits: Sendable {
    /// The largest number of connections of authorized clients.
    package var connections = 64
    /// The largest number of connections of other clients; the oldest makes room for the newest.
    package var strangers = 32
    /// The largest size of a request's first line and headers, in bytes.
    package var header = 32 << 10
    package var body = 1 << 20
    /// The longest time in which a request must arrive.
    package var request = Duration.seconds(10)
    /// The longest time in which a client may accept no part of a response, or send no request; in
    /// whole seconds.
    package var idle = Duration.seconds(30)

    package init() {}
  }

  package struct Configuration: Sendable {
    /// The host and port; port 0 means any free port.
    package var listen = "127.0.0.1:0"
    /// Indicates whether other machines may connect to the server.
    package var allowsRemote = false
    /// The certificate in PEM; with it and ``key`` the server uses TLS.
    package var certificate: [UInt8]?
    package var key: [UInt8]?
    package var limits = Limits()

    package init() {}
  }

  /// The address of the page, with its token.
  package var address: String { "\(origin)/?token=\(token)" }
  package let port: Int
  /// 128 random bits, in hexadecimal.
  package let token: String
  private let origin: String
  private let passes: Passes
  private let connections: Connections

  /// Starts to listen and to answer.
  package init(
    _ configuration: Configuration, handler: @escaping Handler
  ) throws(WebServerError) {
    guard (configuration.certificate == nil) == (configuration.key == nil) else {
      throw WebServerError(.usage, "A certificate requires its key, and a key its certificate.")
    }
    let isSecure = configuration.certificate != nil
    token = try Self.randomToken()
    let socket = try ListeningSocket(
      at: ListenAddress(configuration.listen), allowsRemote: configuration.allowsRemote)
    port = socket.port
    let machine = ListeningSocket.machine ?? "localhost"
    let host = socket.isIPv6 ? "[\(socket.host)]" : socket.host
    origin = "\(isSecure ? "https" : "http")://\(socket.isWildcard ? machine : host):\(port)"
    passes = Passes(token: token, cookie: try Self.randomToken(), folder: try Self.randomToken())
    var names: Set = [host, "localhost", "127.0.0.1", "[::1]"]
    if !socket.isLoopback { names.formUnion([machine, machine + ".local"]) }
    let rules = AccessRules(
      passes: passes, port: port, isSecure: isSecure, names: names,
      allowsNumbers: !socket.isLoopback, bodyLimit: configuration.limits.body)
    connections = Connections(rules: rules, limits: configuration.limits, handler: handler)
    guard
      connections.start(socket, certificate: configuration.certificate, key: configuration.key)
    else {
      throw isSecure
        ? WebServerError(
          .usage, "TLS cannot use the certificate and the key in these PEM files.")
        : WebServerError(.unavailable, "The system did not allow the server to start.")
    }
  }

  deinit { connections.stop() }

  /// Ends every stream, cancels every handler and closes every connection, and waits for that, but
  /// not for work that a handler does after its cancellation.
  package func stop() { connections.stop() }

  /// Returns the address of the page with a one-time token: for a command line, which other users
  /// of the computer can read.
  package func addressForOnce() throws(WebServerError) -> String {
    let token = try Self.randomToken()
    passes.allowOnce(token)
    return "\(origin)/?token=\(token)"
  }

  private static func randomToken() throws(WebServerError) -> String {
    guard let bytes = randomBytes(16) else {
      throw WebServerError(.unavailable, "The system provides no random numbers for the token.")
    }
    return bytes.map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}
