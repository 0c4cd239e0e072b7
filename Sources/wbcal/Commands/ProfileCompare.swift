import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct ProfileCompare: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare the gains of two cameras.",
    discussion: """
      Prints the difference of the second relative to the first, in percent, for equal
      green.

        wbcal profile compare desk.json window.json
        wbcal profile compare libcamera:imx219 libcamera:pisp/imx219 --light 5000K
      """)

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .profile)
  var first: String
  @Argument(help: "Another.", completion: .profile) var second: String
  @OptionGroup var lights: LightOptions
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let cameras = try [first, second].map { try ProfileSource(argument: $0).profile.model }
    let rows = try lights.lights().map { light in
      let gains = cameras.map { $0.reliableGains(for: light)?.relativeToGreen }
      guard let first = gains[0], let second = gains[1] else { return Row(light: light.name) }
      return Row(
        light: light.name, red: 100 * (second.red / first.red - 1),
        blue: 100 * (second.blue / first.blue - 1))
    }
    let largest = rows.flatMap { [$0.red, $0.blue] }.compactMap { $0.map(abs) }.max()
    guard let largest else {
      throw Failure.badData("\(first) and \(second) have no common light with gains")
    }
    if json {
      return try printJSON(Record(first: first, second: second, lights: rows, largest: largest))
    }
    let table = rows.map { row in
      [row.light] + [row.red, row.blue].map { $0.map { fixed($0, decimals: 2) } ?? "–" }
    }
    try StandardOutput.line(
      columns([["light", "red %", "blue %"]] + table)
        + "\nat most \(fixed(largest, decimals: 2)) %")
  }

  private struct Row: JSONRecord {
    var light: String
    /// Missing if one of the cameras has no gains for the light.
    var red, blue: Double?
  }

  private struct Record: JSONRecord {
    var first, second: String
    var lights: [Row]
    var largest: Double
  }
}
