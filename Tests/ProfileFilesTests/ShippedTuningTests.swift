import ColorScience
import Foundation
import ProfileFiles
import Testing
import WhiteBalance

struct ShippedTuningTests {
  private struct Data: Decodable {
    struct Entry: Decodable {
      var platform, tuning: String
      var curve, colorMatrices: [[Double]]
      var transversePositive, transverseNegative, sensitivityRed, sensitivityBlue: Double
    }
    var curves: [Entry]
  }

  @Test func everyFigureIsThatOfTheData() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Profiles/libcamera-ct-curves.json")
    let entries = try JSONDecoder().decode(Data.self, from: .init(contentsOf: file)).curves
    #expect(LibcameraTuning.shippedNames == entries.map { "\($0.platform)/\($0.tuning)" })
    #expect(Set(LibcameraTuning.shippedNames).count == 49)
    for entry in entries {
      let tuning = try #require(LibcameraTuning(named: "\(entry.platform)/\(entry.tuning)"))
      #expect(tuning.camera.points.map { [$0.kelvin, $0.red, $0.blue] } == entry.curve)
      let matrices = tuning.colorMatrices.map { matrix in
        [matrix.kelvin] + matrix.matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
      }
      #expect(matrices == entry.colorMatrices && !matrices.isEmpty)
      #expect(tuning.transversePositive == entry.transversePositive)
      #expect(tuning.transverseNegative == entry.transverseNegative)
      #expect(tuning.sensitivityRed == entry.sensitivityRed)
      #expect(tuning.sensitivityBlue == entry.sensitivityBlue)
    }
  }

  @Test(arguments: ["imx219", "vc4/imx219"])
  func gainsOfAPublishedPoint(name: String) throws {
    let camera = try #require(LibcameraTuning(named: name)).camera
    let gains = try #require(camera.gains(for: TemperatureAndTint(temperature: 4600, tint: 0)))
    #expect(abs(gains.red - 1.645) < 5e-4 && gains.green == 1 && abs(gains.blue - 1.488) < 5e-4)
  }

  @Test func aSensorsNameAlone() {
    #expect(LibcameraTuning(named: "imx477") == LibcameraTuning(named: "vc4/imx477"))
    #expect(LibcameraTuning(named: "imx477") != LibcameraTuning(named: "pisp/imx477"))
    // Only Raspberry Pi 5 has a tuning for this lens.
    #expect(LibcameraTuning(named: "imx477_16mm") == LibcameraTuning(named: "pisp/imx477_16mm"))
    #expect(LibcameraTuning(named: "imx477_16mm") != nil)
    for name in ["", "imx", "vc4/", "vc4/vc4/imx219"] {
      #expect(LibcameraTuning(named: name) == nil)
    }
  }
}
