import Foundation
import Synchronization
import Testing

/// The tests of studios, one after another: they wait often, and other tests need the threads.
@Suite(.serialized) enum StudioSuite {}

/// A running studio, and requests to it as from a browser. Its properties are set once.
final class StudioBench: @unchecked Sendable {
  let bench: Workbench
  let process: Process
  private let errors: URL
  let port: UInt16
  let token: String

  struct Response {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the object in the body.
    func object(_ sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
      let value = try? JSONSerialization.jsonObject(with: Data(body))
      return try #require(value as? [String: Any], "\(text)", sourceLocation: sourceLocation)
    }
  }

  /// Starts a studio in a bench's folder, and waits until it prints its address.
  convenience init(
    _ bench: Workbench, _ arguments: String..., device: String = Workbench.camera,
    environment: [String: String] = [:]
  ) throws {
    try self.init(bench, arguments, device: device, environment: environment)
  }

  init(
    _ bench: Workbench, _ arguments: [String], device: String = Workbench.camera,
    environment: [String: String] = [:]
  ) throws {
    self.bench = bench
    let output: URL
    (process, output, errors) = bench.process(
      ["studio", "--device", device] + arguments, input: .nullDevice)
    process.environment?.merge(environment) { $1 }
    try process.run()
    var found: (UInt16, String)?
    for _ in 0..<1000 where found == nil {
      usleep(10_000)
      let text = try String(contentsOf: output, encoding: .utf8)
      guard let match = text.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/\?token=(\w+)\n/#),
        let port = UInt16(match.1)
      else { continue }
      found = (port, String(match.2))
    }
    (port, token) = try #require(
      found, "\((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Ends the studio by a signal; returns its status and its output to standard error.
  func end(_ signal: Int32 = SIGINT) throws -> (status: Int32, errors: String) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
  }

  // MARK: HTTP

  /// Opens a connection to the studio, and sends a request on it.
  func connect(_ request: String, body: [UInt8] = []) throws -> Int32 {
    try Self.connect(request, body: body, port: port)
  }

  /// Returns the response of a server on this computer.
  static func exchange(_ request: String, body: [UInt8], port: UInt16) throws -> Response {
    let descriptor = try connect(request, body: body, port: port)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while let more = read(descriptor), !more.isEmpty {
      bytes += more
      // Not every server closes the connection.
      if let found = response(bytes), let length = found.headers["content-length"],
        found.body.count >= Int(length) ?? .max
      {
        break
      }
    }
    guard let response = response(bytes),
      response.body.count >= response.headers["content-length"].flatMap(Int.init) ?? 0
    else { throw NoAnswer(request: request) }
    return response
  }

  /// The server has ended, or closed the connection.
  struct NoAnswer: Error { var request: String }

  static func connect(
    _ request: String, body: [UInt8], port: UInt16
  ) throws -> Int32 {
    #if os(Linux)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (0x7F00_0001 as UInt32).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Foundation.connect(descriptor, $0, size)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED) }
    try send(Array(request.utf8) + body, to: descriptor)
    return descriptor
  }

  /// Sends bytes; fails if the server has ended, which is no failure of a test by itself: a page
  /// asks until then.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
    let count = unsafe Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPIPE) }
    try #require(count == bytes.count)
  }

  func head(
    _ method: String, _ path: String, _ headers: [String: String?] = [:], length: Int? = nil
  ) -> String {
    var fields: [String: String?] = [
      "Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)", "Connection": "close",
    ]
    if let length { fields["Content-Length"] = "\(length)" }
    fields.merge(headers) { $1 }
    let lines = fields.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
    return "\(method) \(path) HTTP/1.1\r\n" + lines.joined() + "\r\n"
  }

  func request(
    _ method: String, _ path: String, _ headers: [String: String?] = [:], body: [UInt8]? = nil
  ) throws -> Response {
    let response = try Self.exchange(
      head(method, path, headers, length: body?.count), body: body ?? [], port: port)
    expectPlain(try? JSONSerialization.jsonObject(with: Data(response.body)), in: path)
    return response
  }

  /// Expects that all sentences for the user are in the words of pages: without commands, options,
  /// and long numbers.
  private func expectPlain(_ value: Any?, in path: String) {
    if let list = value as? [Any] { return list.forEach { expectPlain($0, in: path) } }
    for (key, value) in value as? [String: Any] ?? [:] {
      expectPlain(value, in: path)
      guard ["reasons", "reason", "remark", "text", "problem", "advice"].contains(key) else {
        continue
      }
      for sentence in value as? [String] ?? [value as? String].compactMap(\.self) {
        let foreign = sentence.firstMatch(of: #/--[a-z]|wbcal (?!studio)[a-z]|\n|\d\.\d{7}/#)
        #expect(foreign == nil, "\(path): \(sentence)")
      }
    }
  }

  static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return count >= 0 ? Array(buffer[..<count]) : nil
  }

  /// Parses a response as far as it has arrived; `nil` before the end of its head.
  static func response(_ bytes: [UInt8]) -> Response? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (String, String)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
    }
    let fields = Dictionary(headers) { $0 + "; " + $1 }
    let rest = Array(bytes[end.upperBound...])
    let body = fields["transfer-encoding"] == "chunked" ? unchunked(rest) : rest
    return Response(status: status, headers: fields, body: body)
  }

  /// Returns the bytes of chunks as far as they have arrived (RFC 9112 §7.1).
  private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    var (result, rest) = ([UInt8](), bytes[...])
    while let end = rest.firstRange(of: Array("\r\n".utf8)) {
      let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
      if length == 0 { break }
      let chunk = rest[end.upperBound...].prefix(length)
      result += chunk
      rest = rest[end.upperBound...].dropFirst(length + 2)
    }
    return result
  }

  func get(_ path: String) throws -> Response { try request("GET", "/api/1/" + path) }

  /// Requests an action without waiting for the response; returns the connection.
  func send(_ action: String, _ json: String, page: String) throws -> Int32 {
    let head = head(
      "POST", "/api/1/" + action, ["Content-Type": "application/json", "X-Wbcal-Page": page],
      length: json.utf8.count)
    return try connect(head, body: Array(json.utf8))
  }

  /// Returns the response to an action.
  func post(
    _ action: String, _ json: String = "{}", page: String = "test"
  ) throws -> Response {
    try request(
      "POST", "/api/1/" + action,
      ["Content-Type": "application/json", "X-Wbcal-Page": page], body: Array(json.utf8))
  }

  /// Returns the object in the response to an action, which must succeed.
  func act(
    _ action: String, _ json: String = "{}", page: String = "test",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Any] {
    let response = try post(action, json, page: page)
    #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
    return try response.object(sourceLocation)
  }
}

/// An open page, which asks a studio for its events again and again.
final class StudioPage: Sendable {
  private struct State {
    var events: [(name: String, data: String)] = []
    var isLeaving = false
  }

  private let studio: StudioBench
  private let name: String
  private let state = Mutex(State())

  init(_ studio: StudioBench, _ name: String = "test") throws {
    (self.studio, self.name) = (studio, name)
    // The studio knows the page from its first request on.
    let first = try ask(after: 0)
    Thread.detachNewThread { [self] in
      var last = first
      while !state.withLock(\.isLeaving) {
        guard let next = try? ask(after: last) else { break }
        last = next
      }
    }
  }

  private func ask(after number: Int) throws -> Int {
    let answer = try studio.get("news?page=\(name)&after=\(number)").object()
    let events = try #require(answer["events"] as? [[String: Any]])
    try state.withLock { state in
      for event in events {
        let data = try JSONSerialization.data(
          withJSONObject: event["data"] ?? [:], options: [.sortedKeys, .withoutEscapingSlashes])
        state.events.append((event["name"] as? String ?? "", String(decoding: data, as: UTF8.self)))
      }
    }
    return try #require(answer["last"] as? Int)
  }

  /// Closes the page.
  func leave() {
    state.withLock { $0.isLeaving = true }
    _ = try? studio.post("leave", page: name)
  }

  /// Returns the data of the events of a name so far.
  func texts(_ name: String) -> [String] {
    state.withLock { $0.events.filter { $0.name == name }.map(\.data) }
  }

  /// Returns the events of a name as objects.
  func events(_ name: String) -> [[String: Any]] {
    texts(name).compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  /// Waits for an event of a name that meets a condition, and returns it. The time is counted in
  /// rounds: other tests can keep this one from running for longer than it waits.
  func wait(
    for name: String, seconds: Double = 600, sourceLocation: SourceLocation = #_sourceLocation,
    where isWanted: ([String: Any]) -> Bool = { _ in true }
  ) async throws -> [String: Any] {
    for _ in 0..<Int(seconds * 20) {
      if let event = events(name).last(where: isWanted) { return event }
      try await Task.sleep(for: .milliseconds(50))
    }
    return try #require(
      nil as [String: Any]?, "no \(name) as wanted in \(texts(name).suffix(5))",
      sourceLocation: sourceLocation)
  }
}
