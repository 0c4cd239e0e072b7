import ColorScience
import Foundation
import SimulatedScenes
import Testing

@testable import WhiteBalance

struct CalibrationTests {
  /// The responses of one camera, from its published sensitivities: light, x, y, r/g, b/g.
  private static let canon: [String: (x: Double, y: Double, red: Double, blue: Double)] = [
    "A": (0.4475636418, 0.4074394656, 0.7859469331, 0.3934329945),
    "D65": (0.3127385737, 0.3290520470, 0.4289282653, 0.7813126923),
    "FL2": (0.3720848891, 0.3752895998, 0.5300606841, 0.5476413619),
  ]

  private static func shots(_ names: String...) throws -> [CalibrationShot] {
    try names.map {
      let shot = try #require(canon[$0])
      return try CalibrationShot(
        light: Light(named: $0), response: LinearRGB(red: shot.red, green: 1, blue: shot.blue))
    }
  }

  /// The red and blue gains agree with those of an independent implementation in another language,
  /// which computes its filters from eigenvectors.
  @Test(arguments: [
    (["A", "D65"], 0.3127, 0.3290, nil, 2.40773, 1.32574),
    (["A", "D65"], 0.40, 0.39, LightClass.thermal, 1.58516, 1.97438),
    (["A", "D65"], 0.38, 0.38, .led, 1.79159, 1.95522),
    (["A", "D65", "FL2"], 0.3127, 0.3290, .daylight, 2.33065, 1.27867),
    (["A", "D65", "FL2"], 0.38, 0.38, .fluorescent, 1.78696, 1.89702),
    (["A", "D65", "FL2"], 0.38, 0.38, .other, 1.78732, 1.90914),
  ])
  func agreesWithAnotherImplementation(
    names: [String], x: Double, y: Double, lightClass: LightClass?, red: Double, blue: Double
  ) throws {
    let calibration = try Calibration(fitting: names.flatMap { try Self.shots($0) })
    let gains = try #require(
      calibration.gains(for: Chromaticity(x: x, y: y), lightClass: lightClass)?.relativeToGreen)
    #expect(abs(gains.red / red - 1) < 2e-3)
    #expect(abs(gains.blue / blue - 1) < 2e-3)
  }

  /// One shot fits itself and leaves other lights uncertain.
  @Test func oneShot() throws {
    let calibration = try Calibration(fitting: Self.shots("D65"))
    #expect(calibration.shots[0].residual.magnitude < 0.01)
    #expect(calibration.shots[0].leaveOneOut == nil)
    func error(_ name: String) throws -> Double {
      let light = try Light(named: name)
      return try #require(
        calibration.uncertainty.covariance(
          at: light.chromaticity, lightClass: light.impliedClass)
      ).standardErrors.blue
    }
    #expect(try error("D65") < 0.01)
    #expect(try error("A") > 0.03)
    #expect(try error("LED-B3") > error("D55"))
  }

  /// A calibration converts like its matrices.
  @Test func isACameraModel() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65"))
    let light = TemperatureAndTint(temperature: 3000, tint: -4)
    let gains = try #require(calibration.gains(for: light, lightClass: .led))
    #expect(gains == calibration.model.gains(for: light, lightClass: .led))
    let back = try #require(calibration.temperatureAndTint(for: gains, lightClass: .led))
    #expect(abs(back.temperature - 3000) < 1e-6 && abs(back.tint + 4) < 1e-6)
    #expect(calibration.chromaticity(for: Gains(red: 0, blue: 1)) == nil)
    let model: any CameraModel = calibration
    #expect(try model.temperatureAndTint(for: gains, lightClass: .led) == back)
  }

  /// The class of a light matters more than its chromaticity: an LED needs more blue than a black
  /// body of its chromaticity.
  @Test func classesDiffer() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65"))
    let light = try Light(named: "LED-B3")
    let thermal = try #require(calibration.gains(for: light.chromaticity, lightClass: .thermal))
    let led = try #require(calibration.gains(for: light.chromaticity, lightClass: .led))
    let ratio = led.relativeToGreen.blue / thermal.relativeToGreen.blue
    #expect(ratio > 1.04 && ratio < 1.12)
  }

  /// A light known only by x and y has less weight, and one with uncertain x and y even less.
  @Test func whatIsLessCertainWeighsLess() throws {
    let truth = try #require(Self.canon["FL2"])
    let response = LinearRGB(red: truth.red, green: 1, blue: truth.blue)
    func error(_ light: Light, lightClass: LightClass? = nil, noise: Double) throws -> Double {
      let shot = try CalibrationShot(
        light: light, response: response, lightClass: lightClass, noise: noise)
      let calibration = try Calibration(fitting: Self.shots("A") + [shot])
      let covariance = try #require(
        calibration.uncertainty.covariance(
          at: Chromaticity(x: truth.x, y: truth.y), lightClass: .fluorescent))
      return covariance.red + covariance.blue
    }
    let xy = Chromaticity(x: truth.x, y: truth.y)
    let named = try error(Light(named: "FL2"), noise: 0.003)
    let known = try error(
      Light(name: "tube", chromaticity: xy), lightClass: .fluorescent, noise: 0.003)
    let unknown = try error(Light(name: "tube", chromaticity: xy), noise: 0.003)
    let vague = try error(
      Light(name: "tube", chromaticity: xy, uncertainty: 0.01), lightClass: .fluorescent,
      noise: 0.003)
    let noisy = try error(Light(named: "FL2"), noise: 0.05)
    #expect(named < known && known < unknown && known < vague && named < noisy)
  }

  /// A mislabeled light is refused, and with three shots it is named.
  @Test func contradictionsAreRefused() throws {
    let truth = try Self.shots("A", "D65", "FL2")
    let mislabelled = try CalibrationShot(light: truth[0].light, response: truth[1].response)
    #expect(Self.refusal(of: [truth[0], mislabelled])?.isContradiction(of: nil) == true)
    let swapped = try [(0, 1), (1, 0)].map {
      try CalibrationShot(light: truth[$0.0].light, response: truth[$0.1].response)
    }
    #expect(Self.refusal(of: swapped)?.isContradiction(of: nil) == true)
    let called = try CalibrationShot(light: Light(named: "2700K"), response: truth[1].response)
    #expect(Self.refusal(of: truth + [called])?.isContradiction(of: "2700K") == true)
    #expect(try Calibration(fitting: truth).shots.count == 3)
  }

  /// No public camera is refused under correctly named lamps.
  @Test func honestShotsAreNotRefused() throws {
    for sensor in MeasuredSensor.all {
      for names in [["A", "D65"], ["A", "D65", "FL2", "FL11"], ["LED-B1", "LED-B5", "D50"]] {
        let shots = try names.map { name in
          let lamp = try #require(MeasuredLamp(named: name))
          return try CalibrationShot(
            light: Light(named: name), response: sensor.response(to: lamp.spectrum))
        }
        #expect(throws: Never.self) { try Calibration(fitting: shots) }
      }
    }
  }

  private static func shot(_ name: String, called: String, _ sensor: MeasuredSensor) throws
    -> CalibrationShot
  {
    let lamp = try #require(MeasuredLamp(named: name))
    return try CalibrationShot(
      light: Light(named: called), response: sensor.response(to: lamp.spectrum))
  }

  private static func refusal(of shots: [CalibrationShot]) -> CalibrationError? {
    do {
      _ = try Calibration(fitting: shots)
      return nil
    } catch {
      return error
    }
  }

  /// A fourth light with the name of another one is detected and named for nine cameras of ten.
  @Test func mislabelledLightsAreNamed() throws {
    let pairs = [
      ("D50", "FL11"), ("FL11", "LED-B1"), ("LED-B1", "D50"), ("FL7", "LED-B3"), ("HP1", "D75"),
    ]
    var seen = 0
    for sensor in MeasuredSensor.all {
      let honest = try ["A", "D65", "FL2"].map { try Self.shot($0, called: $0, sensor) }
      for (name, called) in pairs {
        let wrong = try Self.shot(name, called: called, sensor)
        let error = Self.refusal(of: honest + [wrong])
        if error?.isContradiction(of: called) == true { seen += 1 }
      }
    }
    #expect(Double(seen) >= 0.9 * Double(pairs.count * MeasuredSensor.all.count))
  }

  /// A window next to the lamp, and a card that is not neutral, are detected.
  @Test func mixedLightAndTintedCards() throws {
    let sensor = try #require(MeasuredSensor(named: "nikon-d850"))
    let honest = try ["A", "D65", "FL2"].map { try Self.shot($0, called: $0, sensor) }
    let (a, day) = (honest[0].response.vector, honest[1].response.vector)
    for response in [a / a.y * 0.7 + day / day.y * 0.3, a * SIMD3(1.25, 1, 1)] {
      let shots =
        [try CalibrationShot(light: Light(named: "A"), response: LinearRGB(response))]
        + honest.dropFirst()
      #expect(Self.refusal(of: shots)?.isContradiction(of: "A") == true)
    }
  }

  /// One light occurs twice under two names, with responses that differ.
  @Test func oneLightTwice() throws {
    let sensor = try #require(MeasuredSensor(named: "nikon-d850"))
    let day = try Self.shot("D65", called: "D65", sensor)
    #expect(try Calibration(fitting: [day, day]).shots.count == 2)
    let other = try CalibrationShot(
      light: day.light, response: LinearRGB(day.response.vector * SIMD3(1.1, 1, 1)))
    #expect(Self.refusal(of: [day, other])?.isContradiction(of: nil) == true)
  }

  /// No camera is refused if the lamps are known only by x, y and class, instead of by their
  /// spectra.
  @Test(arguments: [
    ["A", "D65", "FL2", "FL11"], ["FL2", "FL3.5", "FL12", "FL9"], ["HP1", "D65", "A"],
  ])
  func honestShotsOfUnknownSpectraAreNotRefused(names: [String]) throws {
    for sensor in MeasuredSensor.all {
      let shots = try names.map { name in
        let lamp = try #require(MeasuredLamp(named: name))
        return try CalibrationShot(
          light: Light(name: "measured", chromaticity: lamp.chromaticity),
          response: sensor.response(to: lamp.spectrum),
          lightClass: Light(named: name).impliedClass)
      }
      #expect(Self.refusal(of: shots) == nil, "\(sensor.name)")
    }
  }

  /// The stated misfit is the one that was introduced.
  @Test func aMisfitHasItsSize() throws {
    let truth = try Self.shots("A", "D65", "FL2")
    let spoiled = try CalibrationShot(
      light: truth[0].light,
      response: LinearRGB(truth[0].response.vector * SIMD3(0.7, 1, 1.5)))
    let error = try #require(Self.refusal(of: [spoiled, truth[1], truth[2]]))
    guard case .contradiction(_, let misfit?) = error else { throw error }
    #expect(misfit.light == "A" && misfit.surprise > 9)
    #expect(abs(misfit.red - 0.7) < 0.05 && abs(misfit.blue - 1.5) < 0.1, "\(misfit)")
    #expect(error.description.contains("less red") && error.description.contains("more blue"))
  }

  @Test func noShots() {
    #expect(throws: CalibrationError.noShots) { try Calibration(fitting: []) }
  }

  @Test(arguments: [
    SIMD3(0, 1, 1), SIMD3(1, -0.1, 1), SIMD3(1, 1, .nan), SIMD3(.infinity, 1, 1),
  ])
  func badResponses(response: SIMD3<Double>) throws {
    let light = try Light(named: "D65")
    let error = try #require(
      #expect(throws: CalibrationError.self) {
        try CalibrationShot(light: light, response: LinearRGB(response))
      })
    #expect(error.description.contains("D65"))
    #expect(error.description.contains("not positive and finite"))
  }

  @Test func aLightThatCamerasHardlySee() throws {
    let light = try Light(named: "xy:0.7,0.299")
    let shot = try CalibrationShot(
      light: light, response: LinearRGB(red: 1, green: 0.2, blue: 0.01))
    #expect(throws: CalibrationError.invisibleLight("xy:0.7,0.299")) {
      try Calibration(fitting: [shot])
    }
  }

  /// A shot up to 9 standard deviations away from the prediction of the others is accepted; beyond
  /// that it is named. The error of red grows in steps.
  @Test func nineStandardDeviations() throws {
    let truth = try Self.shots("A", "D65", "FL2")
    func spoiled(_ change: Double) throws -> [CalibrationShot] {
      var response = truth[2].response
      response.red *= exponential(change)
      return [truth[0], truth[1], try CalibrationShot(light: truth[2].light, response: response)]
    }
    for (surprise, isAccepted) in [(8.99, true), (9.01, false)] {
      var (low, high) = (0.0, 1.0)
      for _ in 0..<40 {
        let middle = (low + high) / 2
        let worst = Calibration.surprises(try spoiled(middle), prior: .publicCameras).max()!
        if worst < surprise { low = middle } else { high = middle }
      }
      let error = Self.refusal(of: try spoiled(low))
      #expect(
        isAccepted ? error == nil : error?.isContradiction(of: "FL2") == true, "\(surprise)")
    }
  }

  /// The average camera must respond with at least a 20th of its response to D65.
  @Test func hardlyVisibleLights() throws {
    let mean = CameraPrior.publicCameras.shape.mean
    func color(_ x: Double) -> Chromaticity { Chromaticity(x: x, y: 0.30) }
    for (least, isVisible) in [(0.051, true), (0.049, false)] {
      var (low, high) = (0.3127, 0.699)
      for _ in 0..<50 {
        let middle = (low + high) / 2
        let response = mean.relativeResponse(to: .init(color(middle))).min()
        if response > least { low = middle } else { high = middle }
      }
      let light = try Light(name: "lamp", chromaticity: color(low))
      let shot = try CalibrationShot(
        light: light, response: LinearRGB(red: 1, green: 0.4, blue: 0.1))
      #expect((Self.refusal(of: [shot]) == .invisibleLight("lamp")) == !isVisible, "\(low)")
    }
  }

  @Test func codingKeepsEveryBit() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65", "FL2"))
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
    // Named lights are stored without a spectrum.
    #expect(!String(decoding: data, as: UTF8.self).contains("spectrum"))
    let measured = try CalibrationShot(
      light: Light(name: "spd:x.csv", spectrum: .planckian(kelvin: 3000)),
      response: LinearRGB(red: 1, green: 1.2, blue: 0.5))
    let copy = try JSONDecoder().decode(
      CalibrationShot.self, from: JSONEncoder().encode(measured))
    #expect(copy == measured && copy.light.spectrum != nil)
  }
}

extension CalibrationError {
  /// Returns `true` if shots contradict each other and the error names the given light, or none for
  /// `nil`.
  fileprivate func isContradiction(of light: String?) -> Bool {
    if case .contradiction(light, _) = self { true } else { false }
  }
}
