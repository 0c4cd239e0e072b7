import SimulatedCamera
import Testing
import WhiteBalance

@testable import calibration_study

/// What `make evaluate` prints, held to its bounds: each public camera left out of its prior.
struct EvaluationTests {
  @Test(arguments: [(["D65"], 4.5), (["A", "D65"], 4.1)])
  func allLamps(shots: [String], bound: Double) throws {
    #expect(publicLamps.count == 108)
    let errors = try predictionErrors(shots: shots)
    #expect(errors.count == 28 * (108 - shots.count))
    #expect(percentile(errors.map(\.percent), 0.5) <= bound)
  }

  @Test func thermalLightAndDaylight() throws {
    let errors = try predictionErrors(shots: ["A", "D65"]).filter { isThermalOrDaylight($0.lamp) }
    #expect(errors.count == 28 * 16)
    #expect(percentile(errors.map(\.percent), 0.5) <= 1.3)
  }

  @Test func theStoredPriorIsThatOfTheData() throws {
    let anew = try #require(CameraPrior(cameras: publicMeasurements)).figures
    let stored = CameraPrior.publicCameras.figures
    #expect(zip(anew.mean, stored.mean).allSatisfy { abs($0 - $1) < 1e-8 }, "run make prior")
    for (row, other) in zip(anew.shapeCovariance, stored.shapeCovariance) {
      #expect(zip(row, other).allSatisfy { abs($0 - $1) < 1e-8 }, "run make prior")
    }
  }

  @Test func percentiles() {
    #expect(percentile([3, 1, 2], 0.5) == 2)
    #expect(percentile([0, 10], 0.95) == 9.5)
    #expect(percentile([], 0.5).isNaN)
  }
}
