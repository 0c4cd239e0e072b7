import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// Four shots and nothing else known of cameras: what the prior is for.
struct UnguidedFitTests {
  private static let shots = ["A", "D65", "FL2", "FL11"]

  private static func percentile(_ values: [Double], _ share: Double) -> Double {
    values.sorted()[Int(share * Double(values.count - 1))]
  }

  /// The least squares of a matrix that has nothing to lean on, under lamps that it has not seen.
  @Test func fourShotsWithoutAPrior() throws {
    let lamps = MeasuredLamp.all.filter {
      ReferenceLamps.isUsable($0.chromaticity) && !Self.shots.contains($0.name)
    }
    var errors: [Double] = []
    for sensor in MeasuredSensor.all {
      func logGains(_ lamp: MeasuredLamp) -> SIMD2<Double> {
        sensor.response(to: lamp.spectrum).logGains
      }
      let fit = CameraParameterFit(
        observations: try Self.shots.map {
          let lamp = try #require(MeasuredLamp(named: $0))
          return .init(
            light: .init(lamp.chromaticity), logGains: logGains(lamp), weight: 1)
        }, start: CameraPrior.publicCameras.shape.mean)
      // One that does not settle has no error to count, which flatters it.
      guard let camera = fit.solved() else { continue }
      for lamp in lamps {
        guard let found = camera.logGains(for: .init(lamp.chromaticity), floor: 1e-3) else {
          errors.append(.infinity)
          continue
        }
        let miss = found.values - logGains(lamp)
        errors.append(max(abs(miss.x), abs(miss.y)))
      }
    }
    #expect(Self.percentile(errors, 0.5) > 0.07)
    #expect(Self.percentile(errors, 0.95) > 0.3)
  }
}
