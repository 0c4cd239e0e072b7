import SimulatedCamera
import Testing

@testable import wbcal_calibration_study

struct LampTableTests {
  @Test func everyLampHasANumberForEachChannelOfWhiteAndThePapers() throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    let rows = lampTable(of: sensor).split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.map { String($0[0]) } == MeasuredLamp.all.map(\.name))
    for row in rows {
      let numbers = try row.dropFirst().map { try #require(Double($0)) }
      #expect(numbers.count == 3 * (1 + coloredPapers.count))
      #expect(numbers[1] == 1, "white has green 1 under \(row[0])")
      // No paper reflects more than 55 % at any wavelength.
      for index in numbers.indices.dropFirst(3) {
        #expect(numbers[index] > 0 && numbers[index] < 0.56 * numbers[index % 3])
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
