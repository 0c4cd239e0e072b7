import ColorScience
import Foundation
import SimulatedScenes
import WhiteBalance

/// A calibration's prediction for a camera that is not in its prior, under one lamp.
struct Prediction {
  var lamp: MeasuredLamp
  /// The class that the calibration was given.
  var lightClass: LightClass?
  /// Errors of the logarithms of red and blue gain, and the standard errors stated.
  var red, blue, redStated, blueStated: Double

  /// The larger error, in percent.
  var percent: Double { 100 * max(abs(red), abs(blue)) }
}

/// The errors of the shots of an evaluation.
struct ShotErrors {
  /// Standard deviations of the logarithms of a response's ratios, and of the light's x and y.
  var noise = 0.0
  var chromaticity = 0.0
  /// `true` if the light is given by its x, y and class, which are in error; otherwise it is named,
  /// and the light on the card differs from it.
  var isInLabel = false

  /// The errors that a fit expects by default.
  static let expected = ShotErrors(noise: CalibrationShot.defaultNoise)
}

/// The predictions of calibrations from the named shots, for every public camera, left out of its
/// own prior, under every public lamp except those of the shots.
func predictions(
  shots names: [String], classKnown: Bool, errors: ShotErrors = ShotErrors(), seeds: Int = 1
) throws -> [Prediction] {
  var random = SplitMix64(state: 11)
  let lamps = publicLamps.map { (lamp: $0, xy: $0.chromaticity) }
  return try MeasuredSensor.all.indices.flatMap { camera in
    let sensor = MeasuredSensor.all[camera]
    let truth = lamps.map { sensor.response(to: $0.lamp.spectrum) }
    return try (0..<seeds).flatMap { _ in
      let shots = try zip(lamps, truth).filter { names.contains($0.0.lamp.name) }.map {
        try shot(of: $0.lamp, response: $1, errors, &random)
      }
      let calibration = try Calibration(fitting: shots, prior: leaveOneOutPriors[camera])
      return zip(lamps, truth).filter { !names.contains($0.0.lamp.name) }.map { lamp, response in
        let lightClass = classKnown ? lamp.lamp.lightClass : nil
        let light = lamp.xy
        guard let found = calibration.gains(for: light, lightClass: lightClass)?.relativeToGreen,
          let stated = calibration.uncertainty.covariance(at: light, lightClass: lightClass)?
            .standardErrors
        else {
          return Prediction(
            lamp: lamp.lamp, red: .infinity, blue: .infinity, redStated: 0, blueStated: 0)
        }
        return Prediction(
          lamp: lamp.lamp, lightClass: lightClass,
          red: log(found.red * response.red / response.green),
          blue: log(found.blue * response.blue / response.green),
          redStated: stated.red, blueStated: stated.blue)
      }
    }
  }
}

/// A shot with errors: noise of the response, and a light that differs from the one named.
private func shot(
  of lamp: MeasuredLamp, response: LinearRGB, _ errors: ShotErrors, _ random: inout SplitMix64
) throws -> CalibrationShot {
  var ratios = SIMD2(random.normal(), random.normal()) * errors.noise
  let (dx, dy) = (random.normal() * errors.chromaticity, random.normal() * errors.chromaticity)
  if errors.chromaticity > 0, !errors.isInLabel,
    let slopes = CameraPrior.publicCameras.average.logGainSlopes(
      at: lamp.chromaticity, lightClass: lamp.lightClass)
  {
    ratios += SIMD2(slopes.red.x * dx + slopes.red.y * dy, slopes.blue.x * dx + slopes.blue.y * dy)
  }
  let xy = lamp.chromaticity
  return try CalibrationShot(
    light: errors.isInLabel
      ? Light(
        name: "measured", chromaticity: Chromaticity(x: xy.x + dx, y: xy.y + dy),
        uncertainty: errors.chromaticity)
      : Light(name: lamp.name, spectrum: lamp.spectrum, uncertainty: errors.chromaticity),
    response: LinearRGB(
      red: response.red * exp(-ratios.x), green: response.green,
      blue: response.blue * exp(-ratios.y)),
    lightClass: lamp.lightClass,
    noise: max(errors.noise, CalibrationShot.defaultNoise))
}

let evaluatedShots: [(title: String, names: [String])] = [
  ("1 (D65)", ["D65"]), ("2 (A, D65)", ["A", "D65"]), ("2 (LED-B1, B5)", ["LED-B1", "LED-B5"]),
  ("4 (A, D65, FL2, FL11)", ["A", "D65", "FL2", "FL11"]),
]

let evaluatedGroups: [(title: String, contains: @Sendable (MeasuredLamp) -> Bool)] = [
  ("all", { _ in true }), ("thermal, daylight", isThermalOrDaylight),
  ("CIE LED-B", { $0.name.hasPrefix("LED-B") }), ("fluorescent", { $0.technology == .fluorescent }),
  ("discharge", { $0.technology == .discharge }),
]

/// Prints the errors by shots and by groups of lamps, and how often the stated intervals hold.
func printEvaluation() throws {
  print(
    """
    # How well calibrations predict

    Written by `make evaluate`. \(MeasuredSensor.all.count) public cameras, each left out of its own prior; \(publicLamps.count) public lamps, without those
    of the shots. The lamps themselves are known to the prior. Error: the larger of the errors of the red and the
    blue gain, in percent: median / 95th percentile / largest.
    """)
  for classKnown in [true, false] {
    print("\n## Class of the light \(classKnown ? "known" : "unknown")\n")
    printHead(["shots"] + evaluatedGroups.map(\.title))
    for (title, names) in evaluatedShots {
      let found = try predictions(shots: names, classKnown: classKnown)
      let cells = evaluatedGroups.map { group in
        let percent = found.filter { group.contains($0.lamp) }.map(\.percent)
        return [0.5, 0.95, 1].map { fixed(percentile(percent, $0), decimals: 2) }
          .joined(separator: " / ")
      }
      printRow([title] + cells)
    }
  }
  print("\n## Four shots with errors, class known, all lamps\n")
  for isInLabel in [false, true] {
    func median(_ errors: ShotErrors, seeds: Int) throws -> Double {
      let found = try predictions(
        shots: evaluatedShots[3].names, classKnown: true, errors: errors, seeds: seeds)
      return percentile(found.map(\.percent), 0.5)
    }
    let base = try median(ShotErrors(isInLabel: isInLabel), seeds: 1)
    print(
      isInLabel
        ? "\nLights given by x, y and class, with errors: median \(fixed(base, decimals: 2)), and\n"
        : "Lights named, but another lamp on the card: median \(fixed(base, decimals: 2)), and\n")
    for chromaticity in [0, 0.0015 / 2.0.squareRoot(), 0.0015] {
      let errors = ShotErrors(noise: 0.005, chromaticity: chromaticity, isInLabel: isInLabel)
      print(
        "- noise 0.5 %, x and y ±\(fixed(chromaticity, decimals: 5)) each: "
          + "+\(fixed(try median(errors, seeds: 12) - base, decimals: 2))")
    }
  }
  print(
    """

    ## How often the stated 95 % interval holds

    In percent, and in parentheses the median standard error in percent. Shots with a noise of 0.3 %.

    """)
  printHead(["shots"] + LightClass.allCases.map(\.rawValue) + ["unknown"])
  for (title, names) in evaluatedShots {
    let known = try predictions(shots: names, classKnown: true, errors: .expected, seeds: 3)
    let unknown = try predictions(shots: names, classKnown: false, errors: .expected, seeds: 3)
    let sets =
      LightClass.allCases.map { lightClass in known.filter { $0.lightClass == lightClass } }
      + [unknown]
    let cells = sets.map { found in
      let width = percentile(found.flatMap { [$0.redStated, $0.blueStated] }, 0.5)
      return "\(fixed(100 * coverage(found), decimals: 1)) (\(fixed(100 * width, decimals: 1)))"
    }
    printRow([title] + cells)
  }
}

/// The share of gains within 1.96 of their stated standard errors.
func coverage(_ found: [Prediction]) -> Double {
  let held = found.reduce(0) {
    $0 + (abs($1.red) <= 1.96 * $1.redStated ? 1 : 0)
      + (abs($1.blue) <= 1.96 * $1.blueStated ? 1 : 0)
  }
  return Double(held) / Double(2 * found.count)
}

@Sendable func isThermalOrDaylight(_ lamp: MeasuredLamp) -> Bool {
  [.thermal, .daylight].contains(lamp.technology)
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

/// A row of a table in Markdown.
func tableRow(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

func printRow(_ cells: [String]) { print(tableRow(cells)) }

func printHead(_ cells: [String]) {
  printRow(cells)
  printRow(cells.map { _ in "---" })
}
