import WbcalWebServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's `send`, which the client's own method would hide.
private func transmit(
  _ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: CInt
) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}

/// A client that sends given bytes. It waits without occupying a thread.
final class Client: Sendable {
  struct Answer {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
  }

  private let descriptor: CInt

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - port: the server's port.
  ///   - machine: the last number of the client's own address in 127.0.0.0.
  ///   - room: the number of bytes that may arrive before they are read.
  init?(_ port: Int, machine: UInt8 = 1, room: CInt? = nil) {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if var room {
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    }
    func call(
      _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ port: Int, _ machine: UInt8
    ) -> Bool {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = (UInt32(127) << 24 | UInt32(machine)).bigEndian
      return unsafe withUnsafeBytes(of: &address) { bytes in
        guard let start = bytes.baseAddress else { return false }
        return unsafe function(
          descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
      }
    }
    guard unsafe call({ unsafe bind($0, $1, $2) }, 0, machine),
      unsafe call({ unsafe connect($0, $1, $2) }, port, 1)
    else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Sends a whole text; returns `false` if the server has closed the connection.
  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe transmit(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno != EAGAIN { return false }
      rest = rest.dropFirst(max(0, count))
      if count < 0 { try? await Task.sleep(for: .milliseconds(2)) }
    }
    return true
  }

  /// Closes the sending direction.
  func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Returns the bytes that have arrived, up to a count; empty at the end, `nil` if none come in
  /// time.
  func receive(_ count: Int = 1 << 16, within limit: Duration = .seconds(10)) async -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    for _ in 0..<rounds(of: 2, in: limit) {
      let got = unsafe recv(descriptor, &buffer, count, 0)
      if got >= 0 { return Array(buffer.prefix(got)) }
      if errno != EAGAIN { return [] }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  /// Indicates whether the server closes the connection, without a pause as long as the limit
  /// before that; its output is discarded.
  func isClosed(within limit: Duration) async -> Bool {
    while let more = await receive(within: limit) {
      if more.isEmpty { return true }
    }
    return false
  }

  /// Returns a response with its body, if it arrives in time.
  func answer(hasBody: Bool = true) async -> Answer? {
    var bytes: [UInt8] = []
    var answer = Answer()
    let isHeadless: ([UInt8]) -> Bool = { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
    while !isHeadless(bytes) {
      guard let more = await receive(1), !more.isEmpty else { return nil }
      bytes += more
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
    answer.headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst()) : "")
    }
    guard hasBody else { return answer }
    let length = answer.header("Content-Length").flatMap { Int($0) }
    while length.map({ answer.body.count < $0 }) ?? true {
      guard let more = await receive() else { return nil }
      if more.isEmpty { break }
      answer.body += more
      if length == nil, answer.body.suffix(5).elementsEqual("0\r\n\r\n".utf8) { break }
    }
    return answer
  }

  /// Sends a request, and waits for the response.
  func ask(
    _ line: String, _ headers: [String] = [], body: String = "", hasBody: Bool = true
  ) async -> Answer? {
    let head = [line + " HTTP/1.1"] + headers
    await send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return await answer(hasBody: hasBody)
  }
}

extension WebServer {
  /// The headers of an authorized request.
  var pass: [String] { ["Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)"] }

  /// Sends one request on a separate connection.
  func ask(
    _ line: String, _ headers: [String], body: String = "", hasBody: Bool = true
  ) async -> Client.Answer? {
    await Client(port)?.ask(line, headers, body: body, hasBody: hasBody)
  }

  /// Returns the status of an authorized request with additional headers.
  func status(_ line: String, _ headers: [String] = [], body: String = "") async -> Int? {
    await ask(line, pass + headers, body: body)?.status
  }
}

/// Returns a server whose responses repeat the request.
func echo(_ change: (inout WebServer.Configuration) -> Void = { _ in }) throws -> WebServer {
  try server(change) { request in
    let text =
      "\(request.method) \(request.path) \(request.query("a") ?? "-") "
      + String(decoding: request.body, as: UTF8.self)
    return WebResponse(contentType: "text/plain", body: .bytes(Array(text.utf8)))
  }
}

func server(
  _ change: (inout WebServer.Configuration) -> Void = { _ in },
  handler: @escaping WebServer.Handler
) throws -> WebServer {
  var configuration = WebServer.Configuration()
  change(&configuration)
  return try WebServer(configuration, handler: handler)
}

/// Waits until a condition holds; returns `false` if it does not in time.
func eventually(_ limit: Duration = .seconds(5), _ holds: () -> Bool) async -> Bool {
  for _ in 0..<rounds(of: 5, in: limit) {
    if holds() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return holds()
}

/// Returns the number of checks, at an interval in milliseconds, within a time. Counted this way,
/// the time does not pass while other tests keep this one from running.
func rounds(of milliseconds: Int, in limit: Duration) -> Int {
  max(1, Int(limit / .milliseconds(milliseconds)))
}
