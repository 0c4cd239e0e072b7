import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// Glare that is added to all patches of a chart; the camera is excluded from the prior.
struct GlareTests {
  private static let camera = 8
  private static let sensor = MeasuredSensor.all[camera]
  private static let light = Light(.d65)

  private static func chart(glare: SIMD3<Double>) throws -> ChartShot {
    let spectrum = light.spectrum!
    let shine = glare * sensor.response(to: spectrum).vector
    return try ChartShot(
      light: light,
      responses: sensor.responses(to: .classicFrom2014, under: spectrum).map {
        LinearRGB($0.vector + shine)
      })
  }

  private static func estimate(_ shot: ChartShot) throws -> SensitivityEstimate {
    var others = PublicCameras.channels
    others.remove(at: camera)
    return try SensitivityEstimate(
      charts: [shot], prior: #require(SensitivityPrior(channels: others)))
  }

  /// Glare of white's color, a reflection of one color, and a black level that was subtracted too
  /// much are found.
  @Test(arguments: [
    .zero, SIMD3(0.003, 0.003, 0.003), SIMD3(0, 0.0008, 0.0003), SIMD3(0.002, 0.001, 0.0015),
    SIMD3(-0.001, -0.0012, -0.0008),
  ])
  func found(glare: SIMD3<Double>) throws {
    let shot = try Self.chart(glare: glare)
    let found = try #require(Self.estimate(shot).glare(of: shot))
    let error = found.share.vector - glare
    #expect(abs(error.sum() / 3) <= 3e-4, "\(error)")
    for (one, other) in [(0, 1), (1, 2)] {
      #expect(abs(error[one] - error[other]) <= 1e-4, "\(error)")
    }
    let white = Self.sensor.response(to: Self.light.spectrum!).vector
    let level = found.level.vector / white - glare
    #expect(max(level.max(), -level.min()) <= 4e-4, "\(level)")
  }

  /// Glare is not attributed to the camera's colors.
  @Test func gainsAreKeptFromIt() throws {
    let shot = try Self.chart(glare: SIMD3(0, 0.0008, 0.0003))
    let estimate = try Self.estimate(shot)
    for name in ["A", "FL11", "LED-B3"] {
      let lamp = try #require(StandardIlluminant(named: name)).spectrum
      let gains = try #require(estimate.gains(under: lamp)).gains
      let seen = LinearRGB(gains.vector * Self.sensor.response(to: lamp).vector)
      #expect(abs(seen.red / seen.green - 1) <= 0.006, "\(name)")
      #expect(abs(seen.blue / seen.green - 1) <= 0.006, "\(name)")
    }
    #expect(estimate.warnings().isEmpty)
  }

  @Test func otherShotsHaveNone() throws {
    let estimate = try Self.estimate(Self.chart(glare: .zero))
    #expect(try estimate.glare(of: Self.chart(glare: SIMD3(0.001, 0, 0))) == nil)
  }
}
