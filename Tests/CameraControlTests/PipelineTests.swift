import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras with a color matrix, a saturation, an S-curve and a raised black level after the gains,
/// none of which is given to the program.
struct PipelineTests {
  private static let sensor = "sony-ilce-7m3"

  private func configuration(
    _ pipeline: SimulatedPipeline, _ kind: String, lamp: String
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: Self.sensor)),
      lamp: try #require(MeasuredLamp(named: lamp)), seed: 11, size: (64, 48))
    configuration.balance = try #require(SimulatedBalance(named: kind))
    configuration.exposure = SimulatedExposure()
    configuration.pipeline = pipeline
    return configuration
  }

  /// The card's true distance from neutral: as the sensor sees it through the gains alone.
  private func truth(
    _ configuration: SimulatedCamera.Configuration, lamp: String, at values: [ControlValue]
  ) async throws -> Double {
    var ideal = configuration
    ideal.lamp = try #require(MeasuredLamp(named: lamp))
    ideal.pipeline = .ideal
    ideal.settings = values
    let camera = Camera(try SimulatedCamera(ideal))
    try await camera.turnOffAutomatic()
    try await camera.port.set(values)
    try await camera.settle(after: 12)
    return try await camera.estimate().response.differenceFromNeutral
  }

  @Test(arguments: ["webcam", "board"], ["balances", "offset", "additive", "channels", "bent"])
  func grayNeedsNoModel(pipeline: String, kind: String) async throws {
    for lamp in ["A", "FL11", "LED-B3"] {
      let configuration = try configuration(
        #require(SimulatedPipeline(named: pipeline)), kind, lamp: lamp)
      let camera = Camera(try SimulatedCamera(configuration))
      try await camera.lockExposure()
      let card = try await camera.balanceOnCard()
      #expect(card.applied.gains == nil && card.response == nil)
      // A step of the coarsest kind is 0.9 % of a gain.
      let left = try await truth(configuration, lamp: lamp, at: card.applied.values)
      #expect(left < 0.35, "\(pipeline) \(kind) \(lamp)")
    }
  }

  /// Under one light a matrix leaves the strength of gains uncertain: the stated error is 5 to 25 %
  /// at twice the reference, and the gain is within twice that.
  @Test(arguments: ["webcam", "board"])
  func oneLightLeavesOpenHowStrongGainsAre(pipeline: String) async throws {
    let configuration = try configuration(
      #require(SimulatedPipeline(named: pipeline)), "balances", lamp: "A")
    let camera = Camera(try SimulatedCamera(configuration))
    try await camera.lockExposure()
    let laws = try await camera.probe().laws
    let reference = try #require(laws.reference[.redBalance])
    let gains = laws.gains(at: [ControlValue(.redBalance, 2 * reference)])
    let error = laws.covariance(of: gains).standardErrors.red
    #expect(0.05...0.25 ~= error, "\(error)")
    #expect(abs(logarithm(gains.red / 2)) < 2 * error, "\(gains.red) ± \(error)")
  }

  /// Software gains that account for the matrix have the effect of the camera's own gains.
  @Test func gainsBehindAMatrix() throws {
    let matrix = SimulatedPipeline.board.matrix
    let mixing = try #require(ChannelMixing(matrix, scaleError: 0))
    let (light, gains) = (SIMD3(0.2, 0.5, 0.3), Gains(red: 1.4, green: 1.1, blue: 1))
    let seen = mixing.correction(by: gains) * (matrix * light)
    let wanted = matrix * (gains.vector * light)
    for channel in 0..<3 { #expect(abs(seen[channel] - wanted[channel]) < 1e-14) }
  }

  /// A control that cannot change the tint leaves the card as near to neutral as the best of its
  /// values.
  @Test(arguments: ["temperature", "units", "presets"])
  func grayOfASingleControl(kind: String) async throws {
    let configuration = try configuration(.board, kind, lamp: "FL11")
    let control = try #require(
      configuration.balance.controls.first { $0.automatic?.on == nil }
        ?? configuration.balance.controls.first)
    let found = try await Camera(try SimulatedCamera(configuration)).balanceOnCard()
    let value = try #require(found.applied.values.first)
    #expect(value.id == control.id)
    let best = found.estimate.response.differenceFromNeutral
    let values =
      control.items.isEmpty
      ? stride(
        from: control.minimum, through: control.largest,
        by: (control.largest - control.minimum) / 20
      )
      .map { control.nearestValue(to: Double($0)) } : [2, 3, 4, 6]
    for other in values {
      let camera = Camera(try SimulatedCamera(configuration))
      try await camera.turnOffAutomatic()
      try await camera.port.set([ControlValue(control.id, other)])
      // At some values the card's picture is unusable.
      guard (try? await camera.settle(after: 12)) != nil else { continue }
      let card = try await camera.estimate()
      if card.isAccepted { #expect(best <= card.response.differenceFromNeutral + 0.1, "\(other)") }
    }
  }

  /// Two lights determine the matrix to 3 % of its largest element, and the gains to within the
  /// stated error.
  @Test(arguments: ["webcam", "board"], ["balances", "offset", "channels"])
  func twoLightsTellTheMatrix(pipeline: String, kind: String) async throws {
    try await expectTheMatrix(
      configuration(try #require(SimulatedPipeline(named: pipeline)), kind, lamp: "A"), kind)
  }

  /// A search for neutral that ended far away from it gave laws that were 10 % off.
  @Test(arguments: [1, 3]) func theMatrixFromASearchThatWentAstray(seed: UInt64) async throws {
    var configuration = try configuration(.webcam, "balances", lamp: "A")
    (configuration.seed, configuration.size) = (seed, (320, 240))
    configuration.sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    try await expectTheMatrix(configuration, "balances")
  }

  private func expectTheMatrix(
    _ configuration: SimulatedCamera.Configuration, _ kind: String
  ) async throws {
    let pipeline = configuration.pipeline
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    try await camera.lockExposure()
    let learning = try await learned(camera, port, under: ["A", "D65"])
    let laws = try #require(learning.laws())
    let mixing = try #require(laws.mixing)
    #expect(mixing.scaleError < 0.03)
    #expect(abs((mixing.saturation?.factor ?? 1) - pipeline.saturation) < 0.03)
    for (found, expected) in zip(mixing.matrix.elements, pipeline.matrix.elements) {
      #expect(abs(found - expected) <= 0.06, "\(mixing.matrix)")
    }
    // gain = (value + offset) / unit.
    let offset = kind == "offset" ? 37.0 : 0
    for law in laws.channelLaws where law.control.id != .greenBalance {
      for value in stride(from: law.values.lowerBound, through: law.values.upperBound, by: 50) {
        let expected = (Double(value) + offset) / (Double(law.reference) + offset)
        guard 0.4...2.5 ~= expected else { continue }
        let error = 3 * mixing.scaleError * abs(expected - 1) + 0.01 * expected
        #expect(abs(law.gain(at: value) - expected) <= error, "\(kind) \(value)")
      }
    }
  }

  /// At the gains of another light, the picture first has colors that no matrix can invert.
  @Test(arguments: ["webcam", "board"], ["sony-ilce-7m3", "canon-eos-600d", "nikon-d5100"])
  func aSettingIsSeenFromFarAway(pipeline: String, sensor: String) async throws {
    var configuration = try configuration(
      #require(SimulatedPipeline(named: pipeline)), "balances", lamp: "A")
    configuration.sensor = try #require(MeasuredSensor(named: sensor))
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    try await camera.lockExposure()
    let learning = try await learned(camera, port, under: ["A", "D65"])
    let laws = try #require(learning.laws())
    let gains = try learning.responses(by: laws).map { try #require(Gains(neutralizing: $0)) }
    var known = learning.camera
    known.transfer = learning.transfer
    for (lamp, from, to) in [("D65", 0, 1), ("A", 1, 0)] {
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      let values = try laws.setting(for: gains[from]).values
      let probed = ProbedCamera(known, laws: laws)
      try await probed.lockExposure()
      try await camera.port.set(values)
      for _ in 0..<12 { _ = try await camera.nextEstimate() }
      _ = try await probed.lock(at: gains[to])
      #expect(await port.card.differenceFromNeutral < 0.5, "\(lamp)")
    }
  }

  /// The controls are left as another lamp needed them, so the picture has almost no red.
  @Test func aCardAlmostWithoutRedIsMadeNeutral() async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "nikon-d850")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: 2, size: (96, 64))
    configuration.balance = .channels
    configuration.pipeline = .webcam
    configuration.settings = [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 317),
      ControlValue(.blueBalance, 593),
    ]
    let port = try SimulatedCamera(configuration)
    #expect(try await Camera(port).estimate().response.red < 0.02)
    let neutral = try await Camera(port).balanceOnCard()
    #expect(await port.card.differenceFromNeutral < 0.5, "\(neutral.applied.values)")
  }
}
