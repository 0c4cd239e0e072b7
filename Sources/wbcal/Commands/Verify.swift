import WbcalArguments
import CameraControl
import ColorScience
import WhiteBalance

struct Verify: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell how neutral the gray card is now.",
    discussion: """
      CIEDE2000 between the card, read as linear sRGB after the gains, and the
      neutral of the same lightness. Above --limit the exit code is 65. With --json
      there is an object for every input, also for what could not be judged.

        wbcal verify --device simulated:light=5000K
        wbcal verify card.dng --region 796,908,36,36 --gains 1.47,1,2.26
      """)

  @Argument(help: "Pictures; - for one in standard input.", completion: .file()) var file:
    [String] = []
  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification?
  @Option(
    help: ArgumentHelp(
      "Gains to apply to the pictures first: those that 'wbcal set' says would finish the job.",
      valueName: "R,G,B"),
    transform: parseGains)
  var gains: Gains?
  @Option(help: "The camera's profile, for the tone curve of its pictures.", completion: .json)
  var profile: String?
  @Option(help: "The largest difference that passes.") var limit = 1.0
  @OptionGroup var picture: PictureOptions
  @Flag(help: "Write one JSON object a line.") var json = false

  func validate() throws {
    if file.isEmpty == (device == nil) {
      throw ValidationError("name pictures, or a camera with --device.")
    }
    if device == nil, profile != nil {
      throw ValidationError("--profile goes with --device; --transfer names the curve of pictures.")
    }
    if device != nil { try picture.requireForCamera() }
    if !(limit >= 0 && limit.isFinite) { throw ValidationError("the limit is a number from 0.") }
  }

  func execute() async throws {
    var code: ExitCode?
    if let device {
      let profile = try profile.map { try CameraProfile(path: $0) }
      let estimate = try await CameraSession.with(
        device, card: picture.card, profile: profile, keep: true
      ) { session in
        // An automatic never comes to rest; what it shows is judged as it is.
        if try await session.camera.isAutomatic == false {
          try await session.camera.settle(after: Camera.latencyBound)
        }
        return try await session.camera.estimate()
      }
      code = try report(device.text) { estimate }
    }
    for path in file {
      let failed = try report(path) {
        try picture.card.estimator.estimate(try picture.frame(path: path))
      }
      code = code ?? failed
    }
    if let code { throw code }
  }

  /// Prints how neutral a card is; returns the exit code if it is not, or cannot be judged.
  private func report(_ name: String, _ estimate: () throws -> GrayCardEstimate) throws -> ExitCode?
  {
    let record: Record
    do { record = try judge(try estimate(), name: name) } catch {
      let failure = Failure(error, about: name)
      complain(failure.message)
      if json { try printJSON(Record(failure, file: name)) }
      return failure.code
    }
    if json {
      try printJSON(record)
    } else if let ciede2000 = record.ciede2000, let lab = record.lab {
      try StandardOutput.line(
        "\(shown(name)): CIEDE2000 \(fixed(ciede2000, decimals: 2)) from neutral "
          + "(L* \(fixed(lab[0], decimals: 1)) a* \(fixed(lab[1], decimals: 2)) "
          + "b* \(fixed(lab[2], decimals: 2))), " + (record.neutral ? "within" : "above")
          + " the limit of \(shortNumber(limit))")
    }
    if record.neutral { return nil }
    complain(
      "\(shown(name)): the card is not neutral; 'wbcal gray' makes it so, 'wbcal set' sets a light")
    return .badData
  }

  private struct Record: Encodable {
    var file: String
    /// These are missing where the card cannot be judged.
    var ciede2000: Double?
    var lab: [Double]?
    var limit: Double?
    var neutral = false
    var error: String?
    var exitCode: Int32?
    var reasons: [String]?

    init(_ lab: LabColor, ciede2000: Double, limit: Double, file: String) {
      self.file = file
      self.ciede2000 = ciede2000
      self.lab = [lab.l, lab.a, lab.b]
      self.limit = limit
      neutral = ciede2000 <= limit
    }

    init(_ failure: Failure, file: String) {
      self.file = file
      (error, exitCode, reasons) = (failure.code.word, failure.code.rawValue, [failure.message])
    }
  }

  private func judge(_ estimate: GrayCardEstimate, name: String) throws -> Record {
    guard estimate.isAccepted else {
      throw Failure.badData("\(shown(name)): \(estimate.refusals.sentenceWithAdvice)")
    }
    let applied = gains ?? Gains(red: 1, blue: 1)
    let lab = LabColor(LinearRGB(estimate.response.vector * applied.vector), in: .sRGB)
    let ciede2000 = lab.ciede2000(to: lab.neutral)
    guard ciede2000.isFinite, lab.l > 0.1 else {
      throw Failure.badData(
        "\(shown(name)): with these gains the card has no color that could be judged")
    }
    return Record(lab, ciede2000: ciede2000, limit: limit, file: name)
  }
}
