import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras with every kind of control; the meaning of their numbers is not given to the program.
struct ControlKindsTests {
  private static let sensor = "sony-ilce-7m3"

  private func port(
    _ balance: SimulatedBalance, lamp: String, curve: TransferFunction = .sRGB
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: Self.sensor)),
      lamp: try #require(MeasuredLamp(named: lamp)), seed: 11, size: (48, 32))
    configuration.balance = balance
    configuration.exposure = SimulatedExposure()
    configuration.transfer = curve
    return try SimulatedCamera(configuration)
  }

  /// The card's ΔE*ab from neutral, read as linear light after the camera's gains and `gains`.
  private func difference(
    _ camera: Camera, _ gains: Gains = Gains(red: 1, blue: 1)
  ) async throws -> Double {
    try await camera.settle(after: 12)
    let card = try await camera.estimate().response.vector * gains.vector
    let space = RGBColorSpace.sRGB
    return LabColor(
      XYZ(space.toXYZ * card), white: XYZ(space.toXYZ * SIMD3(1, 1, 1))
    ).chroma
  }

  /// A probed camera of a kind, and a calibration from shots under some lamps; the last lamp stays
  /// on.
  private func calibrated(
    _ kind: String, under lamps: [String]
  ) async throws -> (port: SimulatedCamera, probed: ProbedCamera, calibration: Calibration) {
    let port = try port(
      #require(SimulatedBalance(named: kind)), lamp: lamps[0], curve: .gamma(2.2))
    var camera = Camera(port)
    try await camera.lockExposure()
    camera.transfer = try await camera.findTransfer()
    let probed = try await camera.probe()
    var shots: [CalibrationShot] = []
    for name in lamps {
      await port.setLamp(try #require(MeasuredLamp(named: name)))
      shots.append(
        try CalibrationShot(
          light: Light(named: name),
          response: try #require(try await probed.balanceOnCard().response)))
    }
    return (port, probed, try Calibration(fitting: shots))
  }

  private static let channelKinds: [SimulatedBalance] = [
    .balances, .offset, .additive, .coupled, .channels, .bent,
  ]

  @Test(
    arguments: zip(
      channelKinds.map(\.name),
      [TransferFunction.sRGB, .gamma(2.2), .sRGB, .gamma(2.2), .sRGB, .gamma(2.2)]))
  func theCardBecomesNeutralUnderAnyLight(kind: String, curve: TransferFunction) async throws {
    let port = try port(
      #require(SimulatedBalance(named: kind)), lamp: "D65", curve: curve)
    var camera = Camera(port)
    try await camera.lockExposure()
    camera.transfer = try await camera.findTransfer()
    #expect(try #require(camera.transfer) == curve)
    let probed = try await camera.probe()
    #expect(probed.laws.latency == 2)
    #expect(probed.laws.fitError < 0.01)
    for lamp in ["A", "FL11"] {
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      _ = try await probed.balanceOnCard()
      #expect(try await difference(camera) < 0.5, "\(kind) \(lamp)")
    }
  }

  /// The gains are those of all controls, whatever the value of green, which the search does not
  /// move.
  @Test(arguments: [0.7, 1.4]) func greenIsCountedWhereItStands(green: Double) async throws {
    let port = try port(.channels, lamp: "A", curve: .gamma(2.2))
    var camera = Camera(port)
    try await camera.lockExposure()
    camera.transfer = try await camera.findTransfer()
    let probed = try await camera.probe()
    func wanted() async throws -> Gains {
      let card = try await probed.balanceOnCard()
      #expect(try await difference(camera) < 0.5)
      return try #require(card.response.flatMap(Gains.init(neutralizing:))).normalized(
        to: .smallest)
    }
    let before = try await wanted()
    let control = try #require(port.controls.first { $0.id == .greenBalance })
    let value = control.nearestValue(to: green * Double(try await port.value(of: .greenBalance)))
    try await port.set([ControlValue(.greenBalance, value)])
    let after = try await wanted()
    #expect(try await port.value(of: .greenBalance) == value)
    for (old, new) in [(before.red, after.red), (before.blue, after.blue)] {
      #expect(abs(new / old - 1) < 0.01, "\(old) \(new)")
    }
  }

  /// After two shots, the lamps of the shots and a third one are set from their chromaticities
  /// alone.
  @Test(arguments: channelKinds.map(\.name))
  func aLightIsSetByItsColor(kind: String) async throws {
    let (port, probed, calibration) = try await calibrated(kind, under: ["A", "D65"])
    for (name, lightClass, bound) in [
      ("A", LightClass.thermal, 0.5), ("D65", .daylight, 0.5), ("5000K", .thermal, 1.0),
    ] {
      await port.setLamp(try #require(MeasuredLamp(named: name)))
      let light =
        StandardIlluminant(named: name)?.chromaticity
        ?? Chromaticity(TemperatureAndTint(temperature: 5000, tint: 0))
      let gains = try #require(calibration.model.gains(for: light, lightClass: lightClass))
      _ = try await probed.lock(at: gains)
      #expect(try await difference(probed.camera) < bound, "\(kind) \(name)")
    }
  }

  /// A lamp unlike others of its class, for which the matrix of the class is off by ΔE*ab 4.
  @Test(arguments: ["balances", "coupled"])
  func anOddLampIsSetByItsOwnShot(kind: String) async throws {
    let (_, probed, calibration) = try await calibrated(kind, under: ["A", "D65", "LED-RGB1"])
    let model = CameraProfile.Model.calibrated(calibration)
    let gains = try #require(try model.gains(for: Light(named: "LED-RGB1")))
    _ = try await probed.lock(at: gains)
    #expect(try await difference(probed.camera) < 0.5)
  }

  @Test(arguments: ["temperature", "units", "presets"])
  func aLineOfColorsIsReachedAtItsNearestPoint(kind: String) async throws {
    let port = try port(#require(SimulatedBalance(named: kind)), lamp: "D65", curve: .gamma(2.2))
    var camera = Camera(port)
    try await camera.lockExposure()
    camera.transfer = try await camera.findTransfer()
    let probed = try await camera.probe()
    for lamp in ["A", "FL11", "5000K"] {
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      let card = try await probed.balanceOnCard()
      let reached = try await difference(camera)
      #expect(try await difference(camera, card.applied.residualGains) < 0.5, "\(kind) \(lamp)")
      // No neighbor is better.
      let control = try #require(port.controls.first { $0.id == card.applied.values[0].id })
      for step in [-1, 1] {
        let value =
          control.items.isEmpty
          ? card.applied.values[0].value + 3 * step * control.step
          : control.items.map(\.value).first { $0 > 1 && $0 != card.applied.values[0].value } ?? 0
        guard control.isValid(value) else { continue }
        try await port.set([ControlValue(control.id, value)])
        #expect(try await difference(camera) > reached - 0.2, "\(kind) \(lamp) \(value)")
      }
    }
  }

  @Test func aHiddenCouplingIsFound() async throws {
    let coupled = try port(.coupled, lamp: "D65")
    let camera = Camera(coupled)
    try await camera.lockExposure()
    try await coupled.set([ControlValue(.gain, 40)])
    let probed = try await camera.probe()
    #expect(probed.laws.fixedSettings == [ControlValue(.gain, 40)])
    #expect(try await coupled.value(of: .gain) == 40)
    // The sensor gain is changed from outside. Setting the white balance changes it back, since the
    // laws are valid for no other gain.
    try await coupled.set([ControlValue(.gain, 100)])
    _ = try await probed.lock(at: Gains(red: 1.4, blue: 1.2))
    #expect(try await coupled.value(of: .gain) == 40)
  }

  @Test func greenAboveOneIsReportedOrDone() async throws {
    let wanted = Gains(red: 1, green: 1.25, blue: 1.5)
    let camera = Camera(try port(.balances, lamp: "D65"))
    try await camera.lockExposure()
    let probed = try await camera.probe()
    let applied = try await probed.lock(at: wanted)
    #expect(abs(applied.brightness - 0.8) < 0.005)
    let full = Camera(try port(.channels, lamp: "D65"))
    try await full.lockExposure()
    let applied3 = try await full.probe().lock(at: wanted)
    #expect(abs(applied3.brightness - 1) < 0.005)
    #expect(applied3.values.map(\.value).count == 3)
  }

  @Test func aCameraWithoutControlsIsNamed() async throws {
    let camera = Camera(try port(.none, lamp: "D65"))
    await #expect(
      throws: CameraError.noWhiteBalance(camera: "simulated \(Self.sensor)")
    ) { try await camera.probe() }
  }
}
