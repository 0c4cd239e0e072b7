import Foundation

switch CommandLine.arguments.dropFirst().first {
case "prior": printPrior()
case "evaluate": try printEvaluation()
case "locus": try printLocusTable()
default:
  print("usage: calibration-study prior|evaluate|locus")
  exit(64)
}
