import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WbcalReports
import WhiteBalance

struct Report: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a profile as one self-contained HTML page.",
    discussion: """
        wbcal report desk.json -o desk.html
        wbcal report desk.json --compare libcamera:imx219 -o desk.html
      """)

  @Argument(help: "The profile, which must have shots.", completion: .json) var profile: String
  @Option(
    help: ArgumentHelp("A camera to compare with. \(ProfileSource.help)", valueName: "source"),
    completion: .profile)
  var compare: String?
  @Option(
    name: .shortAndLong, help: "The page to write; - for standard output.", completion: .file())
  var output: String

  func execute() async throws {
    let source = try CameraProfile(source: profile)
    guard let calibration = source.calibration else {
      throw Failure.badData("\(profile) was imported, and contains no shots to report")
    }
    let page = Self.page(
      of: source, calibration, named: URL(filePath: profile).lastPathComponent,
      comparison: try comparison(with: calibration))
    try refuse(
      output: output, over: [profile] + [compare].compactMap { $0.map(ProfileSource.path) })
    try replaceFile(output, with: Array(page.utf8))
    if output != "-" { try StandardOutput.line("wrote \(output)") }
  }

  /// Returns the page of a profile with its calibration.
  static func page(
    of source: CameraProfile, _ calibration: Calibration, named name: String,
    comparison: GainComparison? = nil
  ) -> String {
    var notes = source.device.map { [("camera", $0.id)] } ?? []
    if let laws = source.laws { notes.append(("controls", laws.summary.joined(separator: "; "))) }
    if let exposure = source.exposure {
      notes.append(("exposure", exposure.summary.joined(separator: "; ")))
    }
    return CalibrationReport(
      calibration,
      heading: .init(
        device: source.device?.name, created: source.created,
        program: source.generator, profile: name, notes: notes),
      comparison: comparison, laws: source.laws, exposure: source.exposure,
      transfer: source.transfer
    ).html
  }

  private func comparison(with calibration: Calibration) throws -> GainComparison? {
    guard let compare else { return nil }
    let other = try ProfileSource(argument: compare)
    let name = other.tuning == nil ? URL(filePath: compare).lastPathComponent : compare
    if let comparison = GainComparison(of: calibration, with: other.profile.model, named: name) {
      return comparison
    }
    throw Failure.badData("\(profile) and \(compare) have no common light with gains")
  }
}
