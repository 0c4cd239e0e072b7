import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

extension StudioSuite {
  /// The actions of `wbcal studio`, compared with the subcommands.
  struct StudioActionTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func number(_ value: Any?) throws -> Double { try #require(value as? Double) }

    /// Returns the JSON output of a command, run in a folder of its own.
    private func command(_ arguments: [String], profile: String? = nil) async throws -> [String:
      Any]
    {
      let other = try Workbench()
      if let profile { try other.write(profile, try bench.read(profile)) }
      let outcome = try await other.run(arguments + ["--json"])
      let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      return try #require(object as? [String: Any], "\(outcome.errors)")
    }

    private func makeProfile() async throws {
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o",
        "sim.json"
      ).expect(0)
    }

    @Test func settingIsThatOfTheCommand() async throws {
      try await makeProfile()
      let device = Workbench.camera + ",light=5000K"
      let studio = try StudioBench(bench, "--profile", "sim.json", device: device)
      let page = try StudioPage(studio)
      let answer = try studio.act("set", #"{"temperature":5000,"tint":3,"class":"thermal"}"#)
      let wanted = try await command(
        [
          "set", "--device", device, "--profile", "sim.json", "--temperature", "5000", "--tint",
          "3",
          "--class", "thermal",
        ], profile: "sim.json")
      #expect(answer["controls"] as? [String: Int] == wanted["controls"] as? [String: Int])
      #expect(Set(answer.keys) == Set(wanted.keys))
      let (own, its) = (answer["gains"] as? [String: Double], wanted["gains"] as? [String: Double])
      #expect(own != nil && own == its)

      // The camera has the setting, the readings show it, and the log has the command that does the
      // same.
      let controls = try #require(answer["controls"] as? [String: Int])
      let reading = try await page.wait(for: "reading") {
        ($0["controls"] as? [String: Int]) == controls
      }
      let set = try #require(reading["set"] as? [String: [String: Double]])
      #expect(set["asked"] == ["temperature": 5000, "tint": 3])
      #expect(abs(try number(set["applied"]?["temperature"]) - 5000) < 60)
      let line = try await page.wait(for: "log") { $0["command"] != nil }
      #expect(
        line["command"] as? String == "wbcal set --device \(device) --profile sim.json "
          + "--temperature 5000 --tint 3 --class thermal")

      // The setting can be undone, and made in other ways.
      let facts = try studio.get("camera").object()
      #expect(facts["undo"] as? Bool == true && facts["undoes"] as? String == "set")
      #expect(try studio.act("undo")["mode"] as? String == "continuousAutomatic")
      #expect(try studio.post("undo").status == 409)
      #expect(try studio.act("set", #"{"mode":"locked"}"#)["mode"] as? String == "locked")
      #expect(try studio.act("set", #"{"gains":[1.5,1,1.7]}"#)["controls"] != nil)
      #expect(try studio.act("set", #"{"light":"A"}"#)["controls"] != nil)
      #expect(try studio.act("set", #"{"preset":"daylight"}"#)["controls"] != nil)
      #expect(try studio.act("set", #"{"xy":[0.3457,0.3585]}"#)["controls"] != nil)
      let beyond = try studio.post("set", #"{"temperature":900,"class":"thermal"}"#)
      #expect(beyond.status == 422)
      #expect(try beyond.object()["exitCode"] as? Int == 65)
      page.leave()
    }

    /// No light is determined by another camera's profile, even after the camera's laws are known.
    @Test func anotherCamerasProfileTellsNoLight() async throws {
      try await makeProfile()
      let device = "simulated:camera=nikon-d850,size=96x64"
      let studio = try StudioBench(bench, "--profile", "sim.json", device: device)
      let answer = try studio.act("set", #"{"temperature":5000}"#)
      #expect(answer["otherCamera"] != nil)
      #expect(try studio.act("gray")["light"] == nil)
      #expect(try studio.act("estimate")["temperature"] == nil)
    }

    @Test func grayIsNeutral() async throws {
      let device = "simulated:size=160x120,light=FL11"
      let studio = try StudioBench(bench, device: device)
      let page = try StudioPage(studio)
      let answer = try studio.act("gray", #"{"region":[50,40,60,40]}"#)
      #expect(try number(answer["ciede2000"]) <= 0.5)
      #expect(answer["error"] == nil)
      let line = try await page.wait(for: "log") { $0["command"] != nil }
      #expect(line["command"] as? String == "wbcal gray --device \(device) --region 50,40,60,40")
      _ = try await page.wait(for: "task") { $0["state"] as? String == "done" }

      // Settings that are to be kept stay after the studio has ended.
      _ = try studio.act("keep", #"{"keep":true}"#)
      let (status, errors) = try studio.end()
      #expect(status == 0 && errors.contains("the camera's settings were kept"), "\(errors)")
      let verdict = try await bench.run("verify", "--device", device, "--limit", "0.5")
      verdict.expect(0)
    }

    /// A change of the light stays until the white balance is set again; nothing else withdraws it.
    @Test func aChangeOfTheLightStaysUntilABalance() async throws {
      let studio = try StudioBench(
        bench, device: Workbench.camera + ",controls=balances,relight=A@150")
      let page = try StudioPage(studio)
      _ = try studio.act("set", #"{"mode":"locked"}"#)
      _ = try await page.wait(for: "reading") { $0["lightChange"] != nil }
      _ = try studio.act("estimate")
      let seen = page.events("reading").count
      _ = try await page.wait(for: "reading") { _ in page.events("reading").count > seen + 3 }
      #expect(page.events("reading").last?["lightChange"] != nil)
      _ = try studio.act("gray")
      _ = try await page.wait(for: "reading") { _ in
        page.events("reading").last?["lightChange"] == nil
      }
      page.leave()
    }

    @Test func endingPutsBack() async throws {
      for (signal, status) in [(SIGINT, 0), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)] {
        let studio = try StudioBench(bench)
        let page = try StudioPage(studio)
        _ = try studio.act("set", #"{"gains":[1.5,1,1.7]}"#)
        let end = try studio.end(signal)
        #expect(end.status == status)
        #expect(end.errors.hasSuffix("wbcal: interrupted; the camera's settings were restored\n"))
        let watched = try await bench.run(
          "watch", "--device", Workbench.camera, "--seconds", "0.1", "--json")
        #expect(watched.output.contains(#""mode":"continuousAutomatic""#))
        page.leave()
      }
    }

    @Test func aCameraIsLetGoWhenNobodyLooks() async throws {
      let studio = try StudioBench(bench)
      let page = try StudioPage(studio)
      _ = try studio.act("set", #"{"gains":[1.5,1,1.7]}"#)
      page.leave()
      // Another studio then gets the camera, with its former settings.
      try await Task.sleep(for: .seconds(5))
      let other = try StudioBench(bench)
      let visitor = try StudioPage(other, "other")
      let reading = try await visitor.wait(for: "reading")
      #expect(reading["mode"] as? String == "continuousAutomatic")
      visitor.leave()
    }

    @Test func calibrationIsThatOfTheCommand() async throws {
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: "made"), withIntermediateDirectories: true)
      let studio = try StudioBench(bench, "--folder", "made")
      let page = try StudioPage(studio)
      let shot = try studio.act("calibrate/shot", #"{"light":"A"}"#)
      #expect(shot["light"] as? String == "A" && shot["gains"] != nil)
      _ = try studio.act("calibrate/shot", #"{"light":"FL11","region":[30,20,30,20]}"#)
      _ = try studio.act("calibrate/shot", #"{"light":"D65"}"#)
      #expect(try studio.act("calibrate/remove", #"{"shot":1}"#)["shots"] as? Int == 2)
      #expect(try studio.post("calibrate/remove", #"{"shot":2}"#).status == 400)
      let camera = try await page.wait(for: "camera") { ($0["shots"] as? [Any])?.count == 2 }
      #expect((camera["advice"] as? [String])?.contains { $0.contains("would help most") } == true)
      let files = try studio.act("calibrate/finish", #"{"output":"desk.json"}"#)
      #expect(
        files["profile"] as? String == "desk.json" && files["report"] as? String == "desk.html")
      let report = try studio.get("file?name=desk.html")
      #expect(report.status == 200 && report.text.contains("<svg"))

      // The command makes the same profile from the same shots.
      let path = bench.folder.appending(path: "made/desk.json").path
      let made = try CameraProfile(path: path)
      let shots = try #require(made.calibration).shots.map(\.shot)
      #expect(shots.map(\.light.name) == ["A", "D65"])
      var arguments = ["calibrate", "-o", "same.json"]
      for shot in shots {
        let light = shot.response
        arguments += ["--shot", "rgb:\(light.red),\(light.green),\(light.blue)@\(shot.light.name)"]
      }
      try await bench.run(arguments).expect(0)
      let same = try CameraProfile(path: bench.folder.appending(path: "same.json").path)
      try expectSame(made, same, within: 1e-12)

      // With its own shots it differs only by noise.
      try await makeProfile()
      let own = try CameraProfile(path: bench.folder.appending(path: "sim.json").path)
      try expectSame(made, own, within: 3e-3)
      #expect(made.device == own.device)
      #expect(
        made.laws?.reference == own.laws?.reference && made.laws?.latency == own.laws?.latency)

      // The page uses the profile from now on.
      _ = try await page.wait(for: "camera") {
        ($0["profile"] as? [String: Any])?["name"] as? String == "desk.json" && $0["reach"] != nil
      }
      #expect(try studio.act("set", #"{"temperature":4000}"#)["gains"] != nil)
      page.leave()
    }

    /// Only the action that the page names is undone.
    @Test func undoNamesWhatItUndoes() throws {
      let studio = try StudioBench(bench, device: "simulated:size=96x64,shutter=absolute")
      let page = try StudioPage(studio)
      func undoes() throws -> String? {
        try studio.get("camera").object()["undoes"] as? String
      }
      #expect(try undoes() == nil)
      let exposure = try studio.act("exposure", #"{"duration":0.005}"#)
      let controls = try #require(exposure["controls"] as? [String: Int])
      #expect(try undoes() == "exposure" && !controls.isEmpty)
      _ = try studio.act("gray")
      #expect(try undoes() == "gray")
      let refused = try studio.post("undo", #"{"action":"exposure"}"#)
      #expect(refused.status == 409 && refused.text.contains("'gray' was set later"))
      #expect(try undoes() == "gray")
      let undone = try studio.act("undo", #"{"action":"gray"}"#)
      #expect(try undoes() == "exposure")
      // The exposure stays.
      let left = try #require(undone["controls"] as? [String: Int])
      #expect(controls.allSatisfy { left[$0.key] == $0.value }, "\(controls), \(left)")
      let before = try studio.act("undo")["controls"] as? [String: Int]
      #expect(try undoes() == nil)
      #expect(!controls.allSatisfy { before?[$0.key] == $0.value })
      page.leave()
    }

    /// A shot is added to an existing profile; a file that is not a profile of this camera is kept
    /// until the user asks to replace it.
    @Test func writingLosesNoWork() async throws {
      try await makeProfile()
      let files = ["notes.json", "page.json", "page.html", "photo.json", "other.json"]
      try bench.write("notes.json", #"{"my": "notes"}"#)
      try bench.write("page.html", "<title>My page</title>")
      try await bench.run("profile", "import", "libcamera:imx219", "-o", "photo.json").expect(0)
      try await bench.run(
        "calibrate", "--device", "simulated:size=96x64,camera=nikon-d850", "--light", "A", "-o",
        "other.json"
      ).expect(0)
      let before = files.map { try? bench.read($0) }
      let studio = try StudioBench(bench, "--profile", "sim.json")
      let page = try StudioPage(studio)
      _ = try studio.act("calibrate/shot", #"{"light":"FL11"}"#)
      for (name, reason) in [
        ("notes.json", "is not a profile"), ("page.json", "page.html already exists"),
        ("photo.json", "was imported"), ("other.json", "the profile of another camera"),
      ] {
        let answer = try studio.post("calibrate/finish", "{\"output\":\"\(name)\"}")
        #expect(answer.status == 409 && answer.text.contains(reason), "\(answer.text)")
        #expect(try answer.object()["error"] as? String == "exists")
      }
      #expect(files.map { try? bench.read($0) } == before)

      func shots(_ name: String) throws -> [String] {
        let path = bench.folder.appending(path: name).path
        return try #require(try CameraProfile(path: path).calibration).shots.map(\.shot.light.name)
      }
      let first = try studio.act("calibrate/finish", #"{"output":"sim.json"}"#)
      #expect(first["shots"] as? Int == 3)
      #expect(try shots("sim.json") == ["A", "D65", "FL11"])
      // Shots that the profile already has from this studio are not added twice.
      _ = try studio.act("calibrate/shot", #"{"light":"LED-B3"}"#)
      _ = try studio.act("calibrate/finish", #"{"output":"sim.json"}"#)
      #expect(try shots("sim.json") == ["A", "D65", "FL11", "LED-B3"])
      _ = try studio.act("calibrate/remove", #"{"shot":0}"#)
      _ = try studio.act("calibrate/finish", #"{"output":"sim.json"}"#)
      #expect(try shots("sim.json") == ["A", "D65", "LED-B3"])
      _ = try studio.act("calibrate/finish", #"{"output":"sim.json","replace":true}"#)
      #expect(try shots("sim.json") == ["LED-B3"])
      _ = try studio.act("calibrate/finish", #"{"output":"notes.json","replace":true}"#)
      #expect(try shots("notes.json") == ["LED-B3"])
      page.leave()
    }

    /// Lamps that contradict each other have an error of their own, which the page explains.
    @Test func contradictingLampsHaveTheirOwnError() async throws {
      let studio = try StudioBench(bench, device: "simulated:size=96x64,light=FL11")
      let page = try StudioPage(studio)
      let early = try studio.post("calibrate/finish", #"{"output":"desk.json"}"#)
      #expect(try early.object()["error"] as? String == "bad-data")
      _ = try studio.act("calibrate/shot", #"{"light":"A"}"#)
      let answer = try studio.post("calibrate/shot", #"{"light":"D65"}"#)
      #expect(answer.status == 422, "\(answer.text)")
      #expect(try answer.object()["error"] as? String == "contradiction")
      page.leave()
    }

    /// Compares the gains for several lights.
    private func expectSame(
      _ first: CameraProfile, _ second: CameraProfile, within error: Double
    ) throws {
      for name in ["A", "D65", "FL11", "LED-B3"] {
        let light = try Light(named: name)
        let one = try #require(first.model.gains(for: light.chromaticity, lightClass: nil))
        let other = try #require(second.model.gains(for: light.chromaticity, lightClass: nil))
        #expect(abs(one.red / other.red - 1) < error && abs(one.blue / other.blue - 1) < error)
      }
    }

    @Test func exposuresLensesAndPictures() throws {
      let device = "simulated:size=160x120,shutter=absolute,lens=motor"
      let studio = try StudioBench(bench, device: device)
      let page = try StudioPage(studio)
      let exposure = try studio.act("exposure", #"{"duration":0.01}"#)
      #expect(abs(try number(exposure["duration"]) - 0.01) < 1e-4)
      let metered = try studio.act("exposure")
      #expect(metered["level"] != nil && metered["controls"] == nil)
      let lens = try studio.act("focus", #"{"position":0.4}"#)
      #expect(abs(try number(lens["position"]) - 0.4) < 0.01)
      let bracket = try studio.act("bracket", #"{"count":3,"steps":1,"output":"card.png"}"#)
      let pictures = try #require(bracket["pictures"] as? [[String: Any]])
      #expect(
        pictures.compactMap { $0["file"] as? String } == ["card-1.png", "card0.png", "card+1.png"])
      #expect(try bench.files() == ["card+1.png", "card-1.png", "card0.png"])
      // Existing pictures are not replaced without a question.
      let first = try studio.get("file?name=card0.png").body
      let again = try studio.post("bracket", #"{"count":3,"steps":1,"output":"card.png"}"#)
      #expect(again.status == 409 && again.text.contains("card-1.png"), "\(again.text)")
      #expect(try studio.get("file?name=card0.png").body == first)
      _ = try studio.act("bracket", #"{"count":3,"steps":1,"output":"card.png","replace":true}"#)
      #expect(try studio.get("file?name=card0.png").headers["content-type"] == "image/png")
      let found = try studio.act("find", #"{"what":"card"}"#)
      #expect(found["proposal"] as? Bool == true)
      let missing = try studio.post("find", #"{"what":"chart"}"#)
      #expect(missing.status == 422)
      #expect(try studio.act("estimate")["accepted"] as? Bool == true)
      let facts = try studio.get("camera").object()
      let ranges = try #require(facts["exposure"] as? [String: Any])
      #expect((ranges["duration"] as? [Double])?.count == 2)
      #expect((facts["focus"] as? [String: Any])?["position"] as? [Double] == [0, 1])
      page.leave()
    }
  }
}
