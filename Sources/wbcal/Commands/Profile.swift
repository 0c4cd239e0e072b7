import WbcalArguments

struct Profile: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, import, export and compare profiles of cameras, and their color matrices.",
    discussion: """
      A SOURCE is a profile, a .dcp or .dng file, libcamera:SENSOR, a shipped tuning
      such as libcamera:imx219 or libcamera:pisp/imx219, or libcamera:FILE.json, a
      tuning file.

        wbcal profile show desk.json
        wbcal profile import libcamera:imx219 -o pi.json
        wbcal profile export desk.json --icc desk.icc --light D50
        wbcal profile matrix desk.json --light FL11
        wbcal profile compare desk.json libcamera:imx219
      """,
    subcommands: [
      ProfileShow.self, ProfileImport.self, ProfileExport.self, ProfileCompare.self,
      ProfileMatrix.self,
    ])
}
