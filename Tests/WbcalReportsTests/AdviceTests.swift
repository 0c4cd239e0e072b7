import ColorScience
import Testing
import WhiteBalance

@testable import WbcalReports

struct AdviceTests {
  private func advice(_ shots: [(String, SIMD3<Double>, LightClass?)]) throws -> [Advice] {
    Advice.derived(from: try Calibration(fitting: shots.map { try Sample.shot($0) }), nil)
  }

  /// Returns the response of a model fitted to A and D65 to a light, with red wrong by a factor.
  private func exact(
    _ light: String, red: Double = 1, class lightClass: LightClass? = nil
  ) throws -> (String, SIMD3<Double>, LightClass?) {
    let model = try Sample.calibration(Sample.a, Sample.d65).model
    let named = try Light(named: light)
    let response = try #require(
      model.response(to: named.chromaticity, lightClass: lightClass ?? named.impliedClass))
    return (light, response.vector * SIMD3(red, 1, 1), lightClass)
  }

  @Test func oneShotAsksForAFarLight() throws {
    let warm = try advice([Sample.a])
    #expect(warm.map(\.action) == [.addShot])
    #expect(!warm[0].title.contains("tungsten") && !warm[0].title.contains("warm"))
    let day = try advice([Sample.d65])
    #expect(day.map(\.action) == [.addShot])
    #expect(!day[0].title.contains("daylight") && !day[0].title.contains("cool"))
  }

  /// A shot that improves little is not requested.
  @Test func enoughShots() throws {
    let result = try advice([Sample.a, Sample.d65, Sample.fl2, Sample.led])
    #expect(result.map(\.action) == [.tryOut])
  }

  /// With four cards a chart still improves the estimate; with charts no further shot does.
  @Test func aChartIsAskedFor() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65, Sample.fl2, Sample.led)
    let camera = try #require(calibration.sensitivityEstimate)
    let advice = Advice.derived(from: calibration, camera)
    #expect(advice.map(\.action) == [.addShot])
    #expect(advice[0].title.contains("a color chart under"))
    let charts = try ["A", "D65", "LED-B3"].map { try Sample.chart($0) }
    let known = try SensitivityEstimate(charts: charts)
    #expect(Advice.derived(from: calibration, known).map(\.action) == [.tryOut])
  }

  @Test func aDoubtfulShotIsNamed() throws {
    let shots = [
      Sample.a, Sample.d65, Sample.fl2, Sample.led,
      try exact("xy:0.38,0.377", red: 1.15, class: .fluorescent),
    ]
    let result = try advice(shots)
    #expect(result.map(\.action) == [.checkShots])
    #expect(result[0].title.contains("xy:0.38,0.377"))
    for word in ["named", "reflect", "second light"] { #expect(result[0].text.contains(word)) }
  }

  /// The advice doubts the same shots as the calibration, which do not follow from residuals alone:
  /// a fluorescent lamp may well have an error of 7 %, a daylight not even 2 %.
  @Test(arguments: [
    ("xy:0.38,0.377", LightClass.fluorescent, 1.08, doubted: []),
    ("D50", .daylight, 1.038, doubted: ["D65", "D50"]),
  ])
  func adviceDoubtsWhatTheCalibrationDoubts(
    light: String, lightClass: LightClass, red: Double, doubted: [String]
  ) throws {
    let shots = [
      Sample.a, Sample.d65, Sample.fl2, Sample.led, try exact(light, red: red, class: lightClass),
    ]
    let calibration = try Calibration(fitting: shots.map { try Sample.shot($0) })
    let residuals = calibration.shots.map(\.residual.magnitude)
    #expect(doubted.isEmpty ? residuals.max()! > 0.07 : residuals.max()! < 0.02)
    #expect(calibration.shots.filter(\.isDoubtful).map(\.shot.light.name) == doubted)
    let advice = try advice(shots).filter { $0.action == .checkShots }
    #expect(advice.count == (doubted.isEmpty ? 0 : 1))
    for fitted in calibration.shots {
      let name = "\(fitted.shot.light.name) ("
      #expect(advice.contains { $0.title.contains(name) } == fitted.isDoubtful)
    }
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
