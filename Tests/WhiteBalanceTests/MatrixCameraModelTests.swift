import ColorScience
import Foundation
import Testing
import WhiteBalance

struct MatrixCameraModelTests {
  private let model: MatrixCameraModel

  init() { model = CameraPrior.publicCameras.average.general }

  @Test func bothDirectionsAreInverse() throws {
    for mired in stride(from: 20.0, through: 500, by: 20) {
      for duv in [-0.03, 0, 0.02] {
        let xy = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv))
        guard let gains = model.gains(for: xy) else { continue }
        #expect(gains.vector.min() == 1)
        let back = try #require(model.chromaticity(for: gains))
        #expect(abs(back.x - xy.x) <= 1e-13)
        #expect(abs(back.y - xy.y) <= 1e-13)
      }
    }
  }

  /// Tests the sign without a round trip: warmer light needs more blue and less red.
  @Test func warmLightNeedsBlueGain() throws {
    let warm = try #require(model.gains(for: TemperatureAndTint(temperature: 3000, tint: 0)))
    let cold = try #require(model.gains(for: TemperatureAndTint(temperature: 8000, tint: 0)))
    #expect(warm.relativeToGreen.blue > cold.relativeToGreen.blue)
    #expect(warm.relativeToGreen.red < cold.relativeToGreen.red)
    let green = try #require(model.gains(for: TemperatureAndTint(temperature: 5000, tint: 30)))
    let plain = try #require(model.gains(for: TemperatureAndTint(temperature: 5000, tint: 0)))
    #expect(green.relativeToGreen.red > plain.relativeToGreen.red)
    let read = try #require(model.temperatureAndTint(for: green))
    #expect(abs(read.temperature - 5000) < 1e-6)
    #expect(abs(read.tint - 30) < 1e-8)
  }

  @Test func gainsOfAKnownMatrix() throws {
    let model = try MatrixCameraModel(
      matrix: Matrix3x3(SIMD3(2, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 0.5)),
      unitCalibration: LinearRGB(red: 0.5, green: 1, blue: 4))
    // XYZ ∝ (0.3, 0.4, 0.3): response (0.3, 0.4, 0.6).
    let gains = try #require(model.gains(for: Chromaticity(x: 0.3, y: 0.4)))
    #expect(abs(gains.red - 2) < 1e-15)
    #expect(abs(gains.green - 1.5) < 1e-15)
    #expect(gains.blue == 1)
  }

  @Test func noAnswerIsNil() throws {
    #expect(model.gains(for: Chromaticity(x: .nan, y: 0.3)) == nil)
    #expect(model.gains(for: Chromaticity(x: 5, y: -3)) == nil)
    #expect(model.chromaticity(for: Gains(red: -1, blue: 1)) == nil)
    #expect(model.chromaticity(for: Gains(red: .nan, blue: 1)) == nil)
    #expect(model.chromaticity(for: Gains(red: 0, blue: 1)) == nil)
    // The mirror image of a light: its X, Y and Z are all negative.
    let mirror = try MatrixCameraModel(
      matrix: Matrix3x3(SIMD3(0, -1, 0), SIMD3(-1, 0, 0), SIMD3(0, 0, -1)))
    #expect(mirror.chromaticity(for: Gains(red: 1, blue: 1)) == nil)
  }

  @Test func badNumbersAreNoModel() {
    let zero = LinearRGB(red: 1, green: 0, blue: 1)
    #expect(throws: CameraModelError.mirrored("matrix")) {
      try MatrixCameraModel(matrix: Matrix3x3(SIMD3(0, 1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)))
    }
    #expect(throws: CameraModelError.singular("the camera matrix")) {
      try MatrixCameraModel(matrix: Matrix3x3(SIMD3(1, 2, 3), SIMD3(1, 2, 3), SIMD3(0, 0, 1)))
    }
    #expect(throws: CameraModelError.notPositive("the unit calibration", zero)) {
      try MatrixCameraModel(matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)), unitCalibration: zero)
    }
  }

  @Test func codingKeepsEveryBitAndChecks() throws {
    let data = try JSONEncoder().encode(model)
    #expect(try JSONDecoder().decode(MatrixCameraModel.self, from: data) == model)
    let singular = #"{"matrix":[1,2,3,1,2,3,0,0,1],"unitCalibration":[1,1,1]}"#
    #expect(throws: CameraModelError.mirrored("matrix")) {
      try MatrixCameraModel(matrix: Matrix3x3(SIMD3(0, 1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)))
    }
    #expect(throws: CameraModelError.singular("the camera matrix")) {
      try JSONDecoder().decode(MatrixCameraModel.self, from: Data(singular.utf8))
    }
    let short = #"{"matrix":[1,2,3,1,2,3,0,0],"unitCalibration":[1,1,1]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MatrixCameraModel.self, from: Data(short.utf8))
    }
  }

  /// Slopes are compared with differences over 1e-5 in x and y.
  @Test func slopes() throws {
    let model = CameraPrior.publicCameras.average.general
    let light = Chromaticity(x: 0.35, y: 0.37)
    func logGains(_ dx: Double, _ dy: Double) throws -> SIMD2<Double> {
      try #require(model.response(to: Chromaticity(x: light.x + dx, y: light.y + dy))).logGains
    }
    let slopes = try #require(model.logGainSlopes(at: light))
    let byX = try (logGains(1e-5, 0) - logGains(-1e-5, 0)) / 2e-5
    let byY = try (logGains(0, 1e-5) - logGains(0, -1e-5)) / 2e-5
    for (exact, measured) in [
      (slopes.red.x, byX.x), (slopes.blue.x, byX.y), (slopes.red.y, byY.x), (slopes.blue.y, byY.y),
    ] {
      #expect(abs(exact - measured) <= 1e-6 * max(1, abs(exact)))
    }
    #expect(slopes.red.x < 0 && slopes.blue.x > 0)
  }
}
