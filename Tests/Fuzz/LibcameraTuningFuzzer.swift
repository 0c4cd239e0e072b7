import Foundation
import ProfileFiles

let seeds: [[UInt8]] = [
  [UInt8](try! LibcameraTuning(named: "imx219")!.json()),
  Array(
    #"{"rpi.awb": {"ct_curve": [2500, 0.9, 0.4, /* x */ 5e3, 0.5, 0.7, ], "transverse_pos": 0.05}}"#
      .utf8),
]

/// A tuning that can be read is written so that it reads back the same.
func test(_ bytes: [UInt8]) {
  guard let tuning = try? LibcameraTuning(reading: Data(bytes)) else { return }
  guard let written = try? tuning.json(), (try? LibcameraTuning(reading: written)) == tuning else {
    fatalError("a tuning is not read back as it was written")
  }
}
