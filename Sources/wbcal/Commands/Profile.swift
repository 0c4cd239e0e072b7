import WbcalArguments
import ColorScience
import WhiteBalance

struct Profile: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, import, export and compare profiles of cameras.",
    discussion: """
      A SOURCE is a profile, a .dcp or .dng file, libcamera:SENSOR, a shipped tuning
      such as libcamera:imx219 or libcamera:pisp/imx219, or libcamera:FILE.json, a
      tuning file.

        wbcal profile show desk.json
        wbcal profile import libcamera:imx219 -o pi.json
        wbcal profile export desk.json --icc desk.icc --light D50
        wbcal profile compare desk.json libcamera:imx219
      """,
    subcommands: [
      ProfileShow.self, ProfileImport.self, ProfileExport.self, ProfileCompare.self,
    ])
}

/// The lights at which cameras are shown.
struct LightOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A light to show gains for, such as D65, 2856K or xy:0.31,0.33; repeat it for more.",
      valueName: "light"))
  var light: [String] = []

  /// Those that were named, or some from lamp light to shade.
  func lights() throws -> [Light] {
    try (light.isEmpty ? ["2500K", "A", "3500K", "D5000K", "D65", "D7500K"] : light).map {
      try Light(argument: $0, folder: nil)
    }
  }
}

/// Rows of cells, the first of each to the left and the others to the right.
func columns(_ rows: [[String]]) -> String {
  let widths = rows[0].indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
  return rows.map { row in
    row.indices.map { index in
      let padding = String(repeating: " ", count: widths[index] - row[index].count)
      return index == 0 ? row[index] + padding : padding + row[index]
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}
