import Foundation
import Testing

@testable import wbcal

extension StudioSuite {
  /// Attempts from outside that a studio has to refuse.
  struct StudioSafetyTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test func onlyTheTokenLetsIn() throws {
      let studio = try StudioBench(bench)
      for (path, cookie) in [
        ("/", nil), ("/api/1/camera", nil), ("/api/1/camera", "wbcal\(studio.port)=0123"),
        ("/api/1/camera", "wbcal\(studio.port)=\(studio.token)"),
        ("/", "wbcal\(studio.port)="), ("/main.js", nil),
      ] as [(String, String?)] {
        let answer = try studio.request("GET", path, ["Authorization": nil, "Cookie": cookie])
        #expect(answer.status == 403, "\(path) \(cookie ?? "")")
        #expect(!answer.text.contains(studio.token))
      }
      #expect(try studio.request("GET", "/?token=0123", ["Authorization": nil]).status == 403)
      let door = try studio.request("GET", "/?token=\(studio.token)", ["Authorization": nil])
      let folder = try #require(door.headers["location"])
      #expect(door.status == 303 && folder.count > 30)
      let cookie = try #require(door.headers["set-cookie"])
      #expect(cookie.hasPrefix("wbcal\(studio.port)=") && !cookie.contains(studio.token))
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      #expect(cookie.contains("Path=\(folder)"))
      let pass = ["Authorization": nil, "Cookie": String(cookie.prefix { $0 != ";" })]
      for name in ["", "main.js", "api/1/camera"] {
        #expect(try studio.request("GET", folder + name, pass).status == 200, "\(name)")
      }
      #expect(try studio.get("camera").status == 200)
    }

    /// The address on the browser's command line admits nobody else.
    @Test func theBrowserIsLetInOnce() throws {
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: "bin"), withIntermediateDirectories: true)
      let opener = bench.folder.appending(path: "bin/xdg-open")
      try Data("#!/bin/sh\necho \"$1\" >opened.part; mv opened.part opened\n".utf8).write(
        to: opener)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
      let studio = try StudioBench(
        bench, "--open",
        environment: ["PATH": "\(opener.deletingLastPathComponent().path):/usr/bin:/bin"])
      var opened: String?
      for _ in 0..<500 where opened == nil {
        usleep(20_000)
        opened = try? bench.read("opened")
      }
      let address = try #require(opened).trimmingCharacters(in: .newlines)
      let token = String(try #require(address.split(separator: "=").last))
      #expect(token != studio.token && token.count == 32)
      let stranger = ["Authorization": "Bearer \(token)"]
      #expect(try studio.request("GET", "/api/1/camera", stranger).status == 403)
      #expect(try studio.request("GET", "/?token=\(token)", ["Authorization": nil]).status == 303)
      #expect(try studio.request("GET", "/?token=\(token)", ["Authorization": nil]).status == 403)
    }

    /// This also holds before the camera is open.
    @Test func aRegionLiesInThePicture() throws {
      let studio = try StudioBench(bench)
      for region in ["[90,0,10,10]", "[0,60,10,5]", "[1000,1000,10,10]", "[0,0,97,10]"] {
        let answer = try studio.post("region", "{\"region\":\(region)}")
        #expect(answer.status == 422, "\(region): \(answer.text)")
      }
      #expect(try studio.get("camera").object()["region"] == nil)
      #expect(try studio.post("region", #"{"region":[86,54,10,10]}"#).status == 200)
    }

    private static let badBodies = [
      "", "x", "[]", "1", "null", "\"text\"", "{", #"{"temperature":}"#, #"{"temperature":"5000"}"#,
      #"{"temperature":true}"#, #"{"temperature":1e999}"#, #"{"temperatur":5000}"#,
      #"{"gains":[1,1]}"#,
      #"{"gains":[1,1,-1]}"#, #"{"gains":[1,1,"1"]}"#, #"{"gains":{"red":1}}"#, #"{"xy":[0.3,0]}"#,
      #"{"mode":"other"}"#, #"{"mode":"locked","gains":[1,1,1]}"#, #"{"tint":5}"#, "{}",
      #"{"light":"--help"}"#, #"{"light":"spd:/etc/passwd"}"#, #"{"light":"A\u0000"}"#,
      #"{"light":"A","class":"warm"}"#, #"{"gains":[0,1,1]}"#,
      "{\"gains\":" + String(repeating: "[", count: 20_000) + "}",
      String(repeating: " ", count: 100_000) + "{}", "\u{FEFF}{}", "{\"\u{0}\":1}",
    ]

    @Test func bodiesThatAreRefused() throws {
      let studio = try StudioBench(bench)
      for body in Self.badBodies {
        let answer = try studio.post("set", body)
        #expect((400..<500).contains(answer.status), "\(body.prefix(60)): \(answer.text)")
        let object = try answer.object()
        #expect((object["reasons"] as? [String])?.first?.isEmpty == false)
        #expect(object["exitCode"] as? Int != nil && object["version"] as? Int == 1)
      }
    }

    @Test func badRequests() throws {
      let studio = try StudioBench(bench)
      let json = ["Content-Type": "application/json", "X-Wbcal-Page": "test"]
      func status(_ path: String, _ headers: [String: String?], _ body: String = "{}") throws -> Int
      {
        try studio.request("POST", path, headers, body: Array(body.utf8)).status
      }
      #expect(try status("/api/1/gray", ["X-Wbcal-Page": "test"]) == 415)
      #expect(
        try status("/api/1/gray", ["X-Wbcal-Page": "test", "Content-Type": "text/plain"]) == 415)
      #expect(try status("/api/1/gray", ["Content-Type": "application/json"]) == 400)
      #expect(try status("/api/1/gray", json.merging(["X-Wbcal-Page": "a b"]) { $1 }) == 400)
      #expect(try status("/api/1/nothing", json) == 404)
      #expect(try studio.get("nothing").status == 404)
      for query in ["", "?page=", "?page=a%20b", "?page=a&after=x", "?page=a&after=-1"] {
        #expect(try studio.get("news\(query)").status == 400, "\(query)")
      }
      #expect(try studio.request("GET", "/missing.js").status == 404)
      #expect(try studio.request("GET", "/../Package.swift").status >= 400)
      #expect(try studio.request("GET", "/%2e%2e/%2e%2e/etc/passwd").status >= 400)
      let region = try studio.post("region", #"{"region":[0,0,0,5]}"#)
      #expect(region.status == 400)
    }

    /// Every action refuses bodies of another form, strangers and other pages, whatever it does.
    @Test func everyActionIsGuarded() throws {
      let studio = try StudioBench(bench)
      let before = try studio.get("camera").body
      let hostile = [
        "", "[]", "null", "1", "{", #"{"unknown":1}"#, #"{"__proto__":{}}"#, "{\"\u{0}\":1}",
        String(repeating: "[", count: 20_000),
        "{\"unknown\":\"\(String(repeating: "x", count: 70_000))\"}",
      ]
      let json: [String: String?] = [
        "Content-Type": "application/json", "X-Wbcal-Page": "test",
      ]
      for action in StudioCamera.actions.sorted() + ["control", "leave"] {
        for body in hostile {
          let answer = try studio.post(action, body)
          #expect(
            (400..<500).contains(answer.status), "\(action) \(body.prefix(40)): \(answer.text)")
        }
        for foreign: [String: String?] in [
          ["Authorization": nil], ["Authorization": "Bearer \(studio.token.dropLast())"],
          ["Authorization": nil, "Cookie": "wbcal\(studio.port)=\(studio.token)"],
          ["Origin": "http://127.0.0.1:1"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
          ["Sec-Fetch-Site": "same-site"], ["Host": "studio.example:\(studio.port)"],
        ] {
          let headers = json.merging(foreign) { $1 }
          let answer = try studio.request(
            "POST", "/api/1/\(action)", headers, body: Array("{}".utf8))
          #expect([403, 421].contains(answer.status), "\(action) \(foreign): \(answer.text)")
        }
        #expect(try studio.request("GET", "/api/1/\(action)").status == 404)
      }
      for (action, body) in [
        ("adjust", #"{"controls":{"red_balance":1e99}}"#), ("adjust", #"{"controls":[1]}"#),
        ("adjust", #"{"controls":{"../exposure":1}}"#), ("adjust", #"{"mode":"locked"}"#),
        ("adjust", #"{"controls":{"red_balance":-2147483649}}"#),
        ("use", #"{"device":"simulated:truth=/tmp/out"}"#), ("use", #"{"device":"/etc/passwd"}"#),
        ("use", #"{"device":5}"#), ("before", #"{"width":9}"#), ("keep", #"{"keep":"yes"}"#),
        ("undo", #"{"action":5}"#), ("calibrate/remove", #"{"shot":-1}"#),
        ("calibrate/remove", #"{"shot":9223372036854775807}"#), ("bracket", #"{"count":100}"#),
        ("bracket", #"{"count":2,"steps":1e300,"output":"a.png"}"#),
        ("region", #"{"region":[1e19,0,1,1]}"#), ("focus", #"{"position":-1}"#),
      ] {
        let answer = try studio.post(action, body)
        #expect((400..<500).contains(answer.status), "\(action) \(body): \(answer.text)")
      }
      for path in [
        "diagram", "diagram?width=300", "diagram?width=99&height=300",
        "diagram?width=1e9&height=300",
        "diagram?width=300&height=-300", "diagram?width=300&height=9223372036854775808",
        "snapshot?width=4097", "snapshot?width=-1", "news?page=a&after=9223372036854775808",
        "news?page=\(String(repeating: "a", count: 65))&after=0", "cameras/1", "camera/..",
      ] {
        #expect((400..<500).contains(try studio.get(path).status), "\(path)")
      }
      for path in ["camera", "cameras", "news?page=a", "snapshot", "diagram?width=300&height=300"] {
        let stranger = try studio.request("GET", "/api/1/\(path)", ["Authorization": nil])
        #expect(stranger.status == 403, "\(path)")
        let other = try studio.request("GET", "/api/1/\(path)", ["Sec-Fetch-Site": "cross-site"])
        #expect(other.status == 403, "\(path)")
      }
      // Nothing of this has changed the camera.
      #expect(try studio.get("camera").object()["undoes"] == nil && !before.isEmpty)
      #expect(try bench.files() == [])
    }

    @Test func nothingLeadsOutOfTheFolder() throws {
      let folder = bench.folder
      try FileManager.default.createDirectory(
        at: folder.appending(path: "made"), withIntermediateDirectories: true)
      try bench.write("secret.json", "secret")
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "made/link.json").path, withDestinationPath: "../secret.json"
      )
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "made/link.html").path, withDestinationPath: "../new.html")
      try bench.write("made/own.json", "{}")
      unsafe mkfifo(folder.appending(path: "made/pipe.json").path, 0o600)
      let studio = try StudioBench(bench, "--folder", "made")
      #expect(try studio.get("file?name=own.json").text == "{}")
      for name in [
        "", ".", "..", "../secret.json", "made/own.json", ".hidden.json", "own.json/", "link.json",
        "pipe.json", "own.exe", "own", "%2e%2e%2fsecret.json", "..%5csecret.json",
        "own.json%00.html",
        "/etc/passwd", "missing.json",
      ] {
        let answer = try studio.get("file?name=\(name)")
        #expect((400..<500).contains(answer.status), "\(name): \(answer.status)")
        #expect(!answer.text.contains("secret\""), "\(name)")
      }
      _ = try studio.act("calibrate/shot", #"{"light":"D65"}"#)
      for name in ["../out.json", "/tmp/out.json", ".out.json", "out.txt", "sub/out.json", "out"] {
        let answer = try studio.post("calibrate/finish", "{\"output\":\"\(name)\"}")
        #expect((400..<500).contains(answer.status), "\(name)")
      }
      // A link is not followed, wherever it leads.
      let linked = try studio.post("calibrate/finish", #"{"output":"link.json"}"#)
      #expect(linked.status == 422, "\(linked.text)")
      #expect(try bench.read("secret.json") == "secret")
      let picture = try studio.post("bracket", #"{"count":1,"output":"../out.png"}"#)
      #expect(picture.status == 400)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: "made").path)
      #expect(names.sorted() == ["link.html", "link.json", "own.json", "pipe.json"])
      #expect(try bench.files() == ["made", "secret.json"])
    }

    @Test func otherComputersNeedAWord() async throws {
      try bench.runProcess("studio", "--listen", "0.0.0.0:0").expect(77, errors: "allow")
      try bench.runProcess("studio", "--listen", "8080").expect(64, errors: "8080")
      try bench.runProcess("studio", "--certificate", "a.pem").expect(64, errors: "--key")
      try bench.runProcess("studio", "--folder", "missing").expect(66, errors: "missing")
      try bench.runProcess("studio", "--profile", "missing.json").expect(66, errors: "missing.json")
    }

    /// The program contains every file of the page, unchanged.
    @Test func thePageIsWhole() throws {
      let studio = try StudioBench(bench)
      let folder = Workbench.repository.appending(path: "Sources/WbcalStudioPage/Page").path
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.contains("index.html"))
      for name in names {
        let answer = try studio.request("GET", "/" + name)
        let file = try Data(contentsOf: URL(filePath: folder + "/" + name))
        #expect(answer.status == 200 && answer.body == Array(file), "\(name)")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
      }
      let page = try studio.request("GET", "/")
      #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
      let script = try studio.request("GET", "/main.js")
      #expect(script.headers["content-type"]?.hasPrefix("text/javascript") == true)
    }
  }
}
