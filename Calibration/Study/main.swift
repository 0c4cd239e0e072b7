import Foundation
import SimulatedScenes

switch CommandLine.arguments.dropFirst().first {
case "prior": try writePrior()
case "evaluate":
  try printEvaluation()
  try printAgreement()
  try printRoundTrips()
  try printSpectralEvaluation()
case "locus": try printLocusTable()
case "methods": print(methodArticle())
case "lamps":
  guard let sensor = CommandLine.arguments.dropFirst(2).first.flatMap(MeasuredSensor.init(named:))
  else {
    print("usage: wbcal-calibration-study lamps SENSOR, such as canon-eos-600d")
    exit(64)
  }
  print(lampTable(of: sensor), terminator: "")
default:
  print("usage: wbcal-calibration-study prior|evaluate|locus|methods|lamps")
  exit(64)
}
