import CameraProfiles
import Foundation
import Testing

struct ExposureUnitTests {
  private func control(_ id: ControlID = .exposureTime, unit: Double?) -> ControlDescription {
    ControlDescription(
      id: id, minimum: 20, maximum: 1_000_000, defaultValue: 10_000, secondsPerUnit: unit)
  }

  @Test func onlyExposureTimesHaveAUnit() {
    #expect(control(unit: nil).secondsPerUnit == 1e-4)
    #expect(control(unit: 1e-6).secondsPerUnit == 1e-6)
    #expect(control(.gain, unit: 1e-6).secondsPerUnit == nil)
    #expect(control(.exposureLines, unit: nil).secondsPerUnit == nil)
  }

  @Test func profilesKeepTheUnit() throws {
    for unit in [nil, 1e-6] {
      let bytes = try JSONEncoder().encode(control(unit: unit))
      #expect(String(decoding: bytes, as: UTF8.self).contains("secondsPerUnit") == (unit != nil))
      let back = try JSONDecoder().decode(ControlDescription.self, from: bytes)
      #expect(back == control(unit: unit))
    }
    let damaged = """
      {"id": "exposure_time_absolute", "minimum": 1, "maximum": 9, "step": 1, "defaultValue": 1, \
      "kind": {"integer": {}}, "secondsPerUnit": 0}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ControlDescription.self, from: Data(damaged.utf8))
    }
  }

  @Test func durationsFollowTheUnit() throws {
    for (unit, seconds) in [(nil, 1.0), (1e-6, 0.01)] {
      let points = [1000, 10_000, 100_000].map {
        ControlLaw.Point(value: $0, gain: Double($0) / 10_000)
      }
      let law = try #require(
        ControlLaw(control: control(unit: unit), reference: 10_000, points: points))
      let laws = ExposureLaws(time: law, gain: nil, latency: 1)
      #expect(abs(try #require(laws.duration(at: 10_000)) / seconds - 1) < 1e-9)
      #expect(abs(try #require(laws.durations).lowerBound / (seconds / 500) - 1) < 1e-9)
    }
  }
}
