import ColorScience
import Foundation
import SimulatedCamera
import WhiteBalance

/// How well calibrations from the named shots predict gains: the error of every public camera, left
/// out of its own prior, under every public lamp but those of the shots.
func predictionErrors(shots names: [String]) throws -> [(lamp: MeasuredLamp, percent: Double)] {
  try MeasuredSensor.all.indices.flatMap { camera in
    let sensor = MeasuredSensor.all[camera]
    let shots = try publicLamps.filter { names.contains($0.name) }.map { lamp in
      try CalibrationShot(
        light: Light(name: lamp.name, chromaticity: lamp.chromaticity),
        response: sensor.response(to: lamp.spectrum))
    }
    let calibration = try Calibration(fitting: shots, prior: leaveOneOutPriors[camera])
    return zip(publicLamps, publicMeasurements[camera]).filter { !names.contains($0.0.name) }.map {
      lamp, measured in
      guard let predicted = calibration.gains(for: measured.light)?.relativeToGreen,
        let actual = Gains(neutralizing: measured.response)?.relativeToGreen
      else { return (lamp, Double.infinity) }
      let red = abs(log(predicted.red / actual.red))
      let blue = abs(log(predicted.blue / actual.blue))
      return (lamp, 100 * max(red, blue))
    }
  }
}

/// Prints the errors by shots and by groups of lamps.
func printEvaluation() throws {
  let sets: [(String, [String])] = [
    ("1 (D65)", ["D65"]), ("2 (A, D65)", ["A", "D65"]), ("2 (LED-B1, B5)", ["LED-B1", "LED-B5"]),
    ("4 (A, D65, FL2, FL11)", ["A", "D65", "FL2", "FL11"]),
  ]
  let groups: [(String, (MeasuredLamp) -> Bool)] = [
    ("all", { _ in true }), ("thermal, daylight", isThermalOrDaylight),
    ("CIE LED-B", { $0.name.hasPrefix("LED-B") }), ("fluorescent", { $0.kind == "fluorescent" }),
    ("discharge", { $0.kind == "hid" }),
  ]
  print(
    """
    Error of predicted gains, the larger of red and blue, in percent: median / 95th percentile / largest.
    \(MeasuredSensor.all.count) cameras, each left out of its own prior; \(publicLamps.count) lamps, those of the shots left out.

    """)
  print((["shots"] + groups.map(\.0)).map(column).joined())
  for (title, names) in sets {
    let errors = try predictionErrors(shots: names)
    let cells = groups.map { group -> String in
      let percent = errors.filter { group.1($0.lamp) }.map(\.percent)
      return [0.5, 0.95, 1].map { fixed(percentile(percent, $0), decimals: 2) }
        .joined(separator: " / ")
    }
    print(([title] + cells).map(column).joined())
  }
}

func isThermalOrDaylight(_ lamp: MeasuredLamp) -> Bool {
  ["thermal", "daylight"].contains(lamp.kind)
}

/// The value below which a share of the values lies, linear between neighbors.
func percentile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  guard let last = sorted.last else { return .nan }
  let position = share * Double(sorted.count - 1)
  let index = Int(position)
  if index + 1 >= sorted.count { return last }
  return sorted[index] + (position - Double(index)) * (sorted[index + 1] - sorted[index])
}

private func column(_ text: String) -> String {
  text + String(repeating: " ", count: max(1, 24 - text.count))
}
