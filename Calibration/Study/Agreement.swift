import ColorScience
import Foundation
import SimulatedScenes
import WhiteBalance

/// The rates at which sets of shots of cameras outside the prior are doubted or refused.
struct Agreement {
  /// The largest surprise of each honest set, and of each in which one light is wrongly named.
  var honest: [Double] = []
  var wrong: [Double] = []
  /// In how many of the wrong ones the wrong light has that surprise.
  var named = 0

  static func share(of surprises: [Double], above limit: Double) -> Double {
    Double(surprises.count { $0 > limit }) / Double(surprises.count)
  }
}

/// The surprises in random sets of shots under public lamps, for every public camera: once with all
/// lights named correctly, and once with one named as another.
///
/// - Parameter isNamed: whether lights are named, or given by x, y and class.
func agreement(shots count: Int, sets: Int, isNamed: Bool) throws -> Agreement {
  var random = SplitMix64(state: UInt64(count))
  func pick() -> Int { Int(random.uniform() * Double(publicLamps.count)) }
  func shot(_ response: LinearRGB, called lamp: MeasuredLamp) throws -> CalibrationShot {
    try CalibrationShot(
      light: isNamed
        ? Light(name: lamp.name, spectrum: lamp.spectrum)
        : Light(name: lamp.name, chromaticity: lamp.chromaticity),
      response: response, lightClass: lamp.lightClass)
  }
  var found = Agreement()
  for (camera, sensor) in MeasuredSensor.all.enumerated() {
    for _ in 0..<sets {
      var chosen: [Int] = []
      while chosen.count <= count {
        let next = pick()
        if !chosen.contains(next) { chosen.append(next) }
      }
      let noise = CalibrationShot.defaultNoise
      let lamps = chosen.map { publicLamps[$0] }
      let responses = lamps.map { lamp in
        let exact = sensor.response(to: lamp.spectrum)
        return LinearRGB(
          red: exact.red * exp(noise * random.normal()), green: exact.green,
          blue: exact.blue * exp(noise * random.normal()))
      }
      var shots = try zip(responses, lamps).prefix(count).map { try shot($0, called: $1) }
      let prior = leaveOneOutPriors[camera]
      found.honest.append(Calibration.surprises(shots, prior: prior).max() ?? 0)
      shots[0] = try shot(responses[0], called: lamps[count])
      let surprises = Calibration.surprises(shots, prior: prior)
      found.wrong.append(surprises.max() ?? 0)
      found.named += surprises.max() == surprises[0] ? 1 : 0
    }
  }
  return found
}

/// Prints how often correctly and wrongly named sets are doubted and refused.
func printAgreement() throws {
  func percent(_ share: Double) -> String { fixed(100 * share, decimals: 1) }
  for isNamed in [true, false] {
    print(
      "\n## Random shots whose lights are "
        + (isNamed ? "named" : "given by x, y and class")
        + "\n\nIn percent of the sets: those doubted, those refused, and of the wrong ones those "
        + "in which the wrong light\nhas the largest deviation.\n")
    printHead([
      "shots", "sets", "correct doubted", "correct refused", "wrong doubted", "wrong refused",
      "wrong light found",
    ])
    for count in 2...6 {
      let found = try agreement(shots: count, sets: 100, isNamed: isNamed)
      let shares = [found.honest, found.wrong].flatMap { surprises in
        [Calibration.doubt, Calibration.limit].map {
          percent(Agreement.share(of: surprises, above: $0))
        }
      }
      printRow(
        ["\(count)", "\(found.honest.count)"] + shares
          + [percent(Double(found.named) / Double(found.wrong.count))])
    }
  }
}
