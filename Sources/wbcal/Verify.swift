import ArgumentParser
import CameraControl
import ColorScience
import Foundation
import ICCProfiles
import ImageFiles
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
    help: ArgumentHelp("Gains to apply to the pictures first.", valueName: "R,G,B"),
    transform: parseGains)
  var gains: Gains?
  @Option(help: "The largest difference that passes.") var limit = 1.0
  @OptionGroup var picture: PictureOptions
  @Flag(help: "Write one JSON object a line.") var json = false

  func validate() throws {
    if file.isEmpty == (device == nil) {
      throw ValidationError("name pictures, or a camera with --device.")
    }
    if device != nil, gains != nil {
      throw ValidationError("--gains goes with pictures; a camera has applied its own.")
    }
    if !(limit >= 0) { throw ValidationError("the limit is a number from 0.") }
  }

  func execute() async throws {
    var passed = true
    if let device {
      let estimate = try await CameraSession.with(
        device, estimator: picture.estimator, keep: true
      ) { session in
        // An automatic never comes to rest; what it shows is judged as it is.
        if try await session.camera.isAutomatic == false {
          try await session.camera.settle(after: Camera.latencyBound)
        }
        return try await session.camera.estimate()
      }
      passed = try judge(estimate, name: device.text, gains: Gains(red: 1, blue: 1))
    }
    for path in file {
      let estimate = try picture.estimator.estimate(try picture.frame(path: path))
      let neutral = try judge(estimate, name: path, gains: gains ?? Gains(red: 1, blue: 1))
      passed = passed && neutral
    }
    guard passed else {
      throw Failure(
        message: "the card is not neutral; 'wbcal gray' makes it so, 'wbcal set' sets a light",
        code: .badData)
    }
  }

  private func judge(_ estimate: GrayCardEstimate, name: String, gains: Gains) throws -> Bool {
    guard let refusal = estimate.refusals.first else {
      let difference = NeutralDifference(
        linearSRGB: LinearRGB(estimate.response.vector * gains.vector))
      let passes = difference.ciede2000 <= limit
      if json {
        struct Record: Encodable {
          var file: String
          var ciede2000: Double
          var lab: [Double]
          var limit: Double
          var neutral: Bool
        }
        let lab = difference.lab
        try printJSON(
          Record(
            file: name, ciede2000: difference.ciede2000, lab: [lab.l, lab.a, lab.b], limit: limit,
            neutral: passes))
      } else {
        let lab = difference.lab
        try StandardOutput.line(
          "\(name): CIEDE2000 \(fixed(difference.ciede2000, decimals: 2)) from neutral "
            + "(L* \(fixed(lab.l, decimals: 1)) a* \(fixed(lab.a, decimals: 2)) "
            + "b* \(fixed(lab.b, decimals: 2))), " + (passes ? "within" : "above")
            + " the limit of \(shortNumber(limit))")
      }
      return passes
    }
    throw Failure(
      message: "\(name): \(refusal).\n\(refusal.advice), then run the command again", code: .badData
    )
  }
}
