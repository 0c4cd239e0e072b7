import Foundation
import Testing

extension StudioSuite {
  /// `wbcal studio`: its pages, the control of the camera, and input from outside.
  struct StudioTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test func theSecondPageWatches() async throws {
      let studio = try StudioBench(bench)
      let first = try StudioPage(studio, "one")
      _ = try await first.wait(for: "control") { $0["here"] as? Bool == true }
      let second = try StudioPage(studio, "two")
      let watching = try await second.wait(for: "control")
      #expect(watching["here"] as? Bool == false && watching["page"] as? String == "one")
      _ = try await first.wait(for: "control") { $0["pages"] as? Int == 2 }

      let refused = try studio.post("set", #"{"mode":"locked"}"#, page: "two")
      #expect(refused.status == 409)
      #expect(try refused.object()["error"] as? String == "watching")
      _ = try await second.wait(for: "reading")

      let control = try studio.act("control", #"{"takeOver":true}"#, page: "two")
      #expect(control["here"] as? Bool == true)
      _ = try await first.wait(for: "control") { $0["page"] as? String == "two" }
      _ = try studio.act("set", #"{"mode":"locked"}"#, page: "two")
      #expect(try studio.post("gray", page: "one").status == 409)

      // A page that is left alone gets the control after a while.
      second.leave()
      _ = try await first.wait(for: "control") { _ in
        first.events("control").last.map {
          $0["here"] as? Bool == true && $0["pages"] as? Int == 1
        } ?? false
      }
      _ = try studio.act("set", #"{"mode":"locked"}"#, page: "one")
      first.leave()
    }

    @Test func anActionOutlivesItsPage() async throws {
      // The simulated camera takes the time of a real one.
      let studio = try StudioBench(bench, device: Workbench.camera + ",fps=60")
      let page = try StudioPage(studio, "one")
      _ = try await page.wait(for: "reading")
      let connection = try studio.send("set", #"{"gains":[1.5,1,1.7]}"#, page: "one")
      let told = try await page.wait(for: "task") { $0["fraction"] != nil }
      #expect((told["text"] as? String)?.isEmpty == false)
      page.leave()
      close(connection)

      let again = try StudioPage(studio, "two")
      let task = try await again.wait(for: "task") { $0["state"] as? String == "running" }
      #expect(task["action"] as? String == "set")
      let other = try studio.post("control", #"{"takeOver":true}"#, page: "two")
      #expect(other.status == 200)
      let busy = try studio.post("gray", page: "two")
      #expect(busy.status == 409)
      #expect(try busy.object()["error"] as? String == "busy")
      _ = try await again.wait(for: "task") { $0["state"] as? String == "done" }
      let reading = try await again.wait(for: "reading") { $0["set"] != nil }
      #expect(reading["mode"] as? String == "locked")
      #expect((reading["set"] as? [String: Any])?["seen"] != nil)
      again.leave()
    }

    @Test func cancelling() async throws {
      let studio = try StudioBench(bench, device: Workbench.camera + ",fps=60")
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "reading")
      let connection = try studio.send("set", #"{"gains":[1.5,1,1.7]}"#, page: "test")
      defer { close(connection) }
      _ = try await page.wait(for: "task") { $0["fraction"] != nil }
      #expect(try studio.act("cancel")["cancelled"] as? Bool == true)
      _ = try await page.wait(for: "task") { $0["state"] as? String == "cancelled" }
      let facts = try studio.get("camera").object()
      #expect(facts["undo"] as? Bool == false)
      let reading = try await page.wait(for: "reading") {
        $0["mode"] as? String == "continuousAutomatic"
      }
      #expect(reading["set"] == nil)
      #expect(try studio.act("cancel")["cancelled"] as? Bool == false)
      let answer = try #require(StudioBench.response(StudioBench.read(connection) ?? []))
      #expect(answer.status == 409)
      page.leave()
    }

    @Test func aCameraThatGoesAwayComesBack() async throws {
      let studio = try StudioBench(bench, device: Workbench.camera + ",vanish=60")
      let page = try StudioPage(studio)
      let gone = try await page.wait(for: "camera") { $0["state"] as? String == "vanished" }
      #expect((gone["reason"] as? String)?.contains("went away") == true)
      _ = try await page.wait(for: "camera") { event in
        event["state"] as? String == "open"
          && page.events("camera").contains { $0["state"] as? String == "vanished" }
      }
      _ = try await page.wait(for: "reading")
      page.leave()
      #expect(try studio.end().status == 0)
    }

    @Test func aCameraIsNotThere() async throws {
      let studio = try StudioBench(bench, device: "/dev/missing")
      let page = try StudioPage(studio)
      let facts = try await page.wait(for: "camera") { $0["state"] as? String == "missing" }
      #expect((facts["reason"] as? String)?.contains("/dev/missing") == true)
      let answer = try studio.post("gray", page: "test")
      #expect(answer.status == 503)
      #expect(try answer.object()["exitCode"] as? Int == 69)
      page.leave()
    }

    @Test func theSecondStudioNamesTheFirst() async throws {
      let first = try StudioBench(bench)
      let page = try StudioPage(first, "one")
      _ = try await page.wait(for: "camera") { $0["state"] as? String == "open" }
      let second = try StudioBench(bench)
      let visitor = try StudioPage(second, "two")
      let facts = try await visitor.wait(for: "camera") { $0["state"] as? String == "busy" }
      let reason = try #require(facts["reason"] as? String)
      let process = first.process.processIdentifier
      #expect(reason.contains("http://127.0.0.1:\(first.port)/ (process \(process))"), "\(reason)")
      #expect(!reason.contains(first.token))
      let refused = try second.post("gray", page: "two")
      #expect(refused.status == 503)
      #expect(try refused.object()["error"] as? String == "try-again")
      // It gets the camera when the first studio has released it.
      #expect(try first.end().status == 0)
      _ = try await visitor.wait(for: "camera") { $0["state"] as? String == "open" }
      visitor.leave()
    }

    @Test func pictures() async throws {
      let studio = try StudioBench(bench, device: "simulated:size=160x120")
      #expect(try studio.get("snapshot?which=before").status == 404)
      // Of a camera that makes as many pictures as it can, about 15 a second are delivered.
      let end = ContinuousClock.now + .seconds(2)
      var count = 0
      while ContinuousClock.now < end {
        for width in [160, 80] {
          #expect(Self.width(try studio.get("snapshot?width=\(width)").body) == width)
          count += 1
        }
      }
      #expect((10...40).contains(count), "\(count)")
      let snapshot = try studio.get("snapshot")
      #expect(snapshot.headers["content-type"] == "image/jpeg")
      #expect(Self.width(snapshot.body) == 160)
      _ = try studio.act("before")
      #expect(Self.width(try studio.get("snapshot?which=before").body) == 160)
      #expect(try studio.get("snapshot?width=0").status == 400)
    }

    /// Returns the width in a JPEG file (SOF0 of ITU-T T.81).
    private static func width(_ bytes: [UInt8]) -> Int? {
      guard let place = bytes.firstRange(of: [0xFF, 0xC0] as [UInt8]),
        bytes.count > place.lowerBound + 8
      else { return nil }
      return Int(bytes[place.lowerBound + 7]) << 8 | Int(bytes[place.lowerBound + 8])
    }
  }
}
