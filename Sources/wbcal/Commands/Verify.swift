import CameraControl
import CameraProfiles
import ColorScience
import WbcalArguments
import WhiteBalance

struct Verify: Subcommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measure how neutral the gray card or a picture's corners are, or how accurate a chart's "
      + "colors are.",
    discussion: """
      The result is the CIEDE2000 difference between the card, as linear sRGB after
      the gains, and the neutral of the same lightness. Above --limit the exit code is
      65. With --json there is an object for every input, also for one that could not
      be measured.

      With --chart the pictures show a ColorChecker Classic, and every patch is
      compared with its color: for a developed picture, that under D50, to which
      sRGB, or its ICC profile, is adapted; for raw frames and tables, that under the
      --light, after the gains and the matrix that the --profile has for it. The mean
      must not exceed --limit. The picture's brightness does not matter.

      With --flat the pictures show an evenly lit white or gray surface that fills
      them, and their corners are compared with the middle, before and after the
      flat field of the --profile is applied. --limit is that of the corners' color
      afterwards.

        wbcal verify --device simulated:light=5000K
        wbcal verify card.dng --region 796,908,36,36 --gains 1.47,1,2.26
        wbcal verify white.dng --flat --profile camera.json
        wbcal verify developed.tiff --chart -o patches.svg
        wbcal verify chart.dng --chart --profile camera.json --light D65
      """)

  @Argument(help: "Pictures; - for one from standard input.", completion: .file()) var file:
    [String] = []
  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(
    help: ArgumentHelp(
      "Gains to apply to the pictures first, such as those that 'wbcal set' prints for software.",
      valueName: "R,G,B"),
    transform: parseGains)
  var gains: Gains?
  @Option(
    help: """
      The camera's profile: for the tone curve of its pictures, with --chart for its colors, with \
      --flat for its flat field.
      """,
    completion: .profile)
  var profile: String?
  @Flag(help: "Compare the patches of a color chart with their colors.") var chart = false
  @Flag(help: "Compare the corners of pictures of an even surface with the middle.") var flat =
    false
  @OptionGroup var sheet: ChartSheetOptions
  @Option(help: "With --chart and --profile: the light, as for 'wbcal calibrate'.")
  var light: String?
  @Option(
    name: .shortAndLong,
    help: "With --chart: draw the patches of one picture to this file, in SVG.",
    completion: .file(extensions: ["svg"]))
  var output: String?
  @Option(
    help: "The largest accepted difference: by default 1, and 3 for the mean of a chart.",
    transform: asNumber("a difference as a number, such as 1 or 0.5"))
  var limit: Double?
  @OptionGroup var picture: PictureOptions
  @OptionGroup var recording: RecordOptions
  @Flag(help: "Write one JSON object per line.") var json = false

  func validate() throws {
    try forbid(file.isEmpty == (device == nil), "name pictures, or a camera with --device.")
    _ = try recording.recording(of: device)
    try sheet.requireChart(chart)
    try forbid(
      chart && device != nil,
      "--chart requires pictures, such as those of 'wbcal bracket --count 1 -o chart.tiff'.")
    try forbid(
      chart && (profile == nil) != (light == nil),
      "with --chart, --profile and --light require each other.")
    try forbid(!chart && (light != nil || output != nil), "--light and --output require --chart.")
    try forbid(output == "-", "--output must be a file: the differences go to standard output.")
    try forbid(output != nil && file.count > 1, "--output requires a single picture.")
    try forbid(sheet.corners != nil && file.count > 1, "--corners requires a single picture.")
    try forbid(
      device == nil && profile != nil && !chart && !flat,
      "--profile requires --device; give the curve of pictures with --transfer.")
    try forbid(flat && device != nil, "--flat requires pictures.")
    try forbid(flat && chart, "--flat and --chart cannot be combined.")
    if device != nil { try picture.requireForCamera() }
    if let limit, !(limit >= 0 && limit.isFinite) {
      throw ValidationError("the limit must be a number from 0.")
    }
  }

  func execute() async throws {
    var code: ExitCode?
    if chart || flat {
      if let code = try chart ? compareCharts() : compareCorners() { throw code }
      return
    }
    if let device {
      let profile = try profile.map { try CameraProfile(source: $0) }
      let seen: Result<(estimate: GrayCardEstimate, reach: Reach), any Error>
      do {
        seen = .success(try await look(through: device, profile: profile))
      } catch { seen = .failure(error) }
      code = try report(device.text, try? seen.get().reach) { try seen.get().estimate }
    }
    for path in file {
      let failed = try report(path) {
        try picture.card.estimator.estimate(try picture.frame(path: path))
      }
      code = code ?? failed
    }
    if let code { throw code }
  }

  /// Judges each picture; returns the exit code of the first that fails.
  ///
  /// - Parameters:
  ///   - unjudged: returns the output of `--json` for a picture that cannot be judged.
  ///   - passes: judges a picture, and prints the result.
  func judgeEach(
    _ unjudged: (String) -> some JSONRecord, passes: (String) throws -> Bool
  ) throws -> ExitCode? {
    var code: ExitCode?
    for path in file {
      do {
        if try !passes(path) { code = code ?? .badData }
      } catch {
        let failure = Failure(error, about: path)
        complain(failure.message)
        if json { try printJSON(failure, of: unjudged(path)) }
        code = code ?? failure.code
      }
    }
    return code
  }

  private func look(
    through device: DeviceSpecification, profile: CameraProfile?
  ) async throws -> (GrayCardEstimate, Reach) {
    try await CameraSession.with(
      device, card: picture.card, profile: profile, for: .borrowing,
      recording: try recording.recording(of: device)
    ) { session in
      let estimate = try await session.withExposedCard {
        // Automatic white balance never settles; its picture is judged as it is.
        if try await session.camera.isAutomatic == false {
          try await session.camera.settle(after: Camera.latencyBound)
        }
        return try await session.camera.estimate()
      }
      return (estimate, try await Reach(of: session, card: estimate))
    }
  }

  /// Prints how neutral a card is; returns the exit code if it is not neutral or cannot be judged.
  ///
  /// - Parameter reach: the camera's means to make it neutral; `nil` for a picture.
  private func report(
    _ name: String, _ reach: Reach? = nil, _ estimate: () throws -> GrayCardEstimate
  ) throws -> ExitCode? {
    let record: Record
    let missing: String
    do {
      let estimate = try estimate()
      missing = estimate.gains?.argument ?? "R,G,B"
      record = try judge(estimate, name: name)
    } catch {
      let failure = Failure(error, about: name)
      complain(failure.message)
      if json { try printJSON(failure, of: Unjudged(file: name)) }
      return failure.code
    }
    if json {
      try printJSON(record)
    } else {
      let lab = record.lab
      try StandardOutput.line(
        "\(shown(name)): CIEDE2000 \(fixed(record.ciede2000, decimals: 2)) from neutral "
          + "(L* \(fixed(lab[0], decimals: 1)) a* \(fixed(lab[1], decimals: 2)) "
          + "b* \(fixed(lab[2], decimals: 2))), " + (record.neutral ? "within" : "above")
          + " the limit of \(shortNumber(cardLimit))")
    }
    if record.neutral { return nil }
    complain(
      "\(shown(name)): the card is not neutral; "
        + (reach?.advice(gains: missing) ?? "the gains \(missing) make it neutral"))
    return .badData
  }

  var cardLimit: Double { limit ?? Neutrality.limit }

  private struct Unjudged: JSONRecord {
    var file: String
    var neutral = false
  }

  private struct Record: JSONRecord {
    var file: String
    var ciede2000: Double
    var lab: [Double]
    var limit: Double
    var neutral: Bool

    init(_ lab: LabColor, ciede2000: Double, limit: Double, file: String) {
      self.file = file
      self.ciede2000 = ciede2000
      self.lab = [lab.l, lab.a, lab.b]
      self.limit = limit
      neutral = ciede2000 <= limit
    }
  }

  /// The ability of `gray` to make the card of a camera neutral.
  private enum Reach {
    case channels
    /// A single control, by which the card certainly or possibly comes nearer to neutral.
    case path(ControlID)
    case nearest([ControlID])
    case nothing

    init(of session: CameraSession, card: GrayCardEstimate) async throws {
      let port = session.camera.port
      let ids = await port.controls.map(\.id)
      if let missing = card.gains,
        try await NearestNeutral.isNoted(of: session.camera, missing: missing)
      {
        self = .nearest(ControlID.balanceSettings.filter(ids.contains))
        return
      }
      if [.redBalance, .blueBalance].allSatisfy(ids.contains) {
        self = .channels
      } else if let id = [.whiteBalanceTemperature, .whiteBalancePreset].first(where: ids.contains)
      {
        self = .path(id)
        if let laws = session.knownLaws, let missing = card.gains,
          try await session.camera.isAutomatic == false
        {
          let now = try await port.value(of: id)
          let control = try await port.required(id)
          let wanted = Gains(laws.gains(at: [ControlValue(id, now)]).vector * missing.vector)
          // The picture and the laws may differ by a few steps about the nearest value.
          let few = max(control.step, (control.maximum - control.minimum) / 50)
          if let nearest = (try? laws.setting(for: wanted))?.values[id],
            abs(nearest - now) <= (control.items.isEmpty ? few : 0)
          {
            self = .nearest([id])
          }
        }
      } else {
        self = .nothing
      }
    }

    /// Returns the remedy for a card that is not neutral.
    func advice(gains: String) -> String {
      switch self {
      case .channels: "'wbcal gray' makes it neutral, 'wbcal set' sets a light"
      case .path(let id):
        "'wbcal gray' gets as close as \(id.rawValue) alone can; beyond that, the gains \(gains) "
          + "in software, another lamp or a filter help"
      case .nearest(let ids):
        "no setting of \(ids.map(\.rawValue).joined(separator: " and ")) gets closer; apply the "
          + "gains \(gains) to the pictures, use another lamp, or correct the tint with a filter"
      case .nothing:
        "the camera has no control of its white balance, so apply the gains \(gains) to its pictures"
      }
    }
  }

  private func judge(_ estimate: GrayCardEstimate, name: String) throws -> Record {
    guard estimate.isAccepted else {
      throw Failure(estimate.refusals, at: shown(name))
    }
    let applied = gains ?? Gains(red: 1, blue: 1)
    guard let found = Neutrality(of: LinearRGB(estimate.response.vector * applied.vector)) else {
      throw Failure.badData("\(shown(name)): with these gains the card has no measurable color")
    }
    return Record(found.lab, ciede2000: found.ciede2000, limit: cardLimit, file: name)
  }
}
