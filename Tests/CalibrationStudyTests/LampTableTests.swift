import SimulatedScenes
import Testing

@testable import wbcal_calibration_study

struct LampTableTests {
  @Test func everyLampHasANumberForEachChannelOfEachSurface() throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    let rows = lampTable(of: sensor).split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.map { String($0[0]) } == MeasuredLamp.all.map(\.name))
    for row in rows {
      let numbers = try row.dropFirst().map { try #require(Double($0)) }
      let papers = 3 * (1 + coloredPapers.count)
      // The patches of a chart, and its board.
      #expect(numbers.count == papers + 3 * 25)
      #expect(numbers[1] == 1, "white has green 1 under \(row[0])")
      // No paper reflects more than 55 % at any wavelength, and white 9.5 some 90 %.
      for index in numbers.indices.dropFirst(3) {
        let most = index < papers ? 0.56 : 0.92
        #expect(numbers[index] > 0 && numbers[index] < most * numbers[index % 3])
      }
      for channel in 0..<3 {
        #expect((0.8...0.92).contains(numbers[papers + 3 * 18 + channel] / numbers[channel]))
        #expect(abs(numbers[papers + 3 * 24 + channel] / numbers[channel] - 0.04) < 1e-9)
      }
    }
  }

  @Test func lampsDifferAsTheyDoToTheEye() throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    func white(_ lamp: String) throws -> [Double] {
      let row = lampTable(of: sensor).split(separator: "\n").first { $0.hasPrefix("\(lamp)\t") }
      return try #require(row).split(separator: "\t").dropFirst().prefix(3).compactMap {
        Double($0)
      }
    }
    let (tungsten, daylight) = (try white("A"), try white("D65"))
    #expect(tungsten[0] > 1.5 * daylight[0] && tungsten[2] < 0.6 * daylight[2])
  }
}
