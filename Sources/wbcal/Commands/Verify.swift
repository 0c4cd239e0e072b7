import WbcalArguments
import CameraControl
import ColorScience
import WhiteBalance

struct Verify: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell how neutral the gray card is now.",
    discussion: """
      CIEDE2000 between the card, read as linear sRGB after the gains, and the
      neutral of the same lightness. Above --limit the exit code is 65.

        wbcal verify --device simulated:light=5000K
        wbcal verify card.dng --region 796,908,36,36 --gains 1.47,1,2.26
      """)

  @Argument(help: "Pictures.", completion: .file()) var file: [String] = []
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
  @Option(
    help: "The largest difference that passes.",
    transform: asNumber("a difference as a number, such as 1 or 0.5"))
  var limit = 1.0
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
      try judge(estimate, name: device.text)
    }
    for path in file {
      do {
        try judge(try picture.card.estimator.estimate(try picture.frame(path: path)), name: path)
      } catch {
        let failed = complain(error, about: path)
        code = code ?? failed
      }
    }
    if let code { throw code }
  }

  private func judge(_ estimate: GrayCardEstimate, name: String) throws {
    guard estimate.isAccepted else {
      throw Failure.badData("\(name): \(estimate.refusals.sentenceWithAdvice)")
    }
    let applied = gains ?? Gains(red: 1, blue: 1)
    let lab = LabColor(LinearRGB(estimate.response.vector * applied.vector), in: .sRGB)
    let ciede2000 = lab.ciede2000(to: lab.neutral)
    guard ciede2000.isFinite, lab.l > 0.1 else {
      throw Failure.badData("\(name): with these gains the card has no color that could be judged")
    }
    let passes = ciede2000 <= limit
    if json {
      struct Record: Encodable {
        var file: String
        var ciede2000: Double
        var lab: [Double]
        var limit: Double
        var neutral: Bool
      }
      try printJSON(
        Record(
          file: name, ciede2000: ciede2000, lab: [lab.l, lab.a, lab.b], limit: limit,
          neutral: passes))
    } else {
      try StandardOutput.line(
        "\(name): CIEDE2000 \(fixed(ciede2000, decimals: 2)) from neutral "
          + "(L* \(fixed(lab.l, decimals: 1)) a* \(fixed(lab.a, decimals: 2)) "
          + "b* \(fixed(lab.b, decimals: 2))), " + (passes ? "within" : "above")
          + " the limit of \(shortNumber(limit))")
    }
    guard passes else {
      throw Failure.badData(
        "\(name): the card is not neutral; 'wbcal gray' makes it so, 'wbcal set' sets a light")
    }
  }
}
