import CameraProfiles
import ProfileFiles
import WbcalArguments
import WbcalFoundation
import WbcalSystem
import WhiteBalance

struct ProfileImport: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a profile from another program's file.",
    discussion: """
      FILE.dcp and FILE.dng contain the matrices of a DNG camera profile. FILE.json
      and FILE.yaml are libcamera tuning files with a curve of grays. The libcamera
      tunings that are included in this program, © 2019-2020 Raspberry Pi Ltd,
      BSD-2-Clause, are libcamera:SENSOR for Raspberry Pi 0 to 4, and
      libcamera:pisp/SENSOR for Raspberry Pi 5. They describe models of sensors, from
      which a unit differs by some percent. Other commands also accept all of these
      instead of a profile.

        wbcal profile import --list
        wbcal profile import libcamera:imx219 -o pi.json
        wbcal profile import imx477.json -o pi.json
        wbcal profile import camera.dcp -o camera.json
      """)

  @Argument(
    help: "A .dcp, .dng or tuning file, or libcamera: and a sensor.", completion: .profile)
  var source: String?
  @Option(
    name: .shortAndLong, help: "The profile to write; - for standard output.", completion: .json)
  var output: String?
  @Flag(help: "List the tunings that are included in this program.") var list = false

  func validate() throws {
    if list {
      guard source == nil, output == nil else {
        throw ValidationError("--list cannot be combined with other options.")
      }
    } else if source == nil || output == nil {
      throw ValidationError("name what to import, and the profile to write with --output.")
    }
  }

  func execute() async throws {
    guard let source, let output else {
      return try StandardOutput.line(
        LibcameraTuning.shippedNames.map { "libcamera:\($0)" }.joined(separator: "\n"))
    }
    let tuning = ProfileSource.path(of: source)
    let isNamed = ["json", "yaml", "yml", "dcp", "dng"].contains {
      source.lowercased().hasSuffix(".\($0)")
    }
    guard
      isNamed || source.hasPrefix(ProfileSource.tuningPrefix)
        || FileManager.default.fileExists(atPath: source.located)
    else {
      throw Failure.usage(
        "'\(source)' is neither libcamera:SENSOR, a tuning file, nor a .dcp or .dng file")
    }
    try refuse(output: output, over: [tuning])
    let imported = try ProfileSource(argument: source)
    if LibcameraTuning.shippedNames.contains("vc4/\(tuning)"),
      LibcameraTuning.shippedNames.contains("pisp/\(tuning)")
    {
      remark("for Raspberry Pi 0 to 4; that for Raspberry Pi 5 is libcamera:pisp/\(tuning)")
    }
    try imported.profile.write(to: output)
    if let white = imported.dng?.asShotWhite, output != "-" {
      do {
        if let light = try white.chromaticity(by: imported.profile.model) {
          try StandardOutput.line("its own white: " + EstimateText.light(LightReading(light)))
        }
      } catch let error as AmbiguousGains {
        remark("the light of its own white could not be determined: \(error)")
      }
    }
    if output != "-" { try StandardOutput.line("saved \(output)") }
  }
}
