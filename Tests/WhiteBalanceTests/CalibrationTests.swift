import ColorScience
import Foundation
import SimulatedCamera
import Testing

@testable import WhiteBalance

struct CalibrationTests {
  /// Responses of one camera, from its published sensitivities: light, x, y, r/g, b/g.
  private static let canon: [String: (x: Double, y: Double, red: Double, blue: Double)] = [
    "A": (0.4475636418, 0.4074394656, 0.7859469331, 0.3934329945),
    "D65": (0.3127385737, 0.3290520470, 0.4289282653, 0.7813126923),
    "FL2": (0.3720848891, 0.3752895998, 0.5300606841, 0.5476413619),
  ]

  private static func shots(_ names: String...) throws -> [CalibrationShot] {
    try names.map {
      let shot = try #require(canon[$0])
      return try CalibrationShot(
        light: Light(name: $0, chromaticity: Chromaticity(x: shot.x, y: shot.y)),
        response: LinearRGB(red: shot.red, green: 1, blue: shot.blue))
    }
  }

  /// An independent implementation in another language gave these figures from the same prior.
  @Test func agreesWithAnotherImplementation() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65"))
    let day = try #require(calibration.gains(for: Chromaticity(x: 0.3127, y: 0.3290)))
    #expect(abs(day.relativeToGreen.red - 2.309902415) < 2e-4)
    #expect(abs(day.relativeToGreen.blue - 1.282317577) < 2e-4)
    let warm = try #require(calibration.gains(for: Chromaticity(x: 0.40, y: 0.39)))
    #expect(abs(warm.relativeToGreen.red - 1.592761768) < 2e-4)
    #expect(abs(warm.relativeToGreen.blue - 1.997524342) < 4e-4)
    // The signs of the residuals were −, +, +, −.
    let residuals = calibration.shots.map(\.residual)
    #expect(abs(residuals[0].red + 0.0091) < 3e-4)
    #expect(abs(residuals[1].red - 0.0091) < 3e-4)
    #expect(residuals[0].blue > 0 && residuals[1].blue < 0)
  }

  /// One shot says nothing about the matrix: the average one stays, and the shot is met exactly.
  @Test func oneShotIsTheDiagonal() throws {
    let calibration = try Calibration(fitting: Self.shots("D65"))
    let average = try #require(CameraPrior.publicCameras.averageCamera)
    for (row, expected) in zip(calibration.model.matrix.rows, average.matrix.rows) {
      for column in 0..<3 { #expect(abs(row[column] - expected[column]) < 2e-3) }
    }
    #expect(calibration.shots[0].residual.magnitude < 1e-3)
  }

  /// What `make evaluate` prints, held to its bounds: each public camera left out of its prior.
  @Test func camerasNeverSeen() throws {
    let lamps = MeasuredLamp.all.filter { lamp in
      guard lamp.kind != "other", !["SA", "SC", "60 A/W (Soft White)"].contains(lamp.name),
        let light = CorrelatedColorTemperature(lamp.chromaticity)
      else { return false }
      return (1800...20_000).contains(light.kelvin) && abs(light.duv) <= 0.03
    }
    #expect(lamps.count == 108)
    let lights = lamps.map(\.chromaticity)
    let measured = MeasuredSensor.all.map { sensor in
      zip(lamps, lights).map {
        CameraPrior.Measurement(light: $1, response: sensor.response(to: $0.spectrum))
      }
    }
    let priors = try measured.indices.map { camera in
      var others = measured
      others.remove(at: camera)
      return try #require(CameraPrior(cameras: others))
    }
    func medianError(_ shotNames: [String], thermal: Bool = false) throws -> Double {
      var errors: [Double] = []
      for camera in measured.indices {
        let own = measured[camera]
        let shots = try lamps.indices.filter { shotNames.contains(lamps[$0].name) }.map {
          try CalibrationShot(
            light: Light(name: lamps[$0].name, chromaticity: lights[$0]), response: own[$0].response
          )
        }
        #expect(shots.count == shotNames.count)
        let calibration = try Calibration(fitting: shots, prior: priors[camera])
        for index in lamps.indices where !shotNames.contains(lamps[index].name) {
          if thermal, !["thermal", "daylight"].contains(lamps[index].kind) { continue }
          let found = try #require(calibration.gains(for: lights[index])).relativeToGreen
          let truth = try #require(Gains(neutralizing: own[index].response)).relativeToGreen
          errors.append(max(abs(log(found.red / truth.red)), abs(log(found.blue / truth.blue))))
        }
      }
      return errors.sorted()[errors.count / 2]
    }
    #expect(try medianError(["D65"]) <= 0.045)
    #expect(try medianError(["A", "D65"]) <= 0.041)
    #expect(try medianError(["A", "D65"], thermal: true) <= 0.013)

    let anew = try #require(CameraPrior(cameras: measured))
    for (value, stored) in zip(anew.mean.values, CameraPrior.publicCameras.mean.values) {
      #expect(abs(value - stored) < 1e-8, "run make prior")
    }
    for (row, stored) in zip(anew.shapeCovariance, CameraPrior.publicCameras.shapeCovariance) {
      for (value, other) in zip(row, stored) { #expect(abs(value - other) < 1e-8) }
    }
  }

  @Test func contradictionsShowInTheResiduals() throws {
    var shots = try Self.shots("A", "D65")
    let truth = try Calibration(fitting: shots)
    // D65 called A.
    shots[1] = try CalibrationShot(light: shots[0].light, response: shots[1].response)
    do {
      let fit = try Calibration(fitting: shots)
      #expect(fit.shots.map(\.residual.magnitude).max()! > 0.05)
    } catch { #expect(error == .contradiction) }
    #expect(truth.shots.map(\.residual.magnitude).max()! < 0.02)
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

  @Test func codingKeepsEveryBit() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65", "FL2"))
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
  }
}
