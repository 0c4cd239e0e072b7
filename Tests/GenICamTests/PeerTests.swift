#if GenICam
import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

struct PeerTests {
  @Test func lampsAreThoseOfTheSensor() throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../GenICamPeer/scene.c")
    let text = try String(contentsOf: source, encoding: .utf8)
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    for name in ["A", "D50", "D65", "FL11", "LED-B3"] {
      let lamp = try #require(MeasuredLamp(named: name))
      let response = sensor.response(to: lamp.spectrum)
      let start = try #require(text.range(of: "{\"\(name)\", ")).upperBound
      let numbers = text[start...].prefix { $0 != "}" }.split(separator: ",")
        .compactMap { Double($0.filter { $0 != " " }) }
      try #require(numbers.count == 2)
      #expect(abs(numbers[0] - response.red / response.green) < 1e-8)
      #expect(abs(numbers[1] - response.blue / response.green) < 1e-8)
    }
  }
}
#endif
