import Synchronization
import Testing
import WbcalWebServer

struct AnswerTests {
  @Test("One connection asks many times")
  func again() async throws {
    let server = try echo()
    let client = try #require(Client(server.port))
    for number in 0..<20 {
      #expect(await client.ask("GET /?a=\(number)", server.pass)?.text == "GET / \(number) ")
      let body = String(repeating: "x", count: 50_000 + number)
      let answer = await client.ask(
        "POST /p",
        server.pass + ["Content-Type: application/json", "Content-Length: \(body.count)"],
        body: body)
      #expect(answer?.text == "POST /p - " + body)
    }
  }

  @Test("A request in pieces is one request")
  func pieces() async throws {
    let server = try echo()
    let client = try #require(Client(server.port))
    let head = ["POST /p HTTP/1.1"] + server.pass + ["Content-Type: application/json"]
    let text =
      head.joined(separator: "\r\n") + "\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
    for byte in text.utf8 { await client.send([byte]) }
    #expect(await client.answer()?.text == "POST /p - abcde")
  }

  @Test("HEAD has no body, whatever the answer is")
  func head() async throws {
    let server = try echo()
    let client = try #require(Client(server.port))
    let answer = await client.ask("HEAD /abc", server.pass, hasBody: false)
    #expect(answer?.status == 200)
    #expect(answer?.header("Content-Length") == "12")
    #expect(await client.ask("GET /next", server.pass)?.text == "GET /next - ")
  }

  @Test("A handler sees headers, the client, and sets its own answer")
  func parts() async throws {
    let server = try server { request in
      var response = WebResponse.failure(
        409, error: "watching", exitCode: 75,
        reasons: [request.header("X-WBCAL-page") ?? "", request.client + "\"\\\n"])
      response.headers.append(("X-Own", "1"))
      return response
    }
    let answer = await server.ask("GET /", server.pass + ["x-wbcal-Page: seven"])
    #expect(answer?.status == 409)
    #expect(answer?.header("X-Own") == "1")
    #expect(
      answer?.text == #"{"version":1,"error":"watching","exitCode":75,"#
        + #""reasons":["seven","127.0.0.1\"\\\u000a"]}"#)
  }

  @Test("A handler that takes its time keeps nobody waiting")
  func patience() async throws {
    let isOver = Mutex(false)
    let server = try server { request in
      if request.path == "/slow" {
        while !isOver.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
      }
      return .json(Array(request.path.utf8))
    }
    let slow = try #require(Client(server.port))
    await slow.send((["GET /slow HTTP/1.1"] + server.pass).joined(separator: "\r\n") + "\r\n\r\n")
    #expect(await server.ask("GET /fast", server.pass)?.text == "/fast")
    isOver.withLock { $0 = true }
    #expect(await slow.answer()?.text == "/slow")
  }

  @Test(
    "A handler is cancelled when its client leaves, or the server stops", arguments: [true, false])
  func cancellation(leaves: Bool) async throws {
    let count = Mutex((started: 0, cancelled: 0))
    let server = try server { _ in
      count.withLock { $0.started += 1 }
      try? await Task.sleep(for: .seconds(60))
      if Task.isCancelled { count.withLock { $0.cancelled += 1 } }
      return .json([])
    }
    var client = Client(server.port)
    await client?.send((["GET / HTTP/1.1"] + server.pass).joined(separator: "\r\n") + "\r\n\r\n")
    #expect(await eventually { count.withLock { $0.started } == 1 })
    if leaves { client = nil } else { server.stop() }
    #expect(await eventually(.seconds(1)) { count.withLock { $0.cancelled } == 1 })
    withExtendedLifetime((client, server)) {}
  }
}
