import ArgumentParser
import CameraControl
import Foundation
import WhiteBalance

struct Gray: Subcommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the gray card in front of the camera neutral, and lock there.",
    discussion: """
      One shot of the card at the camera's default balance, then locked at the
      gains that make it neutral, and seen in the picture. A profile saves the time
      to find out what the controls mean, and names the light.

        wbcal gray --device simulated:light=FL11
        wbcal gray --device simulated:light=FL11 --profile desk.json
      """)

  @Option(help: DeviceSpecification.help, transform: DeviceSpecification.init(argument:))
  var device: DeviceSpecification
  @Option(help: "The camera's profile.", completion: .file(extensions: ["json"])) var profile:
    String?
  @OptionGroup var picture: PictureOptions
  @Flag(help: "Write the result as JSON.") var json = false

  func execute() async throws {
    let profile = try profile.map { try CameraProfile(path: $0) }
    let (estimate, applied) = try await CameraSession.with(
      device, estimator: picture.estimator, keep: true
    ) { session in
      let camera = session.camera
      let controls = try await session.controls(profile)
      try await camera.setToReference()
      let estimate = try await camera.estimate()
      guard let gains = estimate.gains, estimate.isAccepted else {
        throw CameraError.nothingToSee(estimate.refusals)
      }
      return (estimate, try await camera.lockWhiteBalance(at: gains, controls: controls))
    }
    if !json, let gains = estimate.gains,
      let light = try profile?.reading(of: gains)
    {
      try StandardOutput.line("the light: " + EstimateText.light(light))
    }
    try show(applied, json: json)
  }
}
