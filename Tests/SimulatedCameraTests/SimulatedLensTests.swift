import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

struct SimulatedLensTests {
  private func configuration(
    _ change: (inout SimulatedLens) -> Void = { _ in }
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), size: (160, 120))
    configuration.texture = .noise(contrast: 0.6, grain: 1)
    configuration.latency = 0
    var lens = SimulatedLens(best: 125)
    lens.leastBlur = 0
    change(&lens)
    configuration.lens = lens
    return configuration
  }

  /// White noise of variance v has the variance v/(4πσ²) after a Gaussian blur of σ.
  @Test(arguments: [(150, 2.0), (175, 4), (75, 4)])
  func theBlurIsAGaussian(place: Int, sigma: Double) async throws {
    var configuration = try configuration()
    configuration.iso = 0.002
    configuration.settings = [ControlValue(.focusPosition, place)]
    let port = try SimulatedCamera(configuration)
    let card = try await port.withNextFrame { info, bytes in
      try? FrameStatistics(
        bytes, layout: info.layout, region: PixelRectangle(x: 50, y: 40, width: 60, height: 40))
    }
    let statistics = try #require(card)
    let variance = statistics.variance.green / (statistics.mean.green * statistics.mean.green)
    let truth = 0.36 / 3 / (4 * .pi * sigma * sigma)
    // The estimate has some hundred independent positions, and codes of 8 bits.
    #expect((0.6...1.5).contains(variance / truth), "\(variance) \(truth)")
  }

  @Test func aLensWithoutBlurShowsTheSamePicture() async throws {
    var sharp = try configuration()
    sharp.lens?.best = 125
    var none = sharp
    none.lens = nil
    let (first, second) = (try SimulatedCamera(sharp), try SimulatedCamera(none))
    for _ in 0..<3 {
      let a = try await first.withNextFrame { _, bytes in bytes.indices.map { bytes[$0] } }
      let b = try await second.withNextFrame { _, bytes in bytes.indices.map { bytes[$0] } }
      #expect(a == b)
    }
  }

  @Test func theLensStaysBehindAndTakesItsTime() async throws {
    let port = try SimulatedCamera(
      configuration {
        $0.backlash = 10
        $0.speed = 5
        $0.latency = 3
      })
    func places(_ count: Int) async throws -> [Double] {
      var places: [Double] = []
      for _ in 0..<count {
        try await port.withNextFrame { _, _ in }
        places.append(await port.lensPlace)
      }
      return places
    }
    #expect(try await places(2) == [125, 125])
    try await port.set([ControlValue(.focusPosition, 145)])
    // After a latency of three frames the motor moves by 5 a frame, of which the first 10 are
    // backlash.
    #expect(try await places(9) == [125, 125, 125, 125, 125, 130, 135, 135, 135])
    try await port.set([ControlValue(.focusPosition, 125)])
    #expect(try await places(9) == [135, 135, 135, 135, 135, 130, 125, 125, 125])
  }

  @Test func theAutomaticFollowsTheScene() async throws {
    let port = try SimulatedCamera(
      configuration {
        $0.automatic = .continuousAndOnce
        $0.best = 40
        $0.speed = 20
      })
    try await port.set([ControlValue(.autoFocus, 1)])
    #expect(try await port.flags(of: .focusPosition) == [.inactive, .volatile])
    for _ in 0..<20 { try await port.withNextFrame { _, _ in } }
    #expect(await port.lensPlace == 40)
    #expect(try await port.value(of: .focusPosition) == 40)
  }
}
