import CameraControl
import ColorScience
import WbcalExampleCamera
import WhiteBalance

/// White balance as in an app with sliders for temperature and tint, and a button for a gray card.
@main struct WhiteBalanceExample {
  static func main() async throws {
    let port = try await exampleCamera()
    let before = try await Camera(port).settings()
    // This measures the effect of the controls' values on the picture.
    let camera = try await Camera(port).probe()
    if let range = camera.range { print("gains:", range) }

    // The button: a gray card is in the middle of the picture, under daylight.
    let card = try await camera.balanceOnCard()
    print("gray card:", card.applied.gains?.description ?? "no gains are known")

    // The card's response calibrates this camera for all other lights.
    guard let response = card.response else { return }
    let calibration = try Calibration(fitting: [
      CalibrationShot(light: Light(.d65), response: response, lightClass: .daylight)
    ])

    // The sliders.
    let wanted = TemperatureAndTint(temperature: 5000, tint: 10)
    guard let gains = calibration.gains(for: wanted, lightClass: .daylight) else { return }
    let applied = try await camera.lock(at: gains)
    print("locked at \(wanted), seen in frame", applied.firstFrame?.sequence ?? -1)

    // These are the positions of the sliders for the current gains.
    if let light = try await calibration.chromaticity(
      for: camera.gains ?? gains, lightClass: .daylight), let reading = TemperatureAndTint(light)
    {
      print("reads as", reading)
    }
    try await Camera(port).restore(before)
  }
}
