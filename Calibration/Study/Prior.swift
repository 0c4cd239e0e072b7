import ColorScience
import Foundation
import WhiteBalance

/// Writes the source files that hold the public cameras and lamps.
func writePrior() throws {
  func rows(_ values: [Int]) -> String {
    stride(from: 0, to: values.count, by: 16).map { start in
      "        "
        + values[start..<min(start + 16, values.count)].map { "\($0)," }.joined(separator: " ")
    }.joined(separator: "\n")
  }
  let cameras = publicChannels.map { camera in
    "      (\n"
      + camera.map { "        [\n\(rows($0.map { Int(($0 * 1e7).rounded()) }))\n        ]" }
      .joined(separator: ",\n") + "\n      ),"
  }
  try write(
    """
    // Written by `make prior` from AcademySoftwareFoundation's rawtoaces-data, Apache-2.0: see
    // Calibration/CameraSensitivities. `EvaluationTests` compares every figure.

    /// The sensitivities of \(publicChannels.count) public cameras on `SensorGrid`.
    enum PublicCameras {
      static let channels: [[[Double]]] = figures.map { camera in
        [camera.red, camera.green, camera.blue].map { $0.map { Double($0) / 1e7 } }
      }

      // swift-format-ignore
      private static let figures: [(red: [Int32], green: [Int32], blue: [Int32])] = [
    \(cameras.joined(separator: "\n"))
      ]
    }
    """, to: "PublicCameras")
  let lamps = publicReferenceLamps.map { name, lamp in
    let (x, y) = (lamp.chromaticity.x, lamp.chromaticity.y)
    return "      // \(name)\n      (\n        \"\(lamp.technology.rawValue)\", "
      + "\(Int((x * 1e9).rounded())), \(Int((y * 1e9).rounded())), [\n"
      + rows(lamp.power.map { Int(($0 / lamp.power.max()! * 1e6).rounded()) })
      + "\n        ]\n      ),"
  }
  try write(
    """
    // Written by `make prior` from colour-science 0.4.7, BSD-3-Clause: see Calibration/Illuminants.
    // `EvaluationTests` compares every figure.

    import ColorScience

    /// The public lamps that a gray card can be balanced under and that are not CIE's.
    enum PublicLamps {
      static let all: [ReferenceLamp] = figures.compactMap { technology, x, y, power in
        LampTechnology(rawValue: technology).map {
          ReferenceLamp(
            technology: $0, chromaticity: Chromaticity(x: Double(x) / 1e9, y: Double(y) / 1e9),
            power: power.map { Double($0) / 1e6 })
        }
      }

      // swift-format-ignore
      private static let figures: [(technology: String, x: Int, y: Int, power: [Int32])] = [
    \(lamps.joined(separator: "\n"))
      ]
    }
    """, to: "PublicLamps")
}

private func write(_ text: String, to name: String) throws {
  try (text + "\n").write(
    toFile: "Sources/WhiteBalance/Calibration/Data/\(name).swift", atomically: true, encoding: .utf8
  )
}
