import ColorScience
import Testing

@testable import WhiteBalance

/// Returns the cost of parameters: the squared residuals with their weights, and the squared
/// distance from the start with the precision.
private func cost(_ fit: CameraParameterFit, _ values: [Double]) -> Double {
  let parameters = CameraParameters(values: values)
  var sum = 0.0
  for observation in fit.observations {
    let q = parameters.relativeResponse(to: observation.light)
    let red = observation.logGains.x - values[0] - logarithm(q.y / q.x)
    let blue = observation.logGains.y - values[1] - logarithm(q.y / q.z)
    sum += observation.weight * (red * red + blue * blue)
  }
  guard let precision = fit.precision else { return sum }
  for i in values.indices {
    for j in values.indices {
      sum += precision[i][j] * (values[i] - fit.start.values[i]) * (values[j] - fit.start.values[j])
    }
  }
  return sum
}

/// Returns the distance of the cost's minimum along a parameter, from the parabola through three
/// points.
private func distanceToMinimum(_ fit: CameraParameterFit, _ values: [Double], _ index: Int)
  -> Double
{
  let step = 1e-4
  func moved(_ by: Double) -> Double {
    var moved = values
    moved[index] += by
    return cost(fit, moved)
  }
  let (low, middle, high) = (moved(-step), moved(0), moved(step))
  return step * (low - high) / (2 * (low - 2 * middle + high))
}

struct CameraParameterFitTests {
  private static let prior = CameraPrior.publicCameras
  private static let lights = ReferenceLamps.all.map {
    CameraParameters.LightOffset($0.chromaticity)
  }

  private static func values(of model: MatrixCameraModel) -> [Double] {
    let average = prior.shape.mean.values
    let scales = [exponential(average[0]), 1, exponential(average[1])]
    let scaled = zip(model.matrix.rows, scales).map { $0 * $1 }
    return [
      average[0] - logarithm(model.unitCalibration.red),
      average[1] - logarithm(model.unitCalibration.blue),
    ] + scaled.flatMap { [$0.x, $0.z] }
  }

  /// The fitted parameters of synthetic observations with weights and a prior have the least cost.
  @Test(arguments: [true, false]) func leastSquares(hasPrior: Bool) throws {
    let start = Self.prior.shape.mean
    let observations = stride(from: 0, to: Self.lights.count, by: 5).map { index in
      CameraParameterFit.Observation(
        light: Self.lights[index],
        logGains: Self.prior.lamps[index].logGains[index % 7],
        weight: 1 + Double(index % 3))
    }
    var precision = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 8)
    for i in 0..<8 {
      for j in 0..<8 { precision[i][j] = (i == j ? 3 : 0) + 1 / Double(2 + i + j) }
    }
    let fit = CameraParameterFit(
      observations: observations, start: start, precision: hasPrior ? precision : nil)
    let solved = try #require(fit.solved())
    for index in 0..<8 {
      #expect(abs(distanceToMinimum(fit, solved.values, index)) < 1e-7, "\(index)")
    }
  }

  /// A camera whose response to a light is less than a fiftieth of that to D65 is not fitted.
  @Test(arguments: [(0.021, true), (0.019, false)])
  func hardlyVisibleLights(response: Double, isFitted: Bool) throws {
    let light = CameraParameters.LightOffset(Chromaticity(x: 0.6, y: 0.35))
    var camera = Self.prior.shape.mean
    camera.values[4] = (response - 1 - light.z * camera.values[5]) / light.x
    let precision = (0..<8).map { i in (0..<8).map { $0 == i ? 1.0 : 0 } }
    let seen = try #require(camera.logGains(for: light, floor: 0))
    let fit = CameraParameterFit(
      observations: [.init(light: light, logGains: seen.values, weight: 1)], start: camera,
      precision: precision)
    #expect((fit.solved() != nil) == isFitted)
  }

  /// The shape is the average of the best-fitting parameters of each camera, and their covariance.
  @Test func shapeOfThePublicCameras() throws {
    let shape = Self.prior.shape
    let count = Self.prior.channels.count
    let fitted = try (0..<count).map { camera in
      let fit = CameraParameterFit(
        observations: zip(Self.lights, Self.prior.lamps).map {
          .init(light: $0, logGains: $1.logGains[camera], weight: 1)
        }, start: shape.mean)
      return try #require(fit.solved()).values
    }
    let means = (0..<8).map { index in fitted.reduce(0) { $0 + $1[index] } / Double(count) }
    for (found, expected) in zip(shape.mean.values, means) {
      #expect(abs(found - expected) < 1e-8)
    }
    // The precision times the covariance is the identity.
    for i in 0..<6 {
      for j in 0..<6 {
        let sum = (0..<6).reduce(0.0) { sum, k in
          let products = fitted.reduce(0.0) {
            $0 + ($1[k + 2] - means[k + 2]) * ($1[j + 2] - means[j + 2])
          }
          return sum + shape.precision[i][k] * products / Double(count - 1)
        }
        #expect(abs(sum - (i == j ? 1 : 0)) < 1e-5, "\(i) \(j)")
      }
    }
  }

  /// The matrix of each class fits gains best with the weights of technologies, in units of 2 %,
  /// and with a constraint: for lights of any class a fiftieth of the cameras' spread, for those of
  /// one class the common matrix of thermal light and daylight.
  @Test func matricesOfClasses() throws {
    let logGains = Self.prior.lamps.map { $0.logGains[3] }
    let shape = Self.prior.shape
    let model = try #require(ClassFits.model(logGains, shape: shape))
    func fit(
      _ weights: [LampTechnology: Double], each: Bool, start: CameraParameters,
      precision: [[Double]]
    ) -> CameraParameterFit {
      let observations = ReferenceLamps.all.indices.compactMap {
        index -> CameraParameterFit.Observation? in
        let technology = ReferenceLamps.all[index].technology
        guard let weight = weights[technology] else { return nil }
        let count = each ? 1 : ReferenceLamps.all.count { $0.technology == technology }
        return .init(
          light: Self.lights[index], logGains: logGains[index],
          weight: weight / Double(count) / 0.0004)
      }
      return CameraParameterFit(observations: observations, start: start, precision: precision)
    }
    func diagonal(_ scales: Double, _ others: Double) -> [[Double]] {
      (0..<8).map { i in (0..<8).map { $0 == i ? (i < 2 ? scales : others) : 0 } }
    }
    var loose = diagonal(1e-6, 0)
    for i in 0..<6 { for j in 0..<6 { loose[i + 2][j + 2] = shape.precision[i][j] / 50 } }
    let natural = fit(
      [.thermal: 1, .daylight: 1], each: true, start: shape.mean, precision: loose)
    let common = try #require(natural.solved())
    for index in 0..<8 { #expect(abs(distanceToMinimum(natural, common.values, index)) < 1e-6) }

    let general: [LampTechnology: Double] = [
      .thermal: 10, .daylight: 10, .ciePhosphorLED: 30, .fluorescent: 20, .discharge: 20,
      .mixedLED: 3,
    ]
    let other: [LampTechnology: Double] = [
      .thermal: 7, .daylight: 7, .ciePhosphorLED: 25, .fluorescent: 22, .discharge: 25,
      .mixedLED: 5,
    ]
    let fits: [(LightClass?, CameraParameterFit)] =
      [(nil, general), (.other, other)].map { lightClass, weights in
        (lightClass, fit(weights, each: false, start: shape.mean, precision: loose))
      }
      + [
        (.thermal, .thermal, 100.0), (.daylight, .daylight, 100), (.led, .ciePhosphorLED, 10),
        (.fluorescent, .fluorescent, 1),
      ].map { (lightClass: LightClass, technology: LampTechnology, hold: Double) in
        (
          lightClass,
          fit([technology: 1], each: true, start: common, precision: diagonal(0.1, hold))
        )
      }
    for (lightClass, fit) in fits {
      let values = Self.values(of: model.matrixModel(for: lightClass))
      for index in 0..<8 {
        let distance = distanceToMinimum(fit, values, index)
        #expect(abs(distance) < 1e-6, "\(String(describing: lightClass)) \(index)")
      }
    }
  }
}
