import ColorScience
import Testing
import WhiteBalance

@testable import Reports

struct AdviceTests {
  private func advice(_ shots: [(String, SIMD3<Double>, LightClass?)]) throws -> [Advice] {
    let calibration = try Calibration(fitting: shots.map { try Sample.shot($0) })
    return Advice.derived(
      from: calibration.shots.map { ReportedShot($0, model: calibration.model) })
  }

  /// What a model fitted to A and D65 responds to a light, with red off by a factor.
  private func exact(
    _ light: String, red: Double = 1, class lightClass: LightClass? = nil
  ) throws -> (String, SIMD3<Double>, LightClass?) {
    let model = try Sample.calibration(Sample.a, Sample.d65).model
    let response = try #require(model.response(to: Light(named: light).chromaticity))
    return (light, response.vector * SIMD3(red, 1, 1), lightClass)
  }

  @Test func oneWarmShotAsksForDaylight() throws {
    let result = try advice([Sample.a])
    #expect(result.map(\.kind) == [.secondLight])
    #expect(result[0].title.contains("daylight") && !result[0].title.contains("tungsten"))
  }

  @Test func oneDaylightShotAsksForTungsten() throws {
    let result = try advice([Sample.d65])
    #expect(result.map(\.kind) == [.secondLight])
    #expect(result[0].title.contains("tungsten") && !result[0].title.contains("daylight"))
  }

  /// Halfway between 2856 K and 6504 K lies 251.9 mired.
  @Test func theFartherLightChangesHalfway() throws {
    #expect(try advice([try exact("3950K")])[0].title.contains("daylight"))
    #expect(try advice([try exact("3990K")])[0].title.contains("tungsten"))
  }

  @Test func likeLightsAskForAnother() throws {
    // 181.8 and 153.8 mired.
    let result = try advice([try exact("5500K"), try exact("6500K")])
    #expect(result.map(\.kind) == [.fartherLight])
    #expect(result[0].title.contains("tungsten"))
    #expect(result[0].text.contains("28 mired"))
    // 185.2 and 153.8 mired.
    #expect(try advice([try exact("5400K"), try exact("6500K")]).map(\.kind) == [.check])
    // A third light far away is enough.
    let far = try advice([try exact("5500K"), try exact("6500K"), try exact("A")])
    #expect(far.map(\.kind) == [.check])
  }

  @Test func aDoubtfulShotIsNamed() throws {
    let shots = [try exact("A"), try exact("D65"), try exact("4000K", red: 1.15)]
    let result = try advice(shots)
    #expect(result.map(\.kind) == [.doubtfulShot])
    #expect(result[0].title.contains("4000K"))
    for word in ["named", "reflect", "second light"] { #expect(result[0].text.contains(word)) }
    let slight = [try exact("A"), try exact("D65"), try exact("4000K", red: 1.02)]
    #expect(try advice(slight).map(\.kind) == [.check])
  }

  @Test func lampsWithLinesByClass() throws {
    for kind in [LightClass.led, .fluorescent] {
      let result = try advice([try exact("A"), try exact("D65", class: kind)])
      #expect(result.map(\.kind) == [.mixedKinds])
      #expect(result[0].text.hasPrefix("D65 is not"))
    }
    for kind in [LightClass.thermal, .daylight, .other] {
      let result = try advice([try exact("A"), try exact("D65", class: kind)])
      #expect(result.map(\.kind) == [.check])
    }
  }

  @Test func lampsWithLinesByName() throws {
    for name in ["FL11", "f11", "LED-B3", "led-v2", "HP4"] {
      let result = try advice([try exact("A"), try exact("D65"), try exact(name)])
      #expect(result.map(\.kind) == [.mixedKinds], "\(name)")
    }
    // The class given is better knowledge than the name.
    let known = try advice([try exact("A"), try exact("FL2", class: .daylight)])
    #expect(known.map(\.kind) == [.check])
  }

  @Test func lightsFarOffTheLocus() throws {
    for duv in ["+0.021", "-0.021"] {
      let result = try advice([try exact("A"), try exact("5000K/\(duv)")])
      #expect(result.map(\.kind) == [.mixedKinds], "\(duv)")
    }
    #expect(try advice([try exact("A"), try exact("5000K/+0.019")]).map(\.kind) == [.check])
  }

  @Test func severalAtOnce() throws {
    let result = try advice([Sample.fl2])
    #expect(result.map(\.kind) == [.secondLight, .mixedKinds])
  }

  @Test func advisesTheCommandsWithTheProfile() throws {
    var heading = Sample.heading
    heading.profile = "my camera's.json"
    let calibration = try Sample.calibration(Sample.a)
    let page = try ParsedPage(CalibrationReport(calibration, heading: heading).html)
    #expect(
      page.texts("code") == [
        #"wbcal set --device DEVICE --profile 'my camera'\''s.json' --temperature 5000 --tint 0"#,
        #"wbcal convert --from xy --to gains --profile 'my camera'\''s.json' 0.3127 0.3290"#,
      ])
  }

  @Test(arguments: [
    ("a.json", "a.json"), ("", "''"), ("a b", "'a b'"), ("-x.json", "'./-x.json'"),
    ("$(id)", "'$(id)'"), ("'", #"''\'''"#), ("é.json", "'é.json'"),
  ])
  func shellWords(name: String, word: String) {
    #expect(shellWord(name) == word)
  }
}
