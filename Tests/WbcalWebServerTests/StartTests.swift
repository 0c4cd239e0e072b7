import Foundation
import Testing
import WbcalWebServer

struct StartTests {
  private func problem(_ change: (inout WebServer.Configuration) -> Void) -> WebServerError? {
    do { _ = try echo(change) } catch { return error as? WebServerError }
    return nil
  }

  @Test func `A port that is taken is said to be`() async throws {
    // Concurrent tests open ports of 127.0.0.1 and start programs, which hold every socket until
    // they run. So this test has its own address, and a released port may not be free at once.
    let server = try echo { $0.listen = "127.0.0.2:0" }
    let address = "127.0.0.2:\(server.port)"
    let error = try #require(problem { $0.listen = address })
    #expect(error.kind == .unavailable)
    #expect(error.description.hasPrefix("Another program is listening on port \(server.port)"))
    server.stop()
    #expect(await eventually { problem { $0.listen = address } == nil })
  }

  @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "[::ffff:127.0.0.1]:0"])
  func `Other machines are let in only when that is asked for`(listen: String) throws {
    let error = try #require(problem { $0.listen = listen })
    #expect(error.kind == .refused)
    #expect(error.description.contains("--allow-remote"))
  }

  @Test func `A server for all names its machine`() async throws {
    let server = try echo {
      $0.listen = "0.0.0.0:0"
      $0.allowsRemote = true
    }
    #expect(
      server.address
        == "http://\(ProcessInfo.processInfo.hostName):\(server.port)/?token=\(server.token)")
    let cookie = server.pass[1]
    for host in ["192.0.2.7:80", "LocalHost", "localhost", ProcessInfo.processInfo.hostName] {
      #expect(await server.ask("GET /", ["Host: \(host)", cookie])?.status == 200)
    }
    #expect(await server.ask("GET /", ["Host: evil.example", cookie])?.status == 421)
  }

  @Test(arguments: ["", "127.0.0.1", ":80", "a b:1", "127.0.0.1:65536", "::1:80", "[::1]", "x:-1"])
  func `An address is a host and a port`(listen: String) throws {
    let error = try #require(problem { $0.listen = listen })
    #expect(error.kind == .usage)
    #expect(error.description.contains("is not an address to listen on"))
  }

  @Test func `What cannot be used is said to be`() throws {
    #expect(problem { $0.listen = "no-such-host.invalid:0" }?.kind == .usage)
    #expect(problem { $0.certificate = [] }?.kind == .usage)
    #expect(
      problem {
        $0.certificate = Array("nonsense".utf8)
        $0.key = Array("nonsense".utf8)
      }?.kind == .usage)
    #expect(
      problem {
        $0.listen = "192.0.2.1:0"
        $0.allowsRemote = true
      }?.description == "This machine does not have the address 192.0.2.1.")
  }

  @Test func `The token is new for every server`() throws {
    #expect(try echo().token != echo().token)
  }

  @Test func `A certificate makes it TLS`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wbcal-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = await run(
      "cd \(folder.path) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        + "-subj /CN=localhost -keyout key.pem -out certificate.pem -days 2 2>/dev/null")
    guard made != nil else { return }  // There is no openssl.
    let server = try echo {
      $0.certificate = (try? Data(contentsOf: folder.appending(path: "certificate.pem"))).map(
        Array.init)
      $0.key = (try? Data(contentsOf: folder.appending(path: "key.pem"))).map(Array.init)
    }
    #expect(server.address.hasPrefix("https://127.0.0.1:"))
    func ask(_ request: String, _ options: String = "") async -> String? {
      await run(
        "printf '\(request)\\r\\nConnection: close\\r\\n\\r\\n' | timeout 20 openssl s_client -quiet "
          + "\(options) -connect 127.0.0.1:\(server.port) 2>/dev/null")
    }
    let pass = server.pass.joined(separator: "\\r\\n")
    #expect(await ask("GET /a HTTP/1.1\\r\\n" + pass)?.hasSuffix("GET /a - ") == true)
    #expect(
      await ask("GET /?token=\(server.token) HTTP/1.1\\r\\nHost: localhost")?.contains("; Secure")
        == true)
    #expect(await ask("GET /a HTTP/1.1\\r\\n" + pass, "-tls1_1 -cipher DEFAULT@SECLEVEL=0") == nil)
  }

  /// Returns the output of a shell command; `nil` if it fails.
  private func run(_ command: String) async -> String? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return continuation.resume(returning: nil) }
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        continuation.resume(
          returning: process.terminationStatus == 0 ? String(decoding: bytes, as: UTF8.self) : nil)
      }
    }
  }
}
