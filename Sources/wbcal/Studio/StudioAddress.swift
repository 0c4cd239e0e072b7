import WbcalArguments

/// Where a studio listens.
struct StudioAddress: Sendable {
  var host: String
  var port: Int

  static let local = StudioAddress(host: "127.0.0.1", port: 0)

  private init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  init(argument: String) throws {
    let form = "write it as address:port, such as 127.0.0.1:8080 or [::1]:8080."
    guard let colon = argument.lastIndex(of: ":"),
      let port = Int(argument[argument.index(after: colon)...]), 0...65_535 ~= port
    else { throw ValidationError(form) }
    var host = String(argument[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty, host.contains(":") == argument.hasPrefix("[") else {
      throw ValidationError(form)
    }
    self.init(host: host, port: port)
  }

  /// Whether only this computer sees it.
  var isLocal: Bool {
    host == "::1" || host == "localhost"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }

  /// The address as a part of a URL.
  func authority(port: Int) -> String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
