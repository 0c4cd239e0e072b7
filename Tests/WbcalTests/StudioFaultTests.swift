import CameraControl
import CameraProfiles
import Foundation
import Synchronization
import Testing

@testable import wbcal

extension StudioSuite {
  /// What a newcomer met when nothing was known of a camera, through the interface.
  struct StudioFaultTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func controls(_ studio: StudioBench) throws -> [String] {
      let facts = try studio.get("camera").object()
      return try #require(facts["controls"] as? [[String: Any]]).compactMap {
        $0["name"] as? String
      }
    }

    /// A temperature, or red and blue, are set as they are, and one Undo takes a whole slide back.
    @Test(arguments: [
      ("temperature", ["white_balance_temperature": 4000]),
      ("balances", ["red_balance": 400, "blue_balance": 300]),
    ])
    func controlsAreSetWithoutAProfile(kind: String, values: [String: Int]) async throws {
      let device = "simulated:pipeline=webcam,size=96x64,controls=\(kind)"
      let studio = try StudioBench(bench, device: device)
      let page = try StudioPage(studio)
      let old = try await page.wait(for: "reading")
      #expect(Set(try controls(studio)) == Set(values.keys))
      func body(_ add: Int) -> String {
        let list = values.map { "\"\($0.key)\":\($0.value + add)" }.joined(separator: ",")
        return "{\"controls\":{\(list)}}"
      }
      for step in [-30, -20, -10] { _ = try studio.act("adjust", body(step)) }
      let sliding = try studio.get("camera").object()
      #expect(sliding["undoes"] as? String == "set")
      let set = try studio.act("set", body(0))
      #expect(set["controls"] as? [String: Int] == values)
      let reading = try await page.wait(for: "reading") { reading in
        values.allSatisfy { (reading["controls"] as? [String: Int])?[$0.key] == $0.value }
      }
      #expect(reading["mode"] as? String == "locked")
      // One change, which leads back to before the slide.
      _ = try studio.act("undo", #"{"action":"set"}"#)
      #expect(try studio.get("camera").object()["undoes"] == nil)
      let back = try await page.wait(for: "reading") { $0["mode"] as? String != "locked" }
      #expect(back["mode"] as? String == old["mode"] as? String)
      for (name, value) in [(values.keys.sorted()[0], 1_000_000), ("brightness", 1)] {
        let refused = try studio.post("set", "{\"controls\":{\"\(name)\":\(value)}}")
        #expect((400..<500).contains(refused.status), "\(refused.text)")
      }
      #expect(try studio.post("set", #"{"controls":{"red_balance":1.5}}"#).status == 400)
      #expect(try studio.post("set", #"{"controls":{},"mode":"locked"}"#).status == 400)
      page.leave()
    }

    /// A slide that nothing verified is a change too, and is restored at the end.
    @Test func aSlideIsUndone() async throws {
      let studio = try StudioBench(bench)
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "reading")
      _ = try studio.act("adjust", #"{"controls":{"red_balance":400,"blue_balance":300}}"#)
      _ = try studio.act("estimate")
      let change = try studio.get("camera").object()
      #expect(change["undoes"] as? String == "set")
      _ = try studio.act("undo")
      _ = try await page.wait(for: "reading") { $0["mode"] as? String == "continuousAutomatic" }
      // Gains slide too, once the controls are measured.
      let early = try studio.post("adjust", #"{"gains":[1.5,1,1.7]}"#)
      #expect(early.status == 409 && early.text.contains("not-measured"))
      _ = try studio.act("set", #"{"gains":[1.4,1,1.7]}"#)
      #expect(try studio.act("adjust", #"{"gains":[1.5,1,1.7]}"#)["controls"] != nil)
      page.leave()
    }

    /// What was achieved is stated as long as it is the last change.
    @Test func neutralIsStatedWhileItIsTrue() async throws {
      let studio = try StudioBench(
        bench, device: "simulated:size=96x64,shutter=absolute,light=FL11")
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "reading")
      _ = try studio.act("gray")
      func neutral() throws -> [String: Any]? {
        try studio.get("camera").object()["neutral"] as? [String: Any]
      }
      let first = try #require(try neutral())
      #expect(first["accepted"] as? Bool == true && first["card"] == nil)
      #expect(try #require(first["ciede2000"] as? Double) <= 0.5)
      _ = try studio.act("exposure", #"{"duration":0.005}"#)
      #expect(try neutral() == nil)
      _ = try studio.act("gray")
      _ = try studio.act("undo", #"{"action":"gray"}"#)
      #expect(try neutral() == nil)
      // A card that is too bright is measured at another exposure, which is stated.
      _ = try studio.act("exposure", #"{"duration":0.2}"#)
      _ = try await page.wait(for: "reading") {
        (($0["exposure"] as? [String: Any])?["stops"] as? Double ?? -1) == 0
      }
      _ = try studio.act("gray")
      #expect(try neutral()?["card"] as? String == "clipped")
      page.leave()
    }

    /// A temperature alone cannot correct every light: the nearest setting is stated as such.
    @Test func theNearestSettingIsStated() async throws {
      let device = "simulated:pipeline=webcam,size=96x64,controls=temperature,light=FL11"
      let studio = try StudioBench(bench, device: device)
      _ = try studio.post("gray")
      let neutral = try studio.get("camera").object()["neutral"] as? [String: Any]
      #expect(neutral?["accepted"] as? Bool == false)
      #expect(try #require(neutral?["ciede2000"] as? Double) > 0.5)
    }

    /// A page can use another camera of the list, and no other.
    @Test func anotherCameraIsUsed() async throws {
      let studio = try StudioBench(bench, device: "/dev/missing")
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "camera") { $0["state"] as? String == "missing" }
      let cameras = try #require(try studio.get("cameras").object()["cameras"] as? [[String: Any]])
      let names = cameras.compactMap { $0["device"] as? String }
      #expect(names.contains("/dev/missing") && names.contains("simulated"))
      for device in ["recorded:secret.json", "simulated:truth=out.txt", "/dev/null", ""] {
        #expect(try studio.post("use", "{\"device\":\"\(device)\"}").status == 400, "\(device)")
      }
      _ = try studio.act("use", #"{"device":"simulated"}"#)
      _ = try await page.wait(for: "camera") {
        $0["state"] as? String == "open" && $0["device"] as? String == "simulated"
      }
      _ = try studio.act("set", #"{"mode":"locked"}"#)
      _ = try studio.act("use", #"{"device":"/dev/missing"}"#)
      let gone = try await page.wait(for: "camera") {
        $0["state"] as? String == "missing" && $0["undo"] as? Bool == false
      }
      #expect(gone["picture"] == nil)
      // The demo camera has its settings back.
      let watched = try await bench.run(
        "watch", "--device", "simulated", "--seconds", "0.1", "--json")
      #expect(watched.output.contains(#""mode":"continuousAutomatic""#))
      page.leave()
    }

    /// Pages that ask at the same time, or soon after, share one search.
    @Test func allPagesShareASearchForCameras() async {
      let count = Mutex(0)
      func search(every interval: Duration) -> CameraSearch {
        CameraSearch(every: interval) {
          let number = count.withLock { count in
            count += 1
            return count
          }
          try? await Task.sleep(for: .milliseconds(20))
          let identity = CameraIdentity(driver: "found", name: "Cam \(number)", id: "\(number)")
          return [
            ConnectedCamera(identity: identity, path: "/dev/video0", bus: "usb", problem: nil)
          ]
        }
      }
      let shared = search(every: .seconds(3600))
      await withTaskGroup(of: [ConnectedCamera].self) { group in
        for _ in 0..<12 { group.addTask { await shared.cameras() } }
        for await found in group { #expect(found.map(\.identity.name) == ["Cam 1"]) }
      }
      #expect(await shared.cameras().count == 1)
      #expect(count.withLock { $0 } == 1)
      // After the interval, another one begins.
      let fresh = search(every: .zero)
      for number in 2...3 {
        #expect(await fresh.cameras().map(\.identity.name) == ["Cam \(number)"])
      }
    }

    @Test func theListOfCameras() throws {
      func camera(_ number: Int, problem: CameraError? = nil) -> ConnectedCamera {
        let identity = CameraIdentity(
          driver: "uvcvideo", name: "Cam \(number)", id: "usb-\(number)")
        return ConnectedCamera(
          identity: identity, path: "/dev/video\(number)", bus: "usb", problem: problem)
      }
      let path = try DeviceSpecification(argument: "/dev/video1,size=64x48")
      let busy = camera(2, problem: .busy(camera: "Cam 2", by: "cheese"))
      let list = StudioCamera.choices([camera(1), busy], given: path, nil)
      #expect(list.map(\.device) == ["/dev/video1,size=64x48", "usb-2", "simulated"])
      #expect(list.map(\.demo) == [false, false, true])
      #expect(list[1].problem?.contains("cheese") == true)
      // Without --device the only camera is used; several are listed.
      #expect(try Studio.onlyCamera(among: [camera(1)]).text == "usb-1")
      #expect(try Studio.onlyCamera(among: []).text == "simulated")
      let refusal = #expect(throws: Failure.self) {
        try Studio.onlyCamera(among: [camera(1), camera(2)])
      }
      #expect(refusal?.code == .usage)
      #expect(
        refusal?.message.contains("usb-1") == true && refusal?.message.contains("usb-2") == true)
    }

    /// A typing error ends the studio at the start; a camera that is not there is stated as that.
    @Test func aWrongNameIsAnErrorAtTheStart() throws {
      try bench.runProcess("studio", "--device", "simulated:light=D56").expect(69, errors: "D56")
      try bench.runProcess("studio", "--device", "simulated:size=1x1").expect(64, errors: "size")
      #expect(StudioCamera.state(after: CameraError.notFound("x"), wasOpen: false) == .missing)
      #expect(
        StudioCamera.state(after: CameraError.vanished(camera: "x"), wasOpen: true) == .vanished)
      #expect(StudioCamera.state(after: CameraError.busy(camera: "x"), wasOpen: false) == .busy)
      let other = CameraError.notPermitted("/dev/video0", group: nil)
      #expect(StudioCamera.state(after: other, wasOpen: false) == .failed)
    }

    @Test func remoteAccessWithoutACertificateIsWarnedOf() throws {
      let studio = try StudioBench(bench, "--allow-remote")
      let errors = try studio.end().errors
      #expect(errors.contains("without --certificate and --key, anyone on the network"))
    }

    /// A single lamp, a profile of another camera, and what a calibration is good for.
    @Test func whatAProfileIsGoodForIsStated() async throws {
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "-o", "one.json"
      ).expect(0)
      let studio = try StudioBench(bench, "--profile", "one.json")
      let page = try StudioPage(studio)
      let facts = try await page.wait(for: "camera") { $0["state"] as? String == "open" }
      #expect(facts["unchecked"] as? String == "A")
      let profile = try #require(facts["profile"] as? [String: Any])
      #expect(profile["otherCamera"] == nil)
      _ = try studio.act("calibrate/shot", #"{"light":"D65"}"#)
      let files = try studio.act("calibrate/finish", #"{"output":"one.json"}"#)
      #expect(files["shots"] as? Int == 2)
      let after = try studio.get("camera").object()
      let accuracy = try #require(after["accuracy"] as? [[String: Any]])
      #expect(accuracy.contains { $0["class"] as? String == "led" && $0["error"] is Double })
      _ = try studio.end()
      page.leave()

      let other = try StudioBench(
        bench, "--profile", "one.json", device: "simulated:camera=nikon-d850,size=96x64")
      let visitor = try StudioPage(other)
      let strange = try await visitor.wait(for: "camera") { $0["state"] as? String == "open" }
      let name = (strange["profile"] as? [String: Any])?["otherCamera"] as? String
      #expect(name?.isEmpty == false)
      visitor.leave()
    }

    /// Every mode that is offered can be set.
    @Test func noModeIsOfferedThatFails() async throws {
      let studio = try StudioBench(
        bench, device: "simulated:size=96x64,shutter=absolute,lens=motor")
      let page = try StudioPage(studio)
      let facts = try await page.wait(for: "camera") { $0["state"] as? String == "open" }
      let exposure = try #require((facts["exposure"] as? [String: Any])?["modes"] as? [String])
      #expect(!exposure.isEmpty)
      for mode in exposure { _ = try studio.act("exposure", "{\"mode\":\"\(mode)\"}") }
      for mode in try #require(facts["modes"] as? [String]) {
        _ = try studio.act("set", "{\"mode\":\"\(mode)\"}")
      }
      page.leave()
    }

    /// Each refusal is in the words of pages, which `StudioBench` checks in every answer.
    @Test func refusalsAreInTheWordsOfPages() async throws {
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o",
        "sim.json"
      ).expect(0)
      let refusals = [
        ("set", ["{}", #"{"tint":5}"#, #"{"mode":"other"}"#, #"{"light":"D99"}"#]),
        ("set", [#"{"light":"D65","class":"warm"}"#, #"{"gains":[1,1,1],"class":"led"}"#]),
        ("set", [#"{"temperature":900}"#, #"{"temperature":5000,"light":"A"}"#]),
        ("exposure", [#"{"duration":0.01,"mode":"locked"}"#, #"{"mode":"custom"}"#]),
        ("exposure", [#"{"duration":0}"#, #"{"gain":0.5}"#, #"{"compensation":99}"#]),
        ("focus", [#"{"position":2}"#, #"{"position":0.5,"mode":"locked"}"#]),
        ("bracket", [#"{"count":2,"output":"a{index}b"}"#, #"{"count":0}"#]),
        ("find", [#"{"what":"chart"}"#, #"{"what":"dog"}"#]),
        ("calibrate/shot", ["{}", #"{"light":"D99"}"#, #"{"light":"D65","class":"warm"}"#]),
        ("calibrate/finish", ["{}", #"{"output":"new.json"}"#]),
        ("use", ["{}"]), ("undo", ["{}"]),
        // The box lies on the edge of the card.
        ("gray", [#"{"region":[0,0,96,64]}"#]),
        ("calibrate/shot", [#"{"light":"A","region":[0,0,96,64]}"#]),
      ]
      for profile in [[], ["--profile", "sim.json"]] {
        let studio = try StudioBench(bench, profile)
        for (action, bodies) in refusals {
          for body in bodies {
            let answer = try studio.post(action, body)
            #expect(answer.status >= 400, "\(action) \(body): \(answer.text)")
            let reasons = try answer.object()["reasons"] as? [String]
            #expect(reasons?.isEmpty == false && reasons?.contains("") == false, "\(answer.text)")
          }
        }
        let edge = try studio.post("calibrate/shot", #"{"light":"A","region":[0,0,96,64]}"#)
        #expect(try edge.object()["error"] as? String == "refused")
        #expect(
          try studio.post("set", #"{"tint":5}"#).text.contains(profile == [] ? "profile" : "'tint'")
        )
      }
    }

    /// The picture before all changes is there from the start.
    @Test func thePictureBeforeIsKeptAtTheOpening() async throws {
      let studio = try StudioBench(bench)
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "camera") { $0["before"] as? Bool == true }
      let before = try studio.get("snapshot?which=before").body
      _ = try studio.act("set", #"{"gains":[2.5,1,1]}"#)
      #expect(try studio.get("snapshot?which=before").body == before)
      page.leave()
    }

    /// Each page asks again and again, so that a dozen of them get pictures and events.
    @Test func anyNumberOfPages() async throws {
      let studio = try StudioBench(bench)
      let pages = try (0..<12).map { try StudioPage(studio, "page\($0)") }
      for page in pages {
        _ = try await page.wait(for: "reading") { ($0["frame"] as? Int ?? 0) > 9 }
      }
      _ = try await pages[0].wait(for: "control") { $0["pages"] as? Int == 12 }
      #expect(try studio.get("snapshot").status == 200)
      for page in pages { page.leave() }
    }
  }
}
