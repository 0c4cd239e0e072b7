import Foundation
import Testing
import WbcalWebServer

/// Tests requests and connections that a server must withstand.
@Suite(.serialized)
struct AttackTests {
  @Test("Headers without end are refused", arguments: [1, 1000])
  func bombs(count: Int) async throws {
    let server = try echo()
    let client = try #require(Client(server.port))
    let value = String(repeating: "x", count: 1_000_000 / count)
    await client.send("GET / HTTP/1.1\r\n")
    for number in 0..<count {
      guard await client.send("X-\(number): \(value)\r\n") else { break }
    }
    let status = await client.answer(hasBody: false)?.status
    #expect([431, 413, 400, nil].contains(status))
    #expect(await server.status("GET /") == 200)
  }

  @Test("A target without end is refused")
  func longTarget() async throws {
    let server = try echo()
    let path = String(repeating: "/a", count: 100_000)
    #expect(await [414, 431, nil].contains(server.ask("GET " + path, server.pass)?.status))
    #expect(await server.status("GET /") == 200)
  }

  @Test("A body that is too large is refused before it is read")
  func largeBody() async throws {
    let server = try echo { $0.limits.body = 1000 }
    let json = "Content-Type: application/json"
    let body = String(repeating: "x", count: 1000)
    #expect(await server.status("POST /", [json, "Content-Length: 1000"], body: body) == 200)
    for length in ["1001", "1000000000000", "18446744073709551615", "99999999999999999999999"] {
      #expect(await server.status("POST /", [json, "Content-Length: \(length)"]) == 413)
    }
    for length in ["-1", "x", "0x10", "1,1", ""] {
      #expect(await server.status("POST /", [json, "Content-Length: \(length)"]) == 400)
    }
    let chunked = [json, "Transfer-Encoding: chunked"]
    #expect(
      await server.status("POST /", chunked, body: "3e8\r\n\(body)\r\n0\r\n\r\n") == 200)
    let part = "3e8\r\n\(body)\r\n"
    #expect(
      await server.status(
        "POST /api/1/set", chunked, body: String(repeating: part, count: 50) + "0\r\n\r\n")
        == 413)
  }

  @Test("Where a body ends is beyond doubt")
  func smuggling() async throws {
    let server = try echo()
    let json = "Content-Type: application/json"
    for headers in [
      ["Content-Length: 5", "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: chunked", "Content-Length: 5"],
      ["Content-Length: 5", "Content-Length: 6"], ["Content-Length: 5", "Content-Length: 5"],
      ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
      ["Transfer-Encoding: gzip, chunked"], ["Transfer-Encoding: xchunked"],
    ] {
      let client = try #require(Client(server.port))
      let answer = await client.ask(
        "POST /", server.pass + [json] + headers,
        body: "0\r\n\r\nGET /second HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(answer?.status == 400, "\(headers)")
      // The bytes after it are not read as a request.
      #expect(await client.isClosed(within: .seconds(5)), "\(headers)")
    }
    #expect(await server.status("GET /", ["Content-Length: 5"], body: "hello") == 400)
  }

  @Test("What is not HTTP is refused")
  func garbage() async throws {
    let server = try echo()
    for text in [
      "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n", "GET /\0x HTTP/1.1\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n",
      "GET / HTTP/1.1\r\nHost\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\n Host: x\r\n\r\n",
      "GET / HTTP/1.1\nCookie: wbcal\n\n",
    ] {
      let client = try #require(Client(server.port))
      await client.send(text)
      client.finish()
      let status = await client.answer(hasBody: false)?.status
      #expect(status.map { $0 >= 400 } ?? true, "\(text.debugDescription)")
    }
    #expect(await server.status("GET /") == 200)
  }

  @Test(
    "A request that trickles is cut off, while others are answered",
    arguments: ["GET / HTTP/1.1\r\n", ""])
  func slowLoris(start: String) async throws {
    let server = try echo { $0.limits.request = .seconds(1) }
    let clients = try (0..<20).map { _ in try #require(Client(server.port)) }
    for client in clients { await client.send(start) }
    var isOpen = true
    for _ in 0..<40 where isOpen {
      for client in clients { isOpen = await client.send("a") && isOpen }
      #expect(await server.status("GET /") == 200)
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(!isOpen)
    for client in clients { #expect(await client.isClosed(within: .seconds(2))) }
  }

  @Test("A body that trickles is cut off")
  func slowBody() async throws {
    let server = try echo { $0.limits.request = .seconds(1) }
    let client = try #require(Client(server.port))
    let head = ["POST / HTTP/1.1"] + server.pass
    await client.send(
      head.joined(separator: "\r\n")
        + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
    #expect(try await isCutOff(client, sending: "a"))
  }

  /// Indicates whether the server closes a connection on which a byte arrives every tenth of a
  /// second, within four seconds.
  private func isCutOff(_ client: Client, sending byte: String) async throws -> Bool {
    for _ in 0..<40 {
      guard await client.send(byte) else { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    return false
  }

  @Test("A connection that was of use is closed when it asks for nothing")
  func idle() async throws {
    let server = try echo { $0.limits.idle = .seconds(1) }
    let client = try #require(Client(server.port))
    #expect(await client.ask("GET /", server.pass)?.status == 200)
    // This is the first line of the next request, byte by byte.
    #expect(try await isCutOff(client, sending: "G"))
  }

  @Test("Two hundred connections at once leave room for who comes after them")
  func crowd() async throws {
    let server = try echo { $0.limits.request = .seconds(1) }
    // One machine gets only its share of the connections.
    let crowd = (0..<200).compactMap { _ in Client(server.port) }
    for client in crowd { await client.send("GET / HTTP/1.1\r\n") }
    #expect(await Client(server.port, machine: 2)?.ask("GET /", server.pass)?.status == 200)
    // Many machines take all connections until their time is over.
    let machines = (0..<200).compactMap { Client(server.port, machine: UInt8($0 + 3)) }
    for client in machines { await client.send("GET / HTTP/1.1\r\n") }
    var status: Int?
    for _ in 0..<10 where status == nil {
      status = await Client(server.port, machine: 2)?.ask("GET /", server.pass)?.status
    }
    #expect(status == 200)
    withExtendedLifetime((crowd, machines)) {}
  }

  /// The strangers have this computer's own address, which the owner has too.
  @Test("Strangers keep nobody out who may come in", arguments: [[], ["Cookie: wbcal1=0"]])
  func strangers(headers: [String]) async throws {
    let server = try echo()
    let before = try #require(Client(server.port))
    #expect(await before.ask("GET /", server.pass)?.status == 200)
    var crowd: [Client] = []
    for index in 0..<150 {
      guard let client = Client(server.port) else { continue }
      crowd.append(client)
      // Some send nothing, some begin a request, and some have been rejected and stay connected.
      switch index % 3 {
      case 0: break
      case 1: await client.send("GET / HTTP/1.1\r\n")
      default:
        _ = await client.ask("GET /", ["Host: 127.0.0.1"] + headers, hasBody: false)
      }
      if index % 10 == 0 { #expect(await server.status("GET /") == 200, "\(index)") }
    }
    // An earlier connection still exists.
    #expect(await before.ask("GET /", server.pass)?.status == 200)
    #expect(await server.status("GET /") == 200)
    withExtendedLifetime(crowd) {}
  }

  @Test(
    "Ten thousand connections that ask for nothing leave room for who does",
    .enabled(
      if: ProcessInfo.processInfo.environment["WBCAL_SOAK_CONNECTIONS"] != nil,
      "make soak runs this"))
  func thousands() async throws {
    let server = try echo { $0.limits.request = .seconds(1) }
    for round in 0..<40 {
      let crowd = (0..<250).compactMap { index in
        Client(server.port, machine: UInt8(3 + (index + round) % 250))
      }
      #expect(crowd.count == 250)
      for client in crowd { await client.send("G") }
    }
    var status: Int?
    for _ in 0..<10 where status == nil {
      status = await Client(server.port, machine: 2)?.ask("GET /", server.pass)?.status
    }
    #expect(status == 200)
  }
}
