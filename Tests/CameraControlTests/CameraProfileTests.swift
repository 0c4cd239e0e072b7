import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

struct CameraProfileTests {
  private let json: String

  init() throws {
    let shot = try CalibrationShot(
      light: Light(named: "D65"), response: .init(red: 0.43, green: 1, blue: 0.78))
    let points = [(64, 0.25), (256, 1), (512, 2)].map { ControlLaw.Point(value: $0.0, gain: $0.1) }
    func law(_ id: ControlID) throws -> ControlLaw {
      try #require(
        ControlLaw(
          control: ControlDescription(id: id, minimum: 0, maximum: 1023, defaultValue: 256),
          reference: 256, points: points))
    }
    let profile = CameraProfile(
      created: "2026-01-01T00:00:00Z", generator: "test",
      device: CameraIdentity(driver: "d", name: "n", id: "i"),
      model: .calibrated(try Calibration(fitting: [shot])),
      laws: ControlLaws(
        .channels(red: try law(.redBalance), green: nil, blue: try law(.blueBalance))))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    json = String(decoding: try encoder.encode(profile), as: UTF8.self)
    #expect(try JSONDecoder().decode(CameraProfile.self, from: Data(json.utf8)) == profile)
  }

  private func decode(_ old: String, _ new: String) throws {
    #expect(json.contains(old), "\(old) in \(json)")
    _ = try JSONDecoder().decode(
      CameraProfile.self, from: Data(json.replacing(old, with: new).utf8))
  }

  /// Numbers that would later trap or loop are refused on reading.
  @Test(arguments: [
    ("\"step\":1", "\"step\":0"), ("\"step\":1", "\"step\":-1"),
    ("\"minimum\":0", "\"minimum\":500"),
    ("\"maximum\":1023", "\"maximum\":9223372036854775807"),
    ("\"minimum\":0", "\"minimum\":-9000000000"), ("\"slope\":0.00390625", "\"slope\":0"),
    ("\"slope\":0.00390625", "\"slope\":-0.001"), ("\"intercept\":0", "\"intercept\":-1000"),
    ("\"fitError\":0", "\"fitError\":-1"), ("red_balance", "blue_balance"),
    ("\"y\":0.32903", "\"y\":0"),
    ("\"response\":[0.43,1,0.78]", "\"response\":[0.43,1]"),
    ("\"response\":[0.43,1,0.78]", "\"response\":[0.43,0,0.78]"),
  ])
  func hostileNumbers(old: String, new: String) throws {
    #expect(throws: (any Error).self) { try decode(old, new) }
  }

  @Test func otherFormatsAndVersions() {
    #expect(throws: CameraProfileError.version(1)) { try decode("\"version\":2", "\"version\":1") }
    #expect(throws: CameraProfileError.notAProfile(format: "x")) {
      try decode("\"wbcal-profile\"", "\"x\"")
    }
  }

  @Test func aLawFindsTheLineAndItsRange() throws {
    let control = ControlDescription(
      id: .redBalance, minimum: -100, maximum: 999, step: 3, defaultValue: 200)
    // gain = (value + 20)/220.
    let points = [-10, 50, 200, 500, 900].map {
      ControlLaw.Point(value: $0, gain: Double($0 + 20) / 220)
    }
    let law = try #require(ControlLaw(control: control, reference: 200, points: points))
    #expect(abs(law.gain(at: 200) - 1) < 1e-12)
    guard case .line(let intercept, _) = law.form else {
      Issue.record("\(law.form)")
      return
    }
    #expect(abs(intercept - 20.0 / 220) < 1e-12)
    #expect(law.fitError < 1e-12)
    #expect(control.largest == 998)
    #expect(abs(law.gainRange.lowerBound - 1.0 / 220) < 1e-12)
    #expect(abs(law.gainRange.upperBound - 1018.0 / 220) < 1e-12)
    #expect(law.nearestValue(for: 2) == 419)
    #expect(law.nearestValue(for: 99) == 998)
    #expect(
      ControlLaw(
        control: control, reference: 200,
        points: [.init(value: 0, gain: 1), .init(value: 1, gain: 1)]) == nil)
    let falling = [3.0, 2, 1].enumerated().map {
      ControlLaw.Point(value: $0.offset, gain: $0.element)
    }
    #expect(ControlLaw(control: control, reference: 200, points: falling) == nil)
  }

  /// A law has a value with gain 1, and a range of hostile width takes no time.
  @Test func lawsOfAnyWidth() throws {
    let wide = ControlDescription(
      id: .redBalance, minimum: 0, maximum: Int(UInt32.max), defaultValue: 5)
    let bent = [10, 20, 30].map { ControlLaw.Point(value: $0, gain: Double($0 * $0)) }
    #expect(ControlLaw(control: wide, reference: 5, points: bent) == nil)
    #expect(ControlLaw(control: wide, reference: 20, points: bent)?.gain(at: 20) == 1)

    let kelvin = ControlDescription(
      id: .whiteBalanceTemperature, minimum: 0, maximum: Int(UInt32.max), defaultValue: 0)
    let points = [0.0, 0.25, 0.5, 1].map { (share: Double) -> GainCurve.Point in
      let value = Int(share * Double(UInt32.max))
      return GainCurve.Point(value: value, red: 0.5 + share, blue: 2 - 1.5 * share)
    }
    let path = try #require(GainCurve(control: kelvin, reference: 0, points: points))
    for value in [0, 1_234_567_891, Int(UInt32.max)] {
      let found = path.nearestValue(for: path.gains(at: value))
      #expect(abs(found - value) <= 100, "\(value) \(found)")
    }
  }
}
