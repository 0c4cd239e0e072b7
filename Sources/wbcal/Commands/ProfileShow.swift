import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct ProfileShow: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a camera's model, its shots and its gains.",
    discussion: """
      Gains are scaled so that the smallest is 1; JSON also has them with green 1.

        wbcal profile show desk.json
        wbcal profile show libcamera:imx219 --light 4600K
      """)

  @Argument(help: ArgumentHelp(ProfileSource.help), completion: .profile)
  var source: String
  @OptionGroup var lights: LightOptions
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let found = try ProfileSource(argument: source)
    let profile = found.profile
    let gains = try lights.lights().map { light in
      let gains = profile.model.reliableGains(for: light)
      return Record.Row(light: light.name, gains: gains, gainsGreenOne: gains?.greenOne)
    }
    if json {
      if let unused = found.unused { remark(unused) }
      return try printJSON(
        Record(
          source: source, model: profile.model.summary, identity: profile.identity,
          created: profile.created, device: profile.device,
          pictures: profile.pictures,
          shots: profile.calibration?.shots.map {
            .init(
              light: $0.shot.light.name, red: $0.residual.red * 100, blue: $0.residual.blue * 100,
              leftOutRed: $0.leaveOneOut.map { $0.red * 100 },
              leftOutBlue: $0.leaveOneOut.map { $0.blue * 100 }, doubtful: $0.isDoubtful)
          } ?? [], uncheckedLight: profile.calibration?.uncheckedLight?.name, gains: gains))
    }
    var lines = ["\(source): \(profile.model.summary)"]
    if let unused = found.unused { lines.append(unused) }
    lines.append("made \(profile.created) by \(profile.generator), model \(profile.identity)")
    if let pictures = profile.pictures {
      let serial = pictures.serial.map { ", serial number \($0)" } ?? ""
      lines.append(
        "for \(pictures.encoding.map { "\($0) " } ?? "")pictures of "
          + (pictures.name ?? "an unnamed camera") + serial)
      lines += pictures.others?.map { "accepted as this camera's: \($0)" } ?? []
    }
    if let calibration = profile.calibration {
      if let device = profile.device { lines.append("camera \(device.name) (\(device.id))") }
      lines.append(
        columns(
          [["shot", "red residual %", "blue residual %", "when left out: red %", "blue %"]]
            + calibration.shots.map { shot in
              [shot.shot.light.name]
                + [shot.residual.red, shot.residual.blue].map { fixed($0 * 100, decimals: 2) }
                + [shot.leaveOneOut?.red, shot.leaveOneOut?.blue].map {
                  $0.map { fixed($0 * 100, decimals: 2) } ?? "–"
                }
            }))
      lines += calibration.shots.compactMap { shot in
        shot.remark.map { "\(shot.shot.light.name): \($0)" }
      }
      lines += Calibrate.doubt(of: calibration).map { [$0] } ?? []
    }
    lines.append(
      columns(
        [["light", "red", "green", "blue"]]
          + gains.map { row in
            [row.light]
              + (row.gains.map { [$0.red, $0.green, $0.blue].map { fixed($0, decimals: 4) } }
                ?? ["–", "–", "–"])
          }))
    try StandardOutput.line(lines.joined(separator: "\n"))
  }

  private struct Record: JSONRecord {
    struct Shot: JSONRecord {
      var light: String
      /// The residuals of the measured gains, in percent.
      var red, blue: Double
      /// The errors of the prediction from the other shots, in percent; missing for the only shot.
      var leftOutRed, leftOutBlue: Double?
      var doubtful: Bool
    }
    struct Row: JSONRecord {
      var light: String
      /// Missing if the camera has no gains for the light.
      var gains, gainsGreenOne: Gains?
    }
    var source, model, identity: String
    var created: String?
    var device: CameraIdentity?
    var pictures: PictureOrigin?
    var shots: [Shot]
    /// The light of all shots, whose name nothing verifies.
    var uncheckedLight: String?
    var gains: [Row]
  }
}
