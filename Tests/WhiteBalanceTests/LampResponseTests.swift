import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

struct LampResponseTests {
  private static func response(_ name: String) throws -> LampResponse {
    let light = try #require(StandardIlluminant(named: name))
    return try #require(
      LampResponse(
        SensorGrid.power(of: light.spectrum), cameras: CameraPrior.publicCameras.channels))
  }

  /// The mean has one part of one lamp and three of another.
  @Test func weightedMeans() throws {
    let (a, b) = (try Self.response("A"), try Self.response("FL2"))
    let offset = SIMD2(0.25, -0.5)
    let mean = LampResponse(mean: [(a, .zero, 2), (b, offset, 6)])
    for camera in a.logGains.indices {
      let expected = 0.25 * a.logGains[camera] + 0.75 * (b.logGains[camera] + offset)
      let difference = mean.logGains[camera] - expected
      #expect(abs(difference.x) < 1e-12 && abs(difference.y) < 1e-12)
    }
    for channel in 0..<3 {
      for index in a.filters[channel].indices {
        let expected = 0.25 * a.filters[channel][index] + 0.75 * b.filters[channel][index]
        #expect(abs(mean.filters[channel][index] - expected) < 1e-12)
      }
    }
  }

  /// The covariance is that over the cameras, plus that of independent filters in front of each
  /// channel, plus free scales of red and of blue, computed filter by filter.
  @Test func covarianceOfTwoLamps() throws {
    let cameras = CameraPrior.publicCameras.channels
    let powers = try ["A", "FL2"].map { name in
      SensorGrid.power(of: try #require(StandardIlluminant(named: name)).spectrum)
    }
    let count = Double(cameras.count)
    // By lamp and camera: the logarithms of both gains, and the effect of each filter on each
    // channel.
    let sums = powers.map { power in
      cameras.map { camera in
        camera.map { channel in (0..<81).reduce(0.0) { $0 + channel[$1] * power[$1] } }
      }
    }
    let gains = sums.map { lamp in
      lamp.map { [logarithm($0[1] / $0[0]), logarithm($0[1] / $0[2])] }
    }
    func moves(_ lamp: Int, _ camera: Int, _ channel: Int) -> [Double] {
      SensorGrid.filters.map { filter in
        let sum = (0..<81).reduce(0.0) { (sum: Double, place: Int) -> Double in
          sum + cameras[camera][channel][place] * powers[lamp][place] * filter[place]
        }
        return sum / sums[lamp][camera][channel]
      }
    }
    var expected = [[0.0, 0], [0, 0]]
    for i in 0..<2 {
      for j in 0..<2 {
        let means = (
          gains[0].reduce(0) { $0 + $1[i] } / count, gains[1].reduce(0) { $0 + $1[j] } / count
        )
        var sum = 0.0
        for camera in cameras.indices {
          sum += (gains[0][camera][i] - means.0) * (gains[1][camera][j] - means.1) / (count - 1)
          // A gain is green over red, or green over blue: both depend on the filters of green, and
          // each on those of its own channel.
          for channel in i == j ? [1, 2 * i] : [1] {
            sum += zip(moves(0, camera, channel), moves(1, camera, channel)).reduce(0) {
              $0 + $1.0 * $1.1 / count
            }
          }
        }
        expected[i][j] = sum + (i == j ? 1 : 0)
      }
    }
    let found = try Self.response("A").covariance(with: Self.response("FL2"))
    #expect(abs(found.rr - expected[0][0]) < 1e-12 && abs(found.rb - expected[0][1]) < 1e-12)
    #expect(abs(found.br - expected[1][0]) < 1e-12 && abs(found.bb - expected[1][1]) < 1e-12)
  }

  /// Away from the ends of the spectrum, transmissions of random filters have a standard deviation
  /// of 0.06 and a covariance that decreases with the distance d as exp(−d²/(2·(50 nm)²)).
  @Test func randomFilters() {
    for first in 12...60 {
      for second in first...60 {
        let distance = Double(5 * (second - first)) / 50
        let covariance = SensorGrid.filters.reduce(0) { $0 + $1[first] * $1[second] }
        let expected = 0.0036 * exponential(-distance * distance / 2)
        #expect(abs(covariance - expected) < 0.0036 * 1e-6)
      }
    }
    // The filters have equal variance at the red end and at the blue end.
    for index in 0..<40 {
      let blue = SensorGrid.filters.reduce(0) { $0 + $1[index] * $1[index] }
      let red = SensorGrid.filters.reduce(0) { $0 + $1[80 - index] * $1[80 - index] }
      #expect(abs(blue - red) < 1e-12)
    }
  }

  /// Lamps known only by chromaticity and class deviate about as much as stated: two squared
  /// standard deviations on average, over cameras that are not in the prior.
  @Test(arguments: [LightClass.fluorescent, .led])
  func unknownSpectra(lightClass: LightClass) throws {
    let prior = CameraPrior.publicCameras
    let lamps = MeasuredLamp.all.filter { $0.technology?.lightClass == lightClass }.prefix(4)
    let day = try #require(MeasuredLamp(named: "D65"))
    var (sum, count) = (0.0, 0.0)
    for sensor in MeasuredSensor.all {
      let known = try CalibrationShot(
        light: Light(named: "D65"), response: sensor.response(to: day.spectrum))
      for lamp in lamps {
        let shot = try CalibrationShot(
          light: Light(name: "lamp", chromaticity: lamp.chromaticity),
          response: sensor.response(to: lamp.spectrum), lightClass: lightClass)
        let surprise = Calibration.surprises([known, shot], prior: prior)[1]
        sum += surprise * surprise
        count += 1
      }
    }
    #expect(count > 10)
    #expect((0.5...4).contains(sum / count), "\(sum / count)")
  }
}
