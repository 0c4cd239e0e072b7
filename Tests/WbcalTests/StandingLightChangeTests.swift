import CameraProfiles
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

struct StandingLightChangeTests {
  /// A change of the light that shifts ln(red/green).
  private func change(_ red: Double) throws -> SceneLightChange {
    let text = """
      {"red": \(red), "blue": 0, "redError": 0.01, "blueError": 0.01, "colors": "sRGB",
       "agreement": 0.9, "ciede2000": \(30 * abs(red)), "ciede2000Error": 1}
      """
    return try JSONDecoder().decode(SceneLightChange.self, from: Data(text.utf8))
  }

  private func values(_ red: Int) -> [ControlValue] { [ControlValue(.redBalance, red)] }

  @Test func stands() throws {
    var standing = StandingLightChange()
    standing.add(nil, isAutomatic: false, values: values(64))
    #expect(standing.change == nil)
    standing.add(try change(0.3), isAutomatic: false, values: values(64))
    for _ in 0..<3 { standing.add(nil, isAutomatic: false, values: values(64)) }
    #expect(standing.change?.red == 0.3)
    standing.add(try change(0.2), isAutomatic: false, values: values(64))
    #expect(standing.change.map { abs($0.red - 0.5) < 1e-12 } == true)
  }

  @Test func endsWhenTheLightIsAsBefore() throws {
    var standing = StandingLightChange()
    standing.add(try change(0.3), isAutomatic: false, values: values(64))
    standing.add(try change(-0.29), isAutomatic: false, values: values(64))
    #expect(standing.change == nil)
  }

  @Test func endsWhenTheBalanceIsSetAgain() throws {
    var standing = StandingLightChange()
    standing.add(try change(0.3), isAutomatic: false, values: values(64))
    standing.add(nil, isAutomatic: false, values: values(70))
    #expect(standing.change == nil)
    // A later change starts from nothing.
    standing.add(try change(0.2), isAutomatic: false, values: values(70))
    #expect(standing.change?.red == 0.2)
  }

  @Test func endsInAnAutomaticMode() throws {
    var standing = StandingLightChange()
    standing.add(try change(0.3), isAutomatic: false, values: values(64))
    standing.add(nil, isAutomatic: true, values: values(64))
    #expect(standing.change == nil)
  }
}
