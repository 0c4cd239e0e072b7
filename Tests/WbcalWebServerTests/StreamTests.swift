import Synchronization
import Testing
import WbcalWebServer

@Suite(.serialized, .timeLimit(.minutes(10)))
struct StreamTests {
  /// A source that counts the calls of its streams.
  final class Source: Sendable {
    private let counts = Mutex((asked: 0, cancelled: 0, ended: 0))
    var asked: Int { counts.withLock { $0.asked } }
    var cancelled: Int { counts.withLock { $0.cancelled } }
    var ended: Int { counts.withLock { $0.ended } }

    /// Returns a stream of pieces that start with their number, as fast as they are accepted, or
    /// without any for a day.
    func stream(size: Int = 100_000, count: Int = .max, isSilent: Bool = false) -> WebResponse {
      .stream(
        contentType: "application/octet-stream",
        next: { [self] in
          let number = counts.withLock { counts in
            counts.asked += 1
            return counts.asked
          }
          if number > count { return nil }
          if isSilent {
            try? await Task.sleep(for: .seconds(86_400))
            if Task.isCancelled { counts.withLock { $0.cancelled += 1 } }
          }
          return Array("[\(number)]".utf8) + [UInt8](repeating: 0x2E, count: size)
        }, ended: { [self] in counts.withLock { $0.ended += 1 } })
    }
  }

  private func request(_ server: WebServer, _ method: String = "GET") -> String {
    (["\(method) / HTTP/1.1"] + server.pass).joined(separator: "\r\n") + "\r\n\r\n"
  }

  @Test func `A stream that ends is a whole answer`() async throws {
    let source = Source()
    let server = try server { _ in source.stream(size: 10, count: 3) }
    let client = try #require(Client(server.port))
    for last in [3, 0] {
      let answer = try #require(await client.ask("GET /", server.pass))
      #expect(answer.header("Transfer-Encoding") == "chunked")
      #expect(answer.text.hasSuffix("0\r\n\r\n"))
      #expect(answer.text.contains("[\(last)]") == (last > 0))
    }
    #expect(await eventually { source.ended == 2 })
  }

  @Test func `Two read, each at its own settlingRate`() async throws {
    let sources = [Source(), Source()]
    let next = Mutex(0)
    let server = try server { _ in
      sources[
        next.withLock { number in
          defer { number += 1 }
          return number
        }
      ].stream()
    }
    let slow = try #require(Client(server.port, room: 4096))
    await slow.send(request(server))
    #expect(await eventually { next.withLock { $0 } == 1 })
    let fast = try #require(Client(server.port))
    await fast.send(request(server))
    var count = 0
    while count < 30_000_000, let bytes = await fast.receive(), !bytes.isEmpty {
      count += bytes.count
    }
    #expect(sources[1].asked > 250)
    // The pieces that the slow client has not read fill the buffers on the way, and no more.
    #expect((1...6).contains(sources[0].asked))
    var text = ""
    while !text.contains("[2]"), let bytes = await slow.receive(), !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
    }
    #expect(text.contains("[1]") && text.contains("[2]"))
    #expect((2...8).contains(sources[0].asked))
  }

  @Test func `Nobody reads, nothing is made`() async throws {
    let source = Source()
    let server = try server { _ in source.stream() }
    let client = try #require(Client(server.port))
    await client.send(request(server, "HEAD"))
    #expect(await client.answer(hasBody: false)?.status == 200)
    #expect(await eventually { source.ended == 1 })
    #expect(source.asked == 0)
  }

  @Test(arguments: [true, false])
  func `Who leaves is not served any more`(isSilent: Bool) async throws {
    let source = Source()
    let server = try server { _ in source.stream(isSilent: isSilent) }
    var client = Client(server.port)
    await client?.send(request(server))
    #expect(await eventually { source.asked > 0 })
    client = nil
    #expect(await eventually(.seconds(1)) { source.ended == 1 })
    #expect(source.cancelled == (isSilent ? 1 : 0))
    let asked = source.asked
    try await Task.sleep(for: .milliseconds(100))
    #expect(source.asked == asked)
    #expect(source.ended == 1)
  }

  @Test func `Who takes nothing is dropped`() async throws {
    let source = Source()
    let server = try server({ $0.limits.idle = .seconds(1) }) { _ in source.stream() }
    let client = try #require(Client(server.port, room: 4096))
    await client.send(request(server))
    #expect(await eventually(.seconds(6)) { source.ended == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `Stopping ends every stream at once`() async throws {
    let sources = [Source(), Source()]
    let next = Mutex(0)
    let server = try server { _ in
      let number = next.withLock { number in
        defer { number += 1 }
        return number
      }
      return sources[number % 2].stream(isSilent: number % 2 == 0)
    }
    let clients = try (0..<10).map { _ in try #require(Client(server.port)) }
    for client in clients { await client.send(request(server)) }
    #expect(await eventually { sources[0].asked == 5 && sources[1].asked >= 5 })
    // Stopping waits for no stream: the silent ones would delay it for a day.
    server.stop()
    server.stop()
    #expect(await eventually(.seconds(1)) { sources.allSatisfy { $0.ended == 5 } })
    for client in clients { #expect(await client.isClosed(within: .seconds(5))) }
    #expect(Client(server.port) == nil)
  }

  /// Clients connect, read a little and leave, and servers stop meanwhile.
  @Test func `Coming and going does no harm`() async throws {
    for round in 0..<20 {
      let source = Source()
      let server = try server { request in
        if request.path == "/" { return source.stream(size: 50_000) }
        await Task.yield()
        return .json(Array(request.path.utf8))
      }
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            for _ in 0..<5 {
              guard let client = Client(server.port) else { return }
              await client.send(number % 2 == 0 ? self.request(server) : "GET /x HTTP/1.1\r\n")
              _ = await client.receive(1 << (number + 8), within: .milliseconds(20))
            }
          }
        }
        if round % 2 == 0 {
          try? await Task.sleep(for: .milliseconds(round))
          server.stop()
        }
      }
      // A server that was not stopped continues to answer.
      guard round % 2 == 1 else { continue }
      let client = try #require(Client(server.port))
      let answer = try #require(await client.ask("GET /still", server.pass))
      #expect(answer.text.hasSuffix("/still"))
    }
  }
}
