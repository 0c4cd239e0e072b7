import ArgumentParser

@main
struct Wbcal: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "wbcal",
    abstract: "Calibrate and set a camera's white balance.",
    discussion: #"""
      A first round, on the simulated camera:

        wbcal calibrate --device simulated --light A --light D65 -o desk.json
        wbcal set --device simulated:light=5000K --profile desk.json \
          --temperature 5000 --tint 0 --class thermal
        wbcal verify --device simulated:light=5000K
        wbcal report desk.json -o desk.html

      Tint is a property of the light, 3000 times Duv, positive towards green.
      Exit codes: 0 done, 64 usage, 65 bad data, 66 no such input, 69 no such
      device or it went away, 70 internal, 74 input or output failed, 75 try
      again, 77 permission.
      """#,
    version: version,
    subcommands: [
      Convert.self, Estimate.self, Balance.self, Calibrate.self, SetBalance.self, Gray.self,
      Watch.self, Restore.self, Verify.self, Devices.self, Report.self, Profile.self,
    ])
}
