import ColorScience
import Foundation
import SimulatedCamera
import WhiteBalance

/// Prints how well calibrations predict gains, every public camera left out of its own prior.
func printEvaluation() {
  let sets: [(String, [String])] = [
    ("1 (D65)", ["D65"]), ("2 (A, D65)", ["A", "D65"]), ("2 (LED-B1, B5)", ["LED-B1", "LED-B5"]),
    ("4 (A, D65, FL2, FL11)", ["A", "D65", "FL2", "FL11"]),
  ]
  let groups: [(String, (MeasuredLamp) -> Bool)] = [
    ("all", { _ in true }), ("thermal, daylight", { ["thermal", "daylight"].contains($0.kind) }),
    ("CIE LED-B", { $0.name.hasPrefix("LED-B") }), ("fluorescent", { $0.kind == "fluorescent" }),
    ("discharge", { $0.kind == "hid" }),
  ]
  let cameras = MeasuredSensor.all.indices
  let priors = cameras.map { left -> CameraPrior in
    let others = cameras.filter { $0 != left }.map { publicMeasurements[$0] }
    guard let prior = CameraPrior(cameras: others) else { fatalError("no prior without \(left)") }
    return prior
  }
  print(
    """
    Error of predicted gains, the larger of red and blue, in percent: median / 95th percentile / largest.
    \(cameras.count) cameras, each left out of its own prior; \(publicLamps.count) lamps, those of the shots left out.

    """)
  print((["shots"] + groups.map(\.0)).map { pad($0) }.joined())
  for (title, names) in sets {
    var errors: [(lamp: MeasuredLamp, percent: Double)] = []
    for camera in cameras {
      errors += predictionErrors(camera: camera, shots: names, prior: priors[camera])
    }
    let cells = groups.map { group -> String in
      let sorted = errors.filter { group.1($0.lamp) }.map(\.percent).sorted()
      let figures = [0.5, 0.95, 1].map { fixed(percentile(sorted, $0), decimals: 2) }
      return figures.joined(separator: " / ")
    }
    print(([title] + cells).map { pad($0) }.joined())
  }
}

private func predictionErrors(
  camera: Int, shots names: [String], prior: CameraPrior
) -> [(MeasuredLamp, Double)] {
  let sensor = MeasuredSensor.all[camera]
  let shots = publicLamps.filter { names.contains($0.name) }.map { lamp -> CalibrationShot in
    do {
      return try CalibrationShot(
        light: Light(name: lamp.name, chromaticity: lamp.chromaticity),
        response: sensor.response(to: lamp.spectrum))
    } catch { fatalError("\(error)") }
  }
  guard let calibration = try? Calibration(fitting: shots, prior: prior) else {
    fatalError("no fit for \(sensor.name)")
  }
  return zip(publicLamps, publicMeasurements[camera]).filter { !names.contains($0.0.name) }.map {
    lamp, measured in
    guard let predicted = calibration.gains(for: lamp.chromaticity)?.relativeToGreen,
      let actual = Gains(neutralizing: measured.response)?.relativeToGreen
    else { return (lamp, .infinity) }
    let red = abs(log(predicted.red / actual.red))
    let blue = abs(log(predicted.blue / actual.blue))
    return (lamp, 100 * max(red, blue))
  }
}

private func percentile(_ sorted: [Double], _ fraction: Double) -> Double {
  guard let last = sorted.last else { return .nan }
  let position = fraction * Double(sorted.count - 1)
  let index = Int(position)
  if index + 1 >= sorted.count { return last }
  return sorted[index] + (position - Double(index)) * (sorted[index + 1] - sorted[index])
}

private func pad(_ text: String) -> String {
  text + String(repeating: " ", count: max(1, 24 - text.count))
}
