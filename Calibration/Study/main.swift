import Foundation

switch CommandLine.arguments.dropFirst().first {
case "prior": printPrior()
case "evaluate": try printEvaluation()
default:
  print("usage: calibration-study prior|evaluate")
  exit(64)
}
