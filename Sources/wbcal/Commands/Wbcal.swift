import WbcalArguments

@main
struct Wbcal: AsyncParsableCommand {
  /// The version of the tool and the package; the scripts that install and package it read it here.
  static let version = "0.1.0"

  static let example = #"""
      wbcal calibrate --device simulated --light A --light D65 -o desk.json
      wbcal set --device simulated:light=5000K --profile desk.json \
        --temperature 5000 --tint 0 --class thermal
      wbcal verify --device simulated:light=5000K
      wbcal report desk.json -o desk.html
    """#
  static let terms =
    "Tint is a property of the light, 3000 times Duv, positive towards green. In JSON, "
    + "temperatures are in kelvin, times in seconds, and shares and relative errors are fractions "
    + "of 1; the page 'What programs read' of the documentation lists every key."
  private static let exitCodes = ExitCode.meanings.map { "\($0.code.rawValue) \($0.meaning)" }
    .joined(separator: ", ")

  static let configuration = CommandConfiguration(
    commandName: "wbcal", abstract: "Calibrate and set a camera's white balance.",
    discussion: """
      A first session, with the simulated camera:

      \(example)

      \(terms) Exit codes: \(exitCodes).
      """,
    version: version,
    subcommands: [
      Convert.self, Estimate.self, Find.self, BlackLevel.self, Balance.self, Calibrate.self,
      SetBalance.self, Gray.self, Match.self, CorrectedStream.self, Exposure.self, Focus.self,
      BracketCapture.self, Watch.self,
      Studio.self,
      Restore.self, Verify.self, Devices.self,
      Snapshot.self, Replay.self, Report.self, Profile.self,
      Manual.self,
    ])
}
