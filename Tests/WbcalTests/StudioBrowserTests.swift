import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

extension BrowserSuite {
  /// The studio's page in a browser, used as by a person.
  @Suite(.timeLimit(.minutes(20))) struct StudioBrowserTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    static let enter = "\u{E007}"

    func address(_ studio: StudioBench) -> String {
      "http://127.0.0.1:\(studio.port)/?token=\(studio.token)"
    }

    /// Returns a browser that shows a studio's camera.
    func browser(
      of studio: StudioBench, _ kind: BrowserKind, as look: BrowserWindow = .laptop
    ) throws -> Browser {
      let browser = try Browser(kind, look)
      try show(studio, browser)
      return browser
    }

    func show(_ studio: StudioBench, _ browser: Browser) throws {
      try browser.open(address(studio))
      try waitUntilLive(browser)
    }

    func waitUntilLive(_ browser: Browser) throws {
      try browser.wait(
        for: "document.querySelector('#state').textContent === 'Live' "
          + "&& document.querySelector('#live').dataset.pictures > 0 "
          + "&& document.querySelector('#exposure-meter output').textContent !== '–' "
          + "&& !document.querySelector('#find-card').disabled")
    }

    /// Waits until no action runs, and all settings of sliders have been answered.
    func waitForRest(_ browser: Browser) throws {
      try browser.wait(
        for: "document.querySelector('#task').hidden "
          + "&& !/Setting/.test(document.querySelector('#balance-trace').textContent)")
    }

    func lastCommand(_ browser: Browser) throws -> String {
      try browser.value(
        "[...document.querySelectorAll('#log-lines code')].at(-1)?.textContent ?? ''") as? String
        ?? ""
    }

    func isVisible(_ selector: String) -> String {
      "Boolean(document.querySelector('\(selector)')?.checkVisibility())"
    }

    func contains(_ selector: String, _ pattern: String) -> String {
      "/\(pattern)/.test(document.querySelector('\(selector)')?.textContent ?? '')"
    }

    /// The box of the studio, as soon as it is as wanted, or after ten minutes.
    func region(
      _ studio: StudioBench, once isWanted: ([Int]) -> Bool = { _ in true }
    ) throws -> [Int] {
      let end = ContinuousClock.now + .seconds(600)
      while true {
        let region = try #require(try studio.get("camera").object()["region"] as? [Int])
        if isWanted(region) || ContinuousClock.now > end { return region }
        usleep(20_000)
      }
    }

    /// Chooses an option of a menu.
    func choose(_ value: String, in selector: String, _ browser: Browser) throws {
      _ = try browser.value(
        "(() => { const menu = document.querySelector('\(selector)'); menu.value = '\(value)'; "
          + "menu.dispatchEvent(new Event('change')); })()")
    }

    // MARK: The first minute

    /// A newcomer without a profile makes the card gray and keeps that, by two presses.
    @Test(arguments: BrowserKind.allCases, [BrowserWindow.laptop, .phone])
    func aNewcomerMakesTheCardGray(kind: BrowserKind, window: BrowserWindow) async throws {
      try kind.require()
      var browser: Browser?
      for (control, light) in [("temperature", "4000K"), ("balances", "FL11")] {
        let device = "simulated:pipeline=webcam,size=160x120,controls=\(control),light=\(light)"
        let studio = try StudioBench(bench, device: device)
        if let browser {
          try show(studio, browser)
        } else {
          browser = try self.browser(of: studio, kind, as: window)
        }
        guard let browser else { return }
        // The picture, the steps and the button are seen without scrolling.
        let seen =
          "document.querySelector('#gray').getBoundingClientRect().bottom < innerHeight "
          + "&& document.querySelector('#region').getBoundingClientRect().bottom < innerHeight"
        #expect(try browser.value(seen) as? Bool == true)
        #expect(try browser.text("#picker option:checked").hasPrefix("Demo camera"))
        #expect(try browser.value(isVisible("#balance-note")) as? Bool == true)
        #expect(try browser.value(isVisible("#keep-bar")) as? Bool == false)
        try browser.click("#gray")
        try browser.wait(for: isVisible("#keep-gray"))
        #expect(try browser.text("#keep-bar span").contains("goes back to its old setting"))
        #expect(try browser.text("#undo") == "Undo “Make this gray”")
        let told = try browser.text("#gray-result")
        try browser.click("#keep-gray")
        try browser.wait(for: "document.querySelector('#keep-gray').textContent === 'Kept'")
        #expect(try browser.text("#keep-bar span").contains("keeps this setting"))
        let neutral = try #require(
          try studio.get("camera").object()["neutral"] as? [String: Any])
        let stated = try #require(neutral["ciede2000"] as? Double)
        _ = try studio.end()
        // The truth is what the page states.
        let truth = try await bench.run("verify", "--device", device, "--limit", "0.5", "--json")
        if control == "balances" {
          truth.expect(0)
          #expect(told.hasPrefix("Neutral."), "\(told)")
        } else {
          let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(truth.output.utf8)) as? [String: Any])
          let left = try #require(verdict["ciede2000"] as? Double)
          #expect(abs(left - stated) < 0.3 + 0.1 * stated, "\(left), \(stated)")
          #expect(left <= 0.5 || told.contains("tint") || told.contains("No visible"), "\(told)")
        }
        try browser.wait(for: contains("#veil", "The studio has ended"))
        _ = try browser.complaints()
      }
    }

    /// A box is drawn, moved and made gray; the result stands there as long as it is true.
    @Test(arguments: BrowserKind.allCases)
    func whatIsShownIsTrueNow(kind: BrowserKind) async throws {
      try kind.require()
      let device = "simulated:size=320x240,shutter=absolute,light=FL11"
      let studio = try StudioBench(bench, device: device)
      let browser = try browser(of: studio, kind)
      let scale = try #require(
        try browser.value("document.querySelector('#frame').clientWidth / 320") as? Double)
      try browser.drag("#region", by: (x: Int(24 * scale), y: Int(12 * scale)))
      try browser.wait(for: "document.querySelector('#region').style.left.startsWith('45')")
      let moved = try region(studio) { $0[0] >= 142 }
      #expect(abs(moved[0] - 144) <= 2 && abs(moved[1] - 102) <= 2, "\(moved)")
      #expect(moved[2] == 80 && moved[3] == 60)
      try browser.click("#gray")
      try browser.wait(for: isVisible("#keep-gray"))
      let command = try lastCommand(browser)
      #expect(command.hasPrefix("wbcal gray --device \(device) --region "))

      // Each Undo names what it undoes, and a result is not shown for longer than it is the last
      // one.
      try browser.click("#tab-exposure")
      try browser.type("1/200\(Self.enter)", into: "#duration-slider-number")
      try browser.wait(for: "document.querySelector('#undo').textContent === 'Undo exposure'")
      try waitForRest(browser)
      #expect(try browser.value(isVisible("#done")) as? Bool == false)
      let exposure = try browser.text("#exposure-trace")
      #expect(exposure.contains("1/200") && !exposure.contains("frame"), "\(exposure)")
      try browser.click("#undo")
      try browser.wait(for: contains("#undo", "Make this gray"))
      try browser.wait(for: "!" + isVisible("#exposure-trace"))
      try browser.click("#undo")
      try browser.wait(for: "document.querySelector('#undo').disabled")
      #expect(try browser.value(isVisible("#keep-bar")) as? Bool == false)

      // A card that is too bright is measured at another exposure, and the page says so.
      _ = try browser.value("document.activeElement.blur()")
      try browser.type("1/5\(Self.enter)", into: "#duration-slider-number")
      try browser.wait(for: contains("#exposure-meter", "too bright"))
      try waitForRest(browser)
      try browser.click("#gray")
      try browser.wait(for: isVisible("#done"))
      #expect(try browser.text("#gray-result").contains("The picture is too bright to show it"))
      #expect(try browser.value(isVisible("#right-exposure")) as? Bool == true)

      // The picture from before the changes is there, from the opening of the camera.
      try browser.click("#compare-gray")
      try browser.wait(for: "document.querySelector('#before-picture').naturalWidth > 0")
      #expect(try browser.complaints().isEmpty)
    }

    /// A change of the light is stated with the button that helps, and is withdrawn with it.
    @Test(arguments: BrowserKind.allCases)
    func aChangeOfTheLightOffersWhatHelps(kind: BrowserKind) async throws {
      try kind.require()
      let studio = try StudioBench(
        bench, device: "simulated:size=320x240,controls=balances,relight=A@300")
      let browser = try browser(of: studio, kind)
      #expect(try browser.value(isVisible("#light-bar")) as? Bool == false)
      try browser.click("#balance-modes label:has([value=locked])")
      try browser.wait(for: isVisible("#light-bar"))
      try browser.wait(for: contains("#live-polite", "The light has changed"))
      #expect(try browser.text("#balance-again") == "Balance again")
      #expect(try browser.value("document.activeElement.id !== 'balance-again'") as? Bool == true)
      try browser.click("#balance-again")
      try browser.wait(for: isVisible("#keep-gray"))
      try browser.wait(for: "!" + isVisible("#light-bar"))
      #expect(try browser.complaints().isEmpty)
    }

    /// A card that is refused comes with the button that helps.
    @Test(arguments: BrowserKind.allCases)
    func aRefusalOffersWhatHelps(kind: BrowserKind) async throws {
      try kind.require()
      let device = "simulated:size=320x240,shutter=absolute,light=FL11"
      let studio = try StudioBench(bench, device: device)
      let browser = try browser(of: studio, kind)
      // The box is moved away from the card.
      try browser.drag("#region", by: (x: -140, y: 0))
      try browser.click("#gray")
      try browser.wait(for: isVisible("#help-picture"))
      #expect(try browser.text("#help-picture") == "Find the card")
      try browser.click("#help-picture")
      try browser.wait(for: isVisible("#choices button"))
      #expect(try browser.value(isVisible("[data-errors=picture]")) as? Bool == false)
      try browser.click("#choices button")
      try browser.click("#gray")
      try browser.wait(for: isVisible("#keep-gray"))
      // There is no chart, and nothing on the page that would help.
      try browser.click("#more-tools")
      try browser.click("#find-chart")
      try browser.wait(for: contains("[data-errors=picture]", "No chart was found"))
      #expect(try browser.value("document.querySelector('#help-picture')") as? Bool == nil)
      // A picture that is too bright is put right.
      try browser.click("#tab-exposure")
      try browser.type("1/5\(Self.enter)", into: "#duration-slider-number")
      try browser.wait(for: contains("#exposure-meter", "too bright"))
      try waitForRest(browser)
      try browser.click("#find-card")
      try browser.wait(for: contains("#help-picture", "Put the brightness right"))
      try browser.click("#help-picture")
      try browser.wait(for: "!" + contains("#exposure-meter", "too bright"))
      #expect(try browser.complaints().allSatisfy { $0.contains("422") })
    }

    /// The tools of the picture do what their names say.
    @Test(arguments: BrowserKind.allCases)
    func theToolsOfThePicture(kind: BrowserKind) async throws {
      try kind.require()
      let device = "simulated:size=320x240,shutter=absolute,light=A"
      let studio = try StudioBench(bench, device: device)
      let browser = try browser(of: studio, kind)
      // A new box is drawn from the corner of the picture.
      let scale = try #require(
        try browser.value("document.querySelector('#frame').clientWidth / 320") as? Double)
      _ = try browser.value(
        """
        (() => {
          const spot = document.createElement('b');
          spot.id = 'spot';
          Object.assign(spot.style, { position: 'absolute', left: '4%', top: '30%', padding: '2px' });
          document.querySelector('#frame').append(spot);
        })()
        """)
      try browser.drag("#spot", by: (x: Int(60 * scale), y: Int(50 * scale)))
      let drawn = try region(studio) { abs($0[2] - 60) <= 2 }
      #expect(abs(drawn[2] - 60) <= 2 && abs(drawn[3] - 50) <= 2, "\(drawn)")

      try browser.click("#more-tools")
      let colored = { (id: String) in
        """
        (() => {
          const canvas = document.querySelector('\(id)');
          if (canvas.hidden || !canvas.width) return false;
          const copy = new OffscreenCanvas(canvas.width, canvas.height);
          const context = copy.getContext('2d', { willReadFrequently: true });
          context.drawImage(canvas, 0, 0);
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value, index) => index % 4 === 3 && value > 0);
        })()
        """
      }
      // Edges, and the loupe's part of the picture.
      for (button, canvas) in [("#edges-button", "#edges"), ("#lens-button", "#lens")] {
        #expect(try browser.value(colored(canvas)) as? Bool == false)
        try browser.click(button)
        try browser.wait(for: colored(canvas))
        try browser.click(button)
        try browser.wait(for: "document.querySelector('\(canvas)').hidden")
      }
      // Clipped parts are striped.
      try browser.click("#tab-exposure")
      try browser.type("1/5\(Self.enter)", into: "#duration-slider-number")
      try browser.wait(for: contains("#exposure-meter", "too bright"))
      try waitForRest(browser)
      try browser.click("#zebra-button")
      try browser.wait(for: colored("#zebra"))
      #expect(try browser.value(isVisible("#legend")) as? Bool == true)
      try browser.click("#zebra-button")
      try browser.click("#undo")
      try browser.wait(for: "document.querySelector('#undo').disabled")

      // A recording becomes a file with pictures.
      _ = try browser.value(
        """
        (() => {
          const create = URL.createObjectURL;
          URL.createObjectURL = file => {
            window.size = file.size;
            return create(file);
          };
          HTMLAnchorElement.prototype.click = function () {
            document.title = `${this.download} ${window.size > 1000}`;
          };
        })()
        """)
      try browser.click("#record")
      let count = try #require(
        try browser.value("Number(document.querySelector('#live').dataset.pictures)") as? Int)
      try browser.wait(
        for: "Number(document.querySelector('#live').dataset.pictures) > \(count + 20)")
      #expect(try browser.text("#record") == "Stop recording")
      try browser.click("#record")
      try browser.wait(for: "document.title === 'studio.webm true'")

      // The pictures of a bracket are shown, and replaced only after a question.
      try browser.click("#take-bracket")
      try browser.wait(
        for: "document.querySelectorAll('#bracket-result img').length === 3 "
          + "&& [...document.querySelectorAll('#bracket-result img')].every(one => one.naturalWidth)"
      )
      try browser.click("#take-bracket")
      try browser.wait(for: contains("#bracket-result", "already exists"))
      try browser.click("#bracket-result button")
      try browser.wait(for: "document.querySelectorAll('#bracket-result img').length === 3")
      let complaints = try browser.complaints()
      #expect(complaints.allSatisfy { $0.contains("409") }, "\(complaints)")
    }

    /// A page says that the studio does not answer, and goes on when it does.
    @Test(arguments: BrowserKind.allCases)
    func aStudioThatDoesNotAnswerIsStated(kind: BrowserKind) throws {
      try kind.require()
      let studio = try StudioBench(bench)
      let browser = try browser(of: studio, kind)
      kill(studio.process.processIdentifier, SIGSTOP)
      try browser.wait(for: "document.querySelector('#state').textContent === 'Ended'")
      #expect(try browser.value("document.querySelector('#gray').disabled") as? Bool == true)
      kill(studio.process.processIdentifier, SIGCONT)
      try waitUntilLive(browser)
    }

    // MARK: Sliders

    @Test(arguments: BrowserKind.allCases)
    func aSliderSetsTheCamera(kind: BrowserKind) async throws {
      try kind.require()
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o",
        "sim.json"
      ).expect(0)
      let device = Workbench.camera + ",light=5000K"
      let studio = try StudioBench(bench, "--profile", "sim.json", device: device)
      let browser = try browser(of: studio, kind)
      try browser.type("3200\(Self.enter)", into: "#temperature-slider-number")
      try browser.wait(for: contains("#log-lines", "--temperature 3200"))
      try waitForRest(browser)
      try browser.type("10\(Self.enter)", into: "#tint-slider-number")
      try browser.wait(for: contains("#log-lines", "--temperature 3200 --tint 10"))
      let line = try lastCommand(browser)
      // The logged command does the same.
      let other = try Workbench()
      try other.write("sim.json", try bench.read("sim.json"))
      let words = line.split(separator: " ").dropFirst().map(String.init)
      let outcome = try await other.run(words + ["--json"])
      outcome.expect(0)
      struct Answer: Decodable { var controls: [String: Int] }
      let wanted = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8)).controls
      let page = try StudioPage(studio)
      _ = try await page.wait(for: "reading") { $0["controls"] as? [String: Int] == wanted }
      page.leave()
      try browser.wait(for: contains("#balance-trace", "Confirmed in the picture"))

      // The presets show which one is set, and one that is refused leaves no trace.
      _ = try browser.value(
        """
        (() => {
          const trace = document.querySelector('#balance-trace');
          window.wanted = [];
          new MutationObserver(() => {
            const text = trace.querySelector('dd').textContent;
            if (window.wanted.at(-1) !== text) window.wanted.push(text);
          }).observe(trace, { subtree: true, childList: true, characterData: true });
        })()
        """)
      try browser.click("[data-preset=daylight]")
      try browser.wait(
        for: "document.querySelector('[data-preset=daylight]').ariaPressed === 'true'")
      try waitForRest(browser)
      // The setting before it does not come back between the answer and the next reading.
      let seen = try browser.value("window.wanted.join()") as? String
      #expect(seen?.contains("5502") == true && seen?.contains("3200") == false, "\(seen ?? "")")
      // The setting that was achieved replaces the one that was asked.
      try browser.wait(
        for: "document.querySelector('#balance-trace').textContent.includes("
          + "`Wanted${document.querySelector('#temperature-slider-number').value}`)")
      let before = try #require(
        try browser.value("document.querySelector('#temperature-slider-number').value") as? String)
      try browser.click("#more-balance summary")
      try browser.click("[data-preset=candle]")
      try browser.wait(for: "document.querySelector('[data-errors=balance]').checkVisibility()")
      try browser.wait(
        for: "document.querySelector('#temperature-slider-number').value === '\(before)'")
      // An empty name sets nothing.
      let lines = try browser.value("document.querySelectorAll('#log-lines li').length") as? Int
      try browser.click("#set-light")
      try browser.click("#tab-exposure")
      #expect(
        try browser.value("document.querySelectorAll('#log-lines li').length") as? Int == lines)
      #expect(try browser.complaints().allSatisfy { $0.contains("422") })
    }

    /// A slider moves the picture while it is moved, and all of it is one change.
    @Test(arguments: BrowserKind.allCases)
    func aSliderMovesThePictureLive(kind: BrowserKind) async throws {
      try kind.require()
      let device = "simulated:pipeline=webcam,size=160x120,controls=balances"
      let studio = try StudioBench(bench, device: device)
      let browser = try browser(of: studio, kind)
      let page = try StudioPage(studio, "watcher")
      let old = try await page.wait(for: "reading")
      _ = try browser.value(
        """
        (() => {
          const range = document.querySelector('#red-slider-range');
          const step = value => {
            range.value = window.isEnough ? 460 : value;
            range.dispatchEvent(new Event('input'));
            if (window.isEnough) window.moved = true;
            else setTimeout(() => step(value < 455 ? value + 5 : 400), 30);
          };
          step(400);
        })()
        """)
      // The camera follows while the slider moves without a pause.
      var red: Set<Int> = []
      while red.count < 4 {
        let reading = try await page.wait(for: "reading") { reading in
          let value = (reading["controls"] as? [String: Int])?["red_balance"]
          return value.map { 400..<460 ~= $0 && !red.contains($0) } ?? false
        }
        red.insert(try #require((reading["controls"] as? [String: Int])?["red_balance"]))
      }
      _ = try browser.value("window.isEnough = true")
      try browser.wait(for: "window.moved")
      // Before it is released, the camera has the newest value, and pictures go on.
      _ = try await page.wait(for: "reading") {
        ($0["controls"] as? [String: Int])?["red_balance"] == 460
      }
      let pictures = "Number(document.querySelector('#live').dataset.pictures)"
      let count = try #require(try browser.value(pictures) as? Int)
      try browser.wait(for: "\(pictures) > \(count + 2)")
      #expect(try lastCommand(browser).isEmpty)
      _ = try browser.value(
        "document.querySelector('#red-slider-range').dispatchEvent(new Event('change'))")
      try browser.wait(for: contains("#balance-trace", "The camera reports it"))
      // One Undo takes all of it back.
      try browser.click("#undo")
      try browser.wait(for: "document.querySelector('#undo').disabled")
      _ = try await page.wait(for: "reading") { $0["mode"] as? String == old["mode"] as? String }
      #expect(try browser.complaints().isEmpty)
      page.leave()
    }

    /// A profile that does not know the camera: no value is shown before one is known.
    @Test(arguments: BrowserKind.allCases)
    func nothingUnknownIsShown(kind: BrowserKind) async throws {
      try kind.require()
      try await bench.run("profile", "import", "libcamera:imx219", "-o", "photo.json").expect(0)
      let device = "simulated:pipeline=webcam,size=160x120"
      let studio = try StudioBench(bench, "--profile", "photo.json", device: device)
      let browser = try browser(of: studio, kind)
      let unknown =
        "document.querySelector('#temperature-slider').classList.contains('unknown') "
        + "&& document.querySelector('#temperature-slider-number').value === ''"
      if try browser.value(isVisible("#temperature-slider")) as? Bool == true {
        #expect(try browser.value(unknown) as? Bool == true)
      } else {
        #expect(try browser.text("#balance-note").contains("another camera"))
      }
      // The range of a camera does not begin at a round number, but round numbers are requested.
      _ = try browser.value(
        """
        import(new URL("slider.js", location.href).href).then(({ Slider }) => {
          const box = document.createElement("div");
          box.id = "other";
          document.querySelector("main").prepend(box);
          const asks = value => { document.title = `asked ${value}`; };
          new Slider("other", { label: "Other", step: 1, text: String, asks }).limits([1993.4, 9000.7]);
        })
        """)
      try browser.type("3200\(Self.enter)", into: "#other-number")
      try browser.wait(for: "document.title === 'asked 3200'")
    }

    // MARK: Calibration

    @Test(arguments: BrowserKind.allCases)
    func calibrationThroughThePage(kind: BrowserKind) async throws {
      try kind.require()
      try bench.write("notes.json", #"{"my": "notes"}"#)
      let studio = try StudioBench(bench)
      let browser = try browser(of: studio, kind)
      try browser.click("#go-calibrate")
      // The automatic white balance moves the picture, which is no reason to wait.
      try browser.wait(for: contains("#checks", "automatic white balance is switched off"))
      #expect(try browser.text("#checks").contains("still changes") == false)
      // Nothing is taken for the lamp that nobody named.
      try browser.click("#take-shot")
      try browser.wait(for: contains("#shot-status", "Choose the lamp first"))
      #expect(try browser.value("document.activeElement.id") as? String == "lamp")
      try choose("bulb", in: "#lamp", browser)
      try browser.click("#take-shot")
      try browser.wait(
        for: contains("#advice", "One lamp cannot be checked: if it was not “Light bulb"))
      #expect(try browser.value("document.querySelector('#lamp').value") as? String == "")
      try choose("daylight", in: "#lamp", browser)
      try browser.wait(for: "!document.querySelector('#take-shot').disabled")
      try browser.click("#take-shot")
      try browser.wait(for: "document.querySelectorAll('#shots li').length === 2")
      let advice = try browser.text("#advice")
      #expect(
        advice.contains("Good for bulbs (±") && advice.contains("would help most"), "\(advice)")
      // The result and its button are seen without scrolling.
      #expect(
        try browser.value(
          "document.querySelector('#finish').getBoundingClientRect().bottom < innerHeight") as? Bool
          == true)
      // A file that is no profile is replaced only after a question.
      try browser.type("notes.json", into: "#profile-name")
      try browser.click("#finish")
      try browser.wait(for: contains("#finish-result", "notes.json already exists"))
      #expect(try bench.read("notes.json") == #"{"my": "notes"}"#)
      try browser.type("desk.json", into: "#profile-name")
      try browser.click("#finish")
      try browser.wait(for: "document.querySelector('#finish-result a')")
      #expect(try browser.text("#finish-result").contains("In use: desk.json, with 2 lamps"))
      try browser.click("#tab-balance")
      try browser.wait(for: isVisible("#temperature-slider"))

      // The command makes the same profile from the same shots.
      let made = try CameraProfile(path: bench.folder.appending(path: "desk.json").path)
      var arguments = ["calibrate", "-o", "same.json"]
      for shot in try #require(made.calibration).shots.map(\.shot) {
        let light = shot.response
        arguments += ["--shot", "rgb:\(light.red),\(light.green),\(light.blue)@\(shot.light.name)"]
      }
      #expect(made.calibration?.shots.map(\.shot.light.name) == ["A", "D65"])
      try await bench.run(arguments).expect(0)
      let same = try CameraProfile(path: bench.folder.appending(path: "same.json").path)
      for name in ["A", "D65", "FL11", "LED-B3"] {
        let light = try Light(named: name).chromaticity
        let one = try #require(made.model.gains(for: light, lightClass: nil))
        let other = try #require(same.model.gains(for: light, lightClass: nil))
        #expect(abs(one.red / other.red - 1) < 1e-12 && abs(one.blue / other.blue - 1) < 1e-12)
      }
      #expect(try studio.get("file?name=desk.html").text.contains("<svg"))
      #expect(try browser.complaints().allSatisfy { $0.contains("409") })
    }

    // MARK: Windows and cameras

    /// Eight windows of one browser show the camera; one of them controls it, and a reload in the
    /// middle of an action changes nothing.
    @Test(arguments: BrowserKind.allCases)
    func reloadedInMidActionAndManyWindows(kind: BrowserKind) throws {
      try kind.require()
      // The simulated camera takes the time of a real one.
      let studio = try StudioBench(bench, device: Workbench.camera + ",fps=60")
      let browser = try browser(of: studio, kind)
      let first = browser.windows[0]
      let task = "!document.querySelector('#task').hidden"
      try browser.click("#more-balance summary")
      try browser.type("1.5", into: "#gain-red")
      try browser.click("#set-gains")
      try browser.wait(for: task)
      // The refusal that it caused disappears after it.
      try browser.click("#find-card")
      try browser.wait(for: isVisible("[data-errors=picture]"))
      try browser.reload()
      try browser.wait(for: task)
      try browser.click("#find-card")
      try browser.wait(
        for: "document.querySelector('#task').hidden "
          + "&& /--gains 1.5/.test(document.querySelector('#log-lines').textContent)")
      try browser.wait(for: "!document.querySelector('[data-errors=picture]').checkVisibility()")

      for _ in 0..<7 {
        try browser.openWindow("http://127.0.0.1:\(studio.port)/?token=\(studio.token)")
        try browser.wait(
          for: "document.querySelector('#state').textContent === 'Live' "
            + "&& document.querySelector('#live').dataset.pictures > 1")
      }
      try browser.wait(for: "!document.querySelector('#take-over').hidden")
      #expect(try browser.text("#notice").contains("Another page controls"))
      #expect(try browser.value("document.querySelector('#gray').disabled") as? Bool == true)
      try browser.click("#take-over")
      try browser.wait(for: "!document.querySelector('#find-card').disabled")
      browser.use(window: first)
      try browser.wait(for: "document.querySelector('#find-card').disabled")
    }

    /// Another camera is chosen on the page; what is wrong with one is stated as it is.
    @Test(arguments: BrowserKind.allCases)
    func anotherCameraIsChosen(kind: BrowserKind) async throws {
      try kind.require()
      let studio = try StudioBench(bench, device: "/dev/missing")
      let browser = try Browser(kind, .laptop)
      try browser.open(address(studio))
      try browser.wait(for: contains("#veil", "This camera is not connected"))
      #expect(try browser.text("#state") == "Not found")
      #expect(try !browser.text("#veil").contains("wbcal"))
      #expect(try browser.value("document.querySelector('#gray').disabled") as? Bool == true)
      try browser.wait(for: "document.querySelector('#picker').options.length > 1")
      try choose("simulated", in: "#picker", browser)
      try waitUntilLive(browser)
      #expect(try browser.text("#veil").isEmpty)
      // A page that is closed says so, and the camera is let go soon.
      try browser.openWindow("about:blank")
      browser.use(window: browser.windows[0])
      try browser.open("about:blank")
      let page = try StudioPage(studio)
      let control = try await page.wait(for: "control") { $0["pages"] as? Int == 1 }
      #expect(control["pages"] as? Int == 1)
      page.leave()
      let (status, errors) = try studio.end()
      #expect(status == 0)
      #expect(errors.matches(of: #/waits for it/#).count == 1, "\(errors)")
    }

    // MARK: For everybody

    /// The card is made gray by the keyboard alone, and by single keys.
    @Test(arguments: BrowserKind.allCases)
    func theKeyboardIsEnough(kind: BrowserKind) throws {
      try kind.require()
      let studio = try StudioBench(bench, device: "simulated:size=160x120,light=FL11")
      let browser = try browser(of: studio, kind)
      func goTo(_ id: String, backwards: Bool = false) throws {
        for _ in 0..<60 {
          try browser.press("\u{E004}", holding: backwards ? "\u{E008}" : nil)
          if try browser.value("document.activeElement.id") as? String == id { return }
        }
        Issue.record("Tab does not reach #\(id)")
      }
      try goTo("region")
      let left = "parseFloat(document.querySelector('#region').style.left)"
      let before = try #require(try browser.value(left) as? Double)
      try browser.press("\u{E014}\u{E014}")
      try browser.wait(for: "\(left) > \(before)")
      try goTo("gray", backwards: true)
      try browser.press(Self.enter)
      try browser.wait(for: isVisible("#keep-gray"))
      #expect(try browser.value("document.activeElement.id") as? String == "done")
      try goTo("keep-gray")
      try browser.press(Self.enter)
      try browser.wait(for: contains("#keep-bar", "keeps this setting"))
      try browser.press("u")
      try browser.wait(for: "document.querySelector('#undo').disabled")
      #expect(try browser.value("document.activeElement.id") as? String == "gray")
      try browser.press("g")
      try browser.wait(for: isVisible("#keep-gray"))
      #expect(try browser.complaints().isEmpty)
    }

    /// The rules of axe-core, on every tab and in the dialog, at both sizes; in Chromium, both
    /// light and dark.
    @Test(
      .enabled(if: Self.axe != nil, "there is no axe-core; 'make axe' gets it from PyPI"),
      arguments: BrowserKind.allCases)
    func noRuleOfAxeIsViolated(kind: BrowserKind) async throws {
      try kind.require()
      let axe = try String(contentsOf: try #require(Self.axe), encoding: .utf8)
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o",
        "sim.json"
      ).expect(0)
      let device = "simulated:size=160x120,shutter=absolute,lens=motor,light=A"
      let studio = try StudioBench(bench, "--profile", "sim.json", device: device)
      let browser = try browser(of: studio, kind)
      _ = try browser.value("(() => { \(axe) })()")
      try browser.click("#gray")
      try browser.wait(for: isVisible("#keep-gray"))
      for selector in ["#more-tools", "#details summary", "#more-balance summary", "#log summary"] {
        try browser.click(selector)
      }
      var looks: [BrowserWindow] = [.laptop, .phone.inTheDark]
      // The other browser has the same rules and the same styles.
      if kind == .chromium { looks += [.laptop.inTheDark, .phone] }
      for look in looks {
        try browser.show(as: look)
        // By keys, because the picture stays in sight where the page is scrolled.
        for (key, tab) in [
          ("1", "balance"), ("2", "exposure"), ("3", "focus"), ("4", "calibrate"), ("?", "help"),
        ] {
          try browser.press(key)
          try browser.wait(for: isVisible("#\(tab)"))
          #expect(try violations(browser) == [], "\(tab), \(look)")
        }
        try browser.press("\u{E00C}")
        try browser.wait(for: "!document.querySelector('#help').open")
      }
    }

    private func violations(_ browser: Browser) throws -> [String]? {
      _ = try browser.value(
        """
        void (window.found = null, axe.run().then(result => {
          window.found = result.violations.flatMap(one =>
            one.nodes.map(node => `${one.id} ${node.target}`));
        }))
        """)
      try browser.wait(for: "window.found")
      return try browser.value("window.found") as? [String]
    }

    /// Nothing moves by itself for a user who prefers that.
    @Test(arguments: BrowserKind.allCases, [false, true])
    func reducedMotionIsRespected(kind: BrowserKind, isStill: Bool) throws {
      try kind.require()
      let studio = try StudioBench(bench)
      let browser = try browser(of: studio, kind, as: isStill ? .laptop.withoutMotion : .laptop)
      try browser.press("?")
      try browser.wait(for: isVisible("#help"))
      let animations = try browser.value(
        """
        (() => {
          const box = document.querySelector("#single-keys");
          getComputedStyle(box, "::after").transform;
          box.click();
          getComputedStyle(box, "::after").transform;
          return document.getAnimations().length;
        })()
        """)
      #expect((try #require(animations as? Int) == 0) == isStill)
      let moving = try browser.value(
        """
        [...document.querySelectorAll("*")].flatMap(element =>
          [null, "::before", "::after"].filter(part => {
            const style = getComputedStyle(element, part);
            return /[1-9]/.test(style.transitionDuration) || style.animationName !== "none"
              || style.scrollBehavior === "smooth";
          }).map(part => element.tagName + (part ?? ""))).length
        """)
      #expect((try #require(moving as? Int) == 0) == isStill)
    }

    /// The file of axe-core, if it was downloaded.
    private static var axe: URL? {
      let file = Workbench.repository.appending(path: ".build/axe/axe.min.js")
      return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// Names, roles, contrast, overlaps and touch targets, on every panel, also of a page that is
    /// read from right to left; 683 is a zoom of 200 %.
    @Test(arguments: BrowserKind.allCases)
    func everythingIsLegibleAndNamed(kind: BrowserKind) async throws {
      try kind.require()
      let device = "simulated:size=320x240,shutter=absolute,lens=motor,light="
      // With a profile the page shows more: the light, and the range of the controls.
      try await bench.run(
        "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o",
        "sim.json"
      ).expect(0)
      let studio = try StudioBench(bench, "--profile", "sim.json", device: device + "A")
      let browser = try browser(of: studio, kind)
      try browser.click("#gray")
      let script = try String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "Studio/page-checks.js"), encoding: .utf8)
      for (look, direction) in [
        (.laptop.inTheDark, "ltr"), (BrowserWindow(screen: (683, 384)), "ltr"), (.phone, "ltr"),
        (.phone.inTheDark, "ltr"), (.laptop, "rtl"), (.phone, "rtl"),
      ] {
        try browser.wait(for: isVisible("#keep-gray"))
        try browser.show(as: look)
        try browser.reload()
        try waitUntilLive(browser)
        try browser.wait(for: isVisible("#keep-gray"))
        let dark = try browser.value("matchMedia('(prefers-color-scheme: dark)').matches")
        #expect(dark as? Bool == look.isDark)
        for selector in ["#more-tools", "#details summary", "#more-balance summary"] {
          try browser.click(selector)
        }
        _ = try browser.value("document.documentElement.dir = '\(direction)'")
        // An arrow key leads to the tab that it points to.
        try browser.press("1")
        try browser.press(direction == "ltr" ? "\u{E014}" : "\u{E012}")
        #expect(try browser.value("document.activeElement.id") as? String == "tab-exposure")
        for tab in ["balance", "exposure", "focus", "calibrate", "help"] {
          try browser.click(tab == "help" ? "#help-button" : "#tab-\(tab)")
          let problems = try browser.value(
            "(() => { \(script)\nreturn pageChecks({ phone: \(look.isPhone) }); })()")
          #expect(problems as? [String] == [], "\(tab), \(look), \(direction)")
          if let folder = ProcessInfo.processInfo.environment["WBCAL_PAGES"] {
            try browser.picture().write(
              to: URL(
                filePath:
                  "\(folder)/\(look.width)\(look.isDark ? "-dark" : "")-\(direction)-\(tab).png"))
          }
        }
      }
      #expect(try browser.complaints().isEmpty)
    }

    /// All texts are in one file; those of the others are names that need no translation.
    @Test func allTextsAreInOneFile() throws {
      let folder = Workbench.repository.appending(path: "Sources/WbcalStudioPage/Page")
      var page = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
      page.replace(#/<noscript>.*<\/noscript>/#, with: "")
      page.replace("wbcal studio", with: "")
      let texts = page.matches(of: #/>([^<]*[A-Za-z]{2}[^<]*)</#).map { String($0.1) }
      #expect(texts == [])
      #expect(page.matches(of: #/aria-label="|title="[A-Z]/#).isEmpty)
      let words = try String(contentsOf: folder.appending(path: "words.js"), encoding: .utf8)
      #expect(words.firstMatch(of: #/--[a-z]/#) == nil)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasSuffix(".js") && name != "words.js" {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let code = text.split(separator: "\n").filter {
          !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("/")
            && !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("*")
        }.joined(separator: "\n")
        let sentences = code.matches(of: #/["`>]([A-Z][a-z]+ [a-z]+[^"`]*)["`]/#).map {
          String($0.1)
        }
        #expect(sentences == [], "\(name)")
      }
    }
  }
}
