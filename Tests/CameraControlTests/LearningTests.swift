import CameraProfiles
import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

@testable import CameraControl
@testable import SimulatedCamera

/// Learning a camera from a gray card: the measurement of frames, and the final results.
struct LearningTests {
  private func configuration(
    _ pipeline: SimulatedPipeline, _ balance: SimulatedBalance
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (64, 48))
    (configuration.pipeline, configuration.balance) = (pipeline, balance)
    configuration.exposure = SimulatedExposure()
    return configuration
  }

  /// The codes of a picture whose curve is known are those that sRGB gives for the mean linear
  /// light.
  @Test func codesOfAKnownCurve() throws {
    let layout = try FrameLayout(
      width: 16, height: 16, format: .rgb8, transfer: .linear)
    let bytes = [UInt8](repeating: 51, count: 3 * 16 * 16)
    let region = PixelRectangle(x: 0, y: 0, width: 16, height: 16)
    let known = CodeMean(
      ofLight: try FrameStatistics(bytes.span, layout: layout, region: region))
    let plain = try CodeMean(bytes.span, layout: layout, region: region)
    for (mean, expected) in [(known, 255 * TransferFunction.sRGB.encoded(0.2)), (plain, 51)] {
      #expect(mean.codes.allSatisfy { abs($0 - expected) < 0.01 }, "\(mean.codes)")
      #expect(mean.isLike(mean) && mean.pixels == 256)
    }
  }

  /// A webcam's temperature control before its matrix: the gains of its path are within twice their
  /// stated errors, and the curve is the camera's.
  @Test func aTemperatureBehindAMatrix() async throws {
    let port = try SimulatedCamera(try configuration(.webcam, .temperature))
    let learning = try await learned(Camera(port), port, under: ["A", "D65"])
    let laws = try #require(learning.laws())
    guard case .path(let path) = laws.layout else {
      Issue.record("\(laws.layout)")
      return
    }
    #expect(path.fitError < 0.05)
    #expect(learning.transfer != .sRGB)
    let truth = SimulatedBalance.temperature.gains
    func ratios(_ value: Int) -> (red: Double, blue: Double) {
      truth([.whiteBalanceTemperature: value]).relativeToGreen
    }
    let origin = ratios(path.reference)
    for point in path.points {
      let (red, blue) = ratios(point.value)
      let gains = Gains(red: point.red, blue: point.blue)
      let errors = laws.covariance(of: gains).standardErrors
      #expect(abs(logarithm(point.red * origin.red / red)) < 2.5 * errors.red + 0.003)
      #expect(abs(logarithm(point.blue * origin.blue / blue)) < 2.5 * errors.blue + 0.003)
    }
  }

  /// A lamp that is exchanged before the first observation is noticed: the first picture cannot be
  /// shown again.
  @Test(arguments: [20, 34, 60, 110], ["LED-B3", "2500K"])
  func aLampThatIsExchangedEarlyIsBlamed(frame: Int, other: String) async throws {
    var configuration = try configuration(.webcam, .offset)
    configuration.faults.lampChange = (frame, try #require(MeasuredLamp(named: other)))
    let camera = Camera(try SimulatedCamera(configuration))
    let held = try await camera.holdingBalance()
    let (_, picture) = try await held.lockExposureKeepingPicture()
    var learning = CameraLearning(held, since: picture)
    await #expect("\(other) from frame \(frame)") {
      try await learning.add(learning.camera, isLast: true)
    } throws: { error in
      switch error as? CameraError {
      case .sceneChanged, .notSettled: true
      default: false
      }
    }
  }

  /// A camera whose dark pictures make its smooth laws look like stairs: their gains, measured
  /// value by value, neither rise nor fall.
  @Test func smoothLawsAreUsedIfTracedOnesAreUseless() async throws {
    let port = try SimulatedCamera(RandomChain(seed: 1193).configuration)
    try await port.set([ControlValue(.autoWhiteBalance, 0)])
    try await port.set([ControlValue(.redBalance, 5201), ControlValue(.blueBalance, 2775)])
    let learning = try await learned(Camera(port), port, under: ["A", "D65"])
    #expect(learning.laws() != nil)
  }

  /// A menu's control that was read from a profile does not state which of its items are automatic;
  /// none of these is set to see the picture change.
  @Test func noAutomaticItemOfAProfileIsTried() async throws {
    let camera = Camera(try SimulatedCamera(try configuration(.ideal, .presets)))
    let control = try #require(await camera.port.description(of: .whiteBalancePreset))
    let stored = try JSONDecoder().decode(
      ControlDescription.self, from: try JSONEncoder().encode(control))
    #expect(stored.choices.count > control.choices.count)
    let values = [ControlValue(control.id, control.choices[0])]
    let seen = try #require(try await camera.observe(values))
    let moved = try await camera.moved(stored, from: ObservedSetting(values: values, picture: seen))
    #expect(control.choices.contains(try #require(moved.values[control.id])))
  }
}
