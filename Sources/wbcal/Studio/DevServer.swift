import Foundation
import Dispatch
import WbcalSystem
final class Box<T>: @unchecked Sendable { var value: T?; }
final class DevServer: @unchecked Sendable {
  let fd: Int32
  let port: Int
  let handler: @Sendable (StudioRequest) async -> StudioAnswer
  init(host: String, port: Int, handler: @escaping @Sendable (StudioRequest) async -> StudioAnswer) throws {
    self.handler = handler
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    unsafe setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr(host)
    let ok = unsafe withUnsafePointer(to: &address) { unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.bind(fd, $0, 16) } }
    guard ok == 0 else { throw Failure("bind", host, errno: errno) }
    listen(fd, 64)
    var bound = sockaddr_in(); var len: socklen_t = 16
    _ = unsafe withUnsafeMutablePointer(to: &bound) { unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(fd, $0, &len) } }
    self.fd = fd
    self.port = Int(in_port_t(bigEndian: bound.sin_port))
    Thread.detachNewThread { while true { let c = accept(self.fd, nil, nil); if c < 0 { return }; Thread.detachNewThread { self.serve(c) } } }
  }
  func wait<T: Sendable>(_ work: @escaping @Sendable () async -> T) -> T? {
    let s = DispatchSemaphore(value: 0); let b = Box<T>()
    Task.detached { b.value = await work(); s.signal() }
    s.wait(); return b.value
  }
  func serve(_ c: Int32) {
    defer { close(c) }
    var data: [UInt8] = []
    var buf = [UInt8](repeating: 0, count: 65536)
    func more() -> Bool { let n = unsafe read(c, &buf, buf.count); if n <= 0 { return false }; data += buf[..<n]; return true }
    var text = ""
    var headEnd = 0
    while true {
      if let r = data.firstRange(of: Array("\r\n\r\n".utf8)) { headEnd = r.upperBound; text = String(decoding: data[..<r.lowerBound], as: UTF8.self); break }
      if !more() { return }
    }
    let lines = text.components(separatedBy: "\r\n")
    let first = lines[0].split(separator: " ").map(String.init)
    guard first.count == 3 else { return }
    var headers: [String: String] = [:]
    for l in lines.dropFirst() { let p = l.split(separator: ":", maxSplits: 1); if p.count == 2 { headers[p[0].lowercased()] = p[1].trimmingCharacters(in: .whitespaces) } }
    let length = Int(headers["content-length"] ?? "0") ?? 0
    while data.count - headEnd < length { if !more() { return } }
    let parts = first[1].split(separator: "?", maxSplits: 1).map(String.init)
    var query: [String: String] = [:]
    if parts.count > 1 { for q in parts[1].split(separator: "&") { let kv = q.split(separator: "=", maxSplits: 1); query[String(kv[0])] = kv.count > 1 ? String(kv[1]).removingPercentEncoding : "" } }
    let request = StudioRequest(method: first[0], path: parts[0].removingPercentEncoding ?? "", query: query, headers: headers, body: Array(data[headEnd...]))
    guard let answer = wait({ await self.handler(request) }) else { return }
    switch answer {
    case .whole(let part):
      var head = "HTTP/1.1 \(part.status) X\r\nContent-Type: \(part.contentType)\r\nContent-Length: \(part.bytes.count)\r\nConnection: close\r\n"
      for (k, v) in part.headers { head += "\(k): \(v)\r\n" }
      _ = writeAll(to: c, Array((head + "\r\n").utf8) + part.bytes)
    case .stream(let stream):
      _ = writeAll(to: c, Array("HTTP/1.1 200 OK\r\nContent-Type: \(stream.contentType)\r\nConnection: close\r\n\r\n".utf8))
      while let piece = wait({ await stream.next() }), let piece { if writeAll(to: c, piece) != nil { break } }
      _ = wait { await stream.end() }
    }
  }
  func stop() { shutdown(fd, 2); close(fd) }
}
