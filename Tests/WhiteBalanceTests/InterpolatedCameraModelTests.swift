import ColorScience
import Foundation
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct InterpolatedCameraModelTests {
  // Adobe's matrices of the Canon EOS 5D Mark II.
  private static let underA = Matrix3x3(
    SIMD3(0.5309, -0.0229, -0.0336), SIMD3(-0.6241, 1.3265, 0.3337), SIMD3(-0.0817, 0.1215, 0.6664))
  private static let underD65 = Matrix3x3(
    SIMD3(0.4716, 0.0603, -0.0830), SIMD3(-0.7798, 1.5474, 0.2480), SIMD3(-0.1496, 0.1937, 0.6651))
  private static let unit = Matrix3x3(
    SIMD3(0.98, 0.01, 0), SIMD3(-0.02, 1, 0.01), SIMD3(0, 0.03, 1.05))

  private static let two = try! InterpolatedCameraModel(calibrations: [
    .init(kelvin: 2850, colorMatrix: underA), .init(kelvin: 6500, colorMatrix: underD65),
  ])
  private static let models = [
    try! InterpolatedCameraModel(calibrations: [.init(kelvin: 6500, colorMatrix: underD65)]),
    two,
    try! InterpolatedCameraModel(
      calibrations: [
        .init(kelvin: 6500, colorMatrix: underD65),
        .init(
          chromaticity: StandardIlluminant.a.chromaticity, colorMatrix: underA,
          cameraCalibration: unit),
        .init(
          kelvin: 4200,
          colorMatrix: Matrix3x3(
            SIMD3(0.52, -0.01, -0.07), SIMD3(-0.68, 1.42, 0.29), SIMD3(-0.11, 0.17, 0.65))),
      ], analogBalance: LinearRGB(red: 1.1, green: 1, blue: 0.9)),
  ]

  /// The matrix at 5000 K, between 2850 K and 6500 K, is the one that colour-hdri's tests of
  /// `matrix_interpolated` expect.
  @Test func publishedInterpolation() throws {
    let matrix = Matrix3x3(
      SIMD3(0.48549082, 0.04081068, -0.07142822), SIMD3(-0.74332781, 1.49565493, 0.26807493),
      SIMD3(-0.13369466, 0.17678740, 0.66540452))
    for duv in [-0.02, 0, 0.02] {
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: 5000, duv: duv))
      let raw = matrix * XYZ(light).vector
      let response = try #require(Self.two.response(to: light))
      #expect(abs(response.red - raw.x / raw.y) <= 3e-8)
      #expect(abs(response.blue - raw.z / raw.y) <= 3e-8)
      #expect(response.green == 1)
    }
  }

  /// Beyond the outermost lights the matrices are constant, while x and y continue.
  @Test func matricesStayBeyondTheOutermostLights() throws {
    for (kelvin, matrix) in [
      (2000.0, Self.underA), (2850, Self.underA), (6500, Self.underD65), (40_000, Self.underD65),
      (-40_000, Self.underD65),
    ] {
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0.01))
      let expected = try #require(MatrixCameraModel(matrix: matrix).response(to: light))
      let response = try #require(Self.two.response(to: light))
      #expect(abs(response.red - expected.red) <= 1e-13)
      #expect(abs(response.blue - expected.blue) <= 1e-13)
    }
  }

  /// Tests 2000…20,000 K, |Duv| ≤ 0.05, and gains up to 100.
  @Test(arguments: models)
  func bothDirectionsAreInverse(model: InterpolatedCameraModel) throws {
    var random = SeededRandom(seed: 7)
    var (worst, worstGain, used) = (0.0, 0.0, 0)
    for _ in 0..<3000 {
      let light = Chromaticity(
        CorrelatedColorTemperature(
          mired: .random(in: 50...500, using: &random),
          duv: .random(in: -0.05...0.05, using: &random)))
      guard let gains = model.gains(for: light), gains.vector.max() <= 100 else { continue }
      let found = try #require(try model.chromaticity(for: gains))
      worst = max(worst, abs(found.x - light.x), abs(found.y - light.y))
      let again = try #require(model.gains(for: found)).vector / gains.vector
      worstGain = max(worstGain, again.max() - 1, 1 - again.min())
      used += 1
    }
    #expect(used > 2000)
    #expect(worst <= 1e-12)
    #expect(worstGain <= 1e-12)
  }

  /// Tests the calibrated temperatures themselves, where the matrices' slope jumps.
  @Test(arguments: models)
  func calibratedTemperatures(model: InterpolatedCameraModel) throws {
    for calibration in model.calibrations {
      for duv in stride(from: -0.02, through: 0.02, by: 0.0005) {
        let light = Chromaticity(CorrelatedColorTemperature(kelvin: calibration.kelvin, duv: duv))
        let gains = try #require(model.gains(for: light))
        let found = try #require(try model.chromaticity(for: gains))
        #expect(max(abs(found.x - light.x), abs(found.y - light.y)) <= 1e-13)
      }
    }
  }

  /// Iterates as Adobe's SDK does: the matrix of the last result gives the next one.
  private static func iterated(_ gains: Gains) -> Chromaticity? {
    var light = StandardIlluminant.d50.chromaticity
    for _ in 0..<500 {
      let mired = min(max(CorrelatedColorTemperature(light)!.mired, 1e6 / 6500), 1e6 / 2850)
      let t = (mired - 1e6 / 6500) / (1e6 / 2850 - 1e6 / 6500)
      func row(_ i: Int) -> SIMD3<Double> { (1 - t) * underD65.rows[i] + t * underA.rows[i] }
      let next = Chromaticity(
        XYZ(Matrix3x3(row(0), row(1), row(2)).inverse! * (1 / gains.vector)))
      let change = abs(next.x - light.x) + abs(next.y - light.y)
      light = next
      if change < 1e-15 { return light }
    }
    return nil
  }

  @Test func agreesWithIterationWhereThatConverges() throws {
    var converged = 0
    for mired in stride(from: 60.0, through: 480, by: 7) {
      for duv in [-0.03, -0.01, 0, 0.01, 0.03] {
        let light = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv))
        guard let gains = Self.two.gains(for: light), let iterated = Self.iterated(gains) else {
          continue
        }
        let solved = try #require(try Self.two.chromaticity(for: gains))
        #expect(abs(solved.x - iterated.x) <= 1e-13)
        #expect(abs(solved.y - iterated.y) <= 1e-13)
        converged += 1
      }
    }
    #expect(converged > 250)
  }

  /// Returns a camera whose responses to two black bodies are equal: its matrices compensate for
  /// the difference.
  private static func compensating(_ mireds: [Double]) throws -> InterpolatedCameraModel {
    try InterpolatedCameraModel(
      calibrations: mireds.map { mired in
        let light = XYZ(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0)))
        return .init(kelvin: 1e6 / mired, colorMatrix: Matrix3x3(diagonal: 1 / light.vector))
      })
  }

  @Test func twoLightsForTheSameGains() throws {
    let model = try Self.compensating([200, 300])
    let lights = model.lights(for: Gains(red: 1, blue: 1))
    try #require(lights.count == 2)
    for (light, mired) in zip(lights, [200.0, 300]) {
      let expected = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0))
      #expect(abs(light.x - expected.x) <= 1e-13)
      #expect(abs(light.y - expected.y) <= 1e-13)
    }
    #expect(throws: AmbiguousGains.self) { try model.chromaticity(for: Gains(red: 1, blue: 1)) }
  }

  /// For gains near those, there are as many lights as a scan in steps of 0.05 mired finds: one or
  /// three.
  @Test func asManyLightsAsAWalkFinds() throws {
    let model = try Self.compensating([200, 300])
    var counts: Set<Int> = []
    for red in stride(from: 0.9851, through: 1.02, by: 0.005) {
      for blue in stride(from: 0.9851, through: 1.02, by: 0.005) {
        let gains = Gains(red: red, blue: blue)
        let walked = Self.walk(model, gains)
        let found = model.lights(for: gains)
        #expect(found.count == walked.count, "\(gains)")
        for (light, mired) in zip(found, walked) {
          #expect(abs(CorrelatedColorTemperature(light)!.mired - mired) <= 0.05)
          let again =
            try #require(model.gains(for: light)).vector / gains.normalized(to: .smallest).vector
          #expect(max(again.max() - 1, 1 - again.min()) <= 1e-11)
        }
        counts.insert(found.count)
      }
    }
    #expect(counts == [1, 3])
  }

  private static func walk(_ model: InterpolatedCameraModel, _ gains: Gains) -> [Double] {
    func diagonal(_ index: Int) -> SIMD3<Double> {
      let rows = model.calibrations[index].colorMatrix.rows
      return SIMD3(rows[0].x, rows[1].y, rows[2].z)
    }
    let (a, b) = (diagonal(0), diagonal(1))
    let places = stride(from: 100.005, to: 400, by: 0.05).map { mired in
      let t = max(0, min(1, (mired - 200) / 100))
      let light = Chromaticity(XYZ(1 / gains.vector / ((1 - t) * a + t * b)))
      return (mired: mired, excess: CorrelatedColorTemperature(light)!.mired - mired)
    }
    return zip(places, places.dropFirst()).filter { ($0.excess < 0) != ($1.excess < 0) }
      .map { ($0.mired + $1.mired) / 2 }
  }

  @Test func noLight() throws {
    for model in Self.models {
      #expect(model.lights(for: Gains(red: 0, blue: 1)).isEmpty)
      #expect(model.lights(for: Gains(red: .nan, blue: 1)).isEmpty)
      #expect(model.lights(for: Gains(red: 1, green: .infinity, blue: 1)).isEmpty)
      #expect(model.response(to: Chromaticity(x: .nan, y: 0.3)) == nil)
      #expect(model.response(to: Chromaticity(x: 5, y: -3)) == nil)
      #expect(model.logGainSlopes(at: Chromaticity(x: 5, y: -3)) == nil)
    }
    // The mirror image of a light: green comes only from a negative sum of X, Y, Z.
    let green = try InterpolatedCameraModel(calibrations: [
      .init(
        kelvin: 2850, colorMatrix: Matrix3x3(SIMD3(1, 2, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))),
      .init(
        kelvin: 6500, colorMatrix: Matrix3x3(SIMD3(1, 1.8, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1.1))),
    ])
    #expect(green.lights(for: Gains(red: 30, blue: 30)).isEmpty)
    #expect(try green.chromaticity(for: Gains(red: 30, blue: 30)) == nil)
    #expect(green.lights(for: Gains(red: 0.3, blue: 1)).count == 1)
  }

  /// Slopes are compared with differences over 1e-5 in x and y.
  @Test(arguments: models)
  func slopes(model: InterpolatedCameraModel) throws {
    for kelvin in [2200.0, 3100, 4800, 6000, 9000] {
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0.012))
      func logGains(_ dx: Double, _ dy: Double) throws -> SIMD2<Double> {
        let response = try #require(
          model.response(to: Chromaticity(x: light.x + dx, y: light.y + dy)))
        return SIMD2(log(response.green / response.red), log(response.green / response.blue))
      }
      let slopes = try #require(model.logGainSlopes(at: light))
      let byX = try (logGains(1e-5, 0) - logGains(-1e-5, 0)) / 2e-5
      let byY = try (logGains(0, 1e-5) - logGains(0, -1e-5)) / 2e-5
      for (exact, measured) in [
        (slopes.red.x, byX.x), (slopes.blue.x, byX.y), (slopes.red.y, byY.x),
        (slopes.blue.y, byY.y),
      ] {
        #expect(abs(exact - measured) <= 1e-6 * max(1, abs(exact)))
      }
    }
  }

  /// The determinant is a cubic of the position between the matrices. It is below 0 only between
  /// 0.2 and 0.22, or between 0.6 and 0.62.
  @Test(arguments: [SIMD3(-8, -2.34 / 0.22, 1), SIMD3(-4.0 / 3, -1.14 / 0.62, 0.2)])
  func aMatrixThatIsSingularForAMoment(diagonal: SIMD3<Double>) {
    let start = Matrix3x3(diagonal: SIMD3(2, 3, 2))
    #expect(throws: CameraModelError.singularBetween("ColorMatrix1", "ColorMatrix2")) {
      try InterpolatedCameraModel(calibrations: [
        .init(kelvin: 6500, colorMatrix: start),
        .init(kelvin: 2850, colorMatrix: Matrix3x3(diagonal: diagonal)),
      ])
    }
  }

  @Test func badNumbersAreNoModel() {
    func calibration(
      _ kelvin: Double, _ matrix: Matrix3x3 = Self.underD65, unit: Matrix3x3 = Self.one
    ) -> InterpolatedCameraModel.CalibratedLight {
      .init(kelvin: kelvin, colorMatrix: matrix, cameraCalibration: unit)
    }
    func expect(
      _ error: CameraModelError, _ calibrations: InterpolatedCameraModel.CalibratedLight...,
      balance: LinearRGB = LinearRGB(red: 1, green: 1, blue: 1)
    ) {
      #expect(throws: error) {
        try InterpolatedCameraModel(calibrations: calibrations, analogBalance: balance)
      }
    }
    let one = Self.one
    let good = calibration(2850)
    let flat = Matrix3x3(SIMD3(1, 2, 3), SIMD3(1, 2, 3), SIMD3(0, 0, 1))
    let mirror = Matrix3x3(SIMD3(0, 0, 1), SIMD3(0, 1, 0), SIMD3(1, 0, 0))
    let turned = Matrix3x3(diagonal: SIMD3(-1, 1, -1))
    expect(.calibrationCount(0))
    expect(.calibrationCount(4), good, good, good, good)
    expect(.temperature("CalibrationIlluminant2", kelvin: -1), good, calibration(-1))
    expect(.temperature("CalibrationIlluminant1", kelvin: 499), calibration(499))
    expect(.temperature("CalibrationIlluminant1", kelvin: .infinity), calibration(.infinity))
    expect(.singular("ColorMatrix2"), good, calibration(6500, flat))
    expect(.mirrored("ColorMatrix2"), good, calibration(6500, mirror))
    expect(.singular("CameraCalibration1"), calibration(2850, unit: flat))
    expect(.mirrored("CameraCalibration2"), good, calibration(6500, unit: mirror))
    expect(
      .singularBetween("ColorMatrix2", "ColorMatrix1"), calibration(2850, one),
      calibration(6500, turned))
    expect(.contradiction("ColorMatrix1", "ColorMatrix2"), good, calibration(2850, one))
    expect(
      .contradiction("CameraCalibration1", "CameraCalibration3"), good, calibration(6500),
      calibration(2850, unit: Self.unit))
    let zero = LinearRGB(red: 1, green: 0, blue: 1)
    expect(.notPositive("AnalogBalance", zero), good, balance: zero)
    #expect(throws: CameraModelError.self) {
      try InterpolatedCameraModel(calibrations: [
        .init(chromaticity: Chromaticity(x: .nan, y: 0), colorMatrix: one)
      ])
    }
  }

  private static let one = Matrix3x3(diagonal: SIMD3(1, 1, 1))

  @Test(arguments: models)
  func codingKeepsEveryBitAndChecks(model: InterpolatedCameraModel) throws {
    let data = try JSONEncoder().encode(model)
    #expect(try JSONDecoder().decode(InterpolatedCameraModel.self, from: data) == model)
    let none = #"{"calibrations":[],"analogBalance":[1,1,1]}"#
    #expect(throws: CameraModelError.calibrationCount(0)) {
      try JSONDecoder().decode(InterpolatedCameraModel.self, from: Data(none.utf8))
    }
  }
}
