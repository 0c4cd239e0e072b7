import WbcalSystem

/// The address at which a server listens: a host and a port.
package struct ListenAddress: Sendable, Equatable {
  /// A name or a numeric address, without brackets.
  package let host: String
  package let port: UInt16

  /// Parses a text such as `127.0.0.1:0`, `[::1]:8080` or `localhost:8080`.
  package init(_ text: String) throws(WebServerError) {
    guard let (host, port) = Self.split(text), let port else {
      throw WebServerError(
        .usage,
        "“\(text)” is not an address to listen on. Write a host and a port, such as 127.0.0.1:8080 "
          + "or [::1]:8080; port 0 is any free port.")
    }
    self.host = host.first == "[" ? String(host.dropFirst().dropLast()) : host
    self.port = port
  }

  /// Splits a text into a host, with its brackets, and the port, if there is one; `nil` if it is
  /// not an address.
  package static func split(_ text: String) -> (host: String, port: UInt16?)? {
    var host = text[...]
    var port: UInt16?
    if let colon = text.lastIndex(of: ":"), text.last != "]" {
      let digits = text[text.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits)
      else { return nil }
      host = text[..<colon]
      port = number
    }
    let isBracketed = host.utf8.count > 2 && host.first == "[" && host.last == "]"
    let name = isBracketed ? host.dropFirst().dropLast() : host
    let others = isBracketed ? ".:%-_" : ".-_"
    guard !name.isEmpty, name.utf8.count <= 255,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) })
    else { return nil }
    return (String(host), port)
  }

  /// Indicates whether a host, in brackets if it is an IPv6 address, is numeric.
  package static func isNumeric(_ host: String) -> Bool {
    var address = in6_addr()
    return host.first == "["
      ? unsafe inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
      : unsafe inet_pton(AF_INET, host, &address) == 1
  }
}

/// A socket that accepts connections.
struct ListeningSocket {
  let descriptor: CInt
  let host: String
  let port: Int

  var isIPv6: Bool { host.contains(":") }
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
  var isLoopback: Bool { Self.isLoopback(host) }

  /// Opens the socket.
  ///
  /// - Parameter allowsRemote: `true` if other machines may connect.
  init(at address: ListenAddress, allowsRemote: Bool) throws(WebServerError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    #if canImport(Glibc)
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #else
    unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &list)
    defer { unsafe freeaddrinfo(list) }
    guard code == 0, let entry = unsafe list?.pointee, let place = unsafe entry.ai_addr else {
      throw WebServerError(
        .usage,
        "The host \(address.host) is not known (\(unsafe String(cString: gai_strerror(code)))). "
          + "Use an address of this machine, such as 127.0.0.1.")
    }
    let numeric = unsafe Self.numericHost(place, entry.ai_addrlen) ?? address.host
    guard allowsRemote || Self.isLoopback(numeric) else {
      throw WebServerError(
        .refused,
        "\(numeric) can be reached from other machines: anyone with the studio's address could "
          + "see the camera and change it. Listen on 127.0.0.1 instead, and forward the port with "
          + "ssh; or allow other machines with --allow-remote.")
    }
    host = numeric
    let socket = unsafe socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard socket >= 0 else { throw Self.problem(address, errno) }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    // Connections inherit these. The buffers are small because on a slow network a picture that
    // waits in them becomes outdated.
    let options: [(level: CInt, name: CInt, value: CInt)] = [
      (SOL_SOCKET, SO_REUSEADDR, 1), (SOL_SOCKET, SO_SNDBUF, 64 << 10),
      (CInt(IPPROTO_TCP), TCP_NODELAY, 1), (CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 16 << 10),
    ]
    for var option in options {
      _ = unsafe setsockopt(
        socket, option.level, option.name, &option.value, socklen_t(MemoryLayout<CInt>.size))
    }
    guard unsafe bind(socket, place, entry.ai_addrlen) == 0, listen(socket, 64) == 0 else {
      let error = errno
      close(socket)
      throw Self.problem(address, error)
    }
    descriptor = socket
    port = Self.port(of: socket) ?? Int(address.port)
  }

  private static func problem(_ address: ListenAddress, _ error: CInt) -> WebServerError {
    let reason =
      switch error {
      case EADDRINUSE:
        "Another program is listening on port \(address.port) of \(address.host). Choose another "
          + "port, or 0 for any free port."
      case EADDRNOTAVAIL: "This machine does not have the address \(address.host)."
      case EACCES:
        "Port \(address.port) is reserved for the system. Choose a port of 1024 or above, or 0 "
          + "for any free port."
      default:
        "The server cannot listen on port \(address.port) of \(address.host): "
          + "\(systemErrorText(error))."
      }
    return WebServerError(.unavailable, reason)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "::1" || host.hasPrefix("127.") && ListenAddress.isNumeric(host)
  }

  /// Returns the port at which a socket listens.
  private static func port(of socket: CInt) -> Int? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let place = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        unsafe getsockname(socket, place, &size) == 0
      else { return nil }
      // Both address families have their port, big-endian, after two bytes.
      return unsafe Int(bytes[2]) << 8 | Int(bytes[3])
    }
  }

  /// Returns the address of the peer of a connection.
  static func peer(of socket: CInt) -> String {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let place = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        unsafe getpeername(socket, place, &size) == 0
      else { return nil }
      return unsafe numericHost(place, size)
    } ?? "unknown"
  }

  private static func numericHost(
    _ address: UnsafePointer<sockaddr>, _ size: socklen_t
  ) -> String? {
    unsafe text { buffer in
      unsafe getnameinfo(
        address, size, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
    }
  }

  /// The name of this machine.
  static var machine: String? {
    unsafe text { buffer in
      unsafe buffer.baseAddress.map { unsafe gethostname($0, buffer.count - 1) } ?? -1
    }
  }

  private static func text(_ fill: (UnsafeMutableBufferPointer<CChar>) -> CInt) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1025) { buffer in
      unsafe buffer.initialize(repeating: 0)
      guard unsafe fill(buffer) == 0, let start = buffer.baseAddress else { return nil }
      return unsafe String(cString: start)
    }
  }
}
