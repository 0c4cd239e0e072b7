import Foundation
import ProfileFiles

let seeds: [[UInt8]] = [
  [UInt8](try! LibcameraTuning(named: "imx219")!.json()),
  Array(
    #"{"rpi.awb": {"ct_curve": [2500, 0.9, 0.4, /* x */ 5e3, 0.5, 0.7, ], "transverse_pos": 0.05}}"#
      .utf8),
  Array(LibcameraTuning(named: "imx219")!.yaml(for: .rkisp1).utf8),
]

/// Checks that a tuning that can be read is read back as it was written, with color matrices of
/// five decimals.
func test(_ bytes: [UInt8]) {
  guard let tuning = try? LibcameraTuning(reading: Data(bytes)) else { return }
  guard let written = try? tuning.json(), var back = try? LibcameraTuning(reading: written),
    (try? back.json()) == written
  else { fatalError("a tuning is not written as it was read") }
  back.colorMatrices = tuning.colorMatrices
  guard back == tuning else {
    fatalError("a tuning is not read back as it was written")
  }
}
