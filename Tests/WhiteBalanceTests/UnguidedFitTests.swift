import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// Fits of four shots without any prior knowledge of cameras, as a comparison for the prior.
struct UnguidedFitTests {
  private static let shots = ["A", "D65", "FL2", "FL11"]

  private static func percentile(_ values: [Double], _ share: Double) -> Double {
    values.sorted()[Int(share * Double(values.count - 1))]
  }

  /// Tests the least-squares fit of an unconstrained matrix under lamps that were not shot.
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
      // A fit that does not converge is not counted, which makes the result look better.
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
