import Foundation

switch CommandLine.arguments.dropFirst().first {
case "prior": try writePrior()
case "evaluate":
  try printEvaluation()
  try printAgreement()
  try printRoundTrips()
case "locus": try printLocusTable()
case "methods": print(methodArticle())
default:
  print("usage: calibration-study prior|evaluate|locus|methods")
  exit(64)
}
