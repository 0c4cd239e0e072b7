import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

struct LampRegressionTests {
  private static let prior = CameraPrior.publicCameras

  private static func shot(
    _ light: String, noise: Double = 0.01, red: Double = 0.5, blue: Double = 0.6
  ) throws -> CalibrationShot {
    try CalibrationShot(
      light: Light(named: light), response: LinearRGB(red: red, green: 1, blue: blue), noise: noise)
  }

  /// Returns the index of a standard illuminant among the reference lamps.
  private static func index(of name: String) throws -> Int {
    let light = try #require(StandardIlluminant(named: name))
    let power = SensorGrid.power(of: light.spectrum)
    return try #require(ReferenceLamps.all.firstIndex { $0.power == power })
  }

  /// Returns rᵀ·C⁻¹·r.
  private static func square(_ r: SIMD2<Double>, _ c: Covariance2x2) -> Double {
    (r.x * r.x * c.bb - r.x * r.y * (c.rb + c.br) + r.y * r.y * c.rr)
      / (c.rr * c.bb - c.rb * c.br)
  }

  /// A shot's leave-one-out residual is its difference from the prediction of the others alone.
  @Test func leavingOneOutIsLeavingItOut() throws {
    let names = ["A", "D65", "FL2", "LED-B3"]
    let noises = [0.01, 0.003, 0.02, 0.05]
    let shots = try names.indices.map {
      try Self.shot(
        names[$0], noise: noises[$0], red: 0.4 + 0.1 * Double($0), blue: 0.8 - 0.15 * Double($0))
    }
    let all = try #require(LampRegression(shots, prior: Self.prior))
    #expect(all.unexplained.count == 4 && all.lamps.count == ReferenceLamps.all.count)
    for left in names.indices {
      var others = shots
      others.remove(at: left)
      let regression = try #require(LampRegression(others, prior: Self.prior))
      var (predicted, covariance) = regression.lamps[try Self.index(of: names[left])]
      covariance.rr += noises[left] * noises[left]
      covariance.bb += noises[left] * noises[left]
      let residual = shots[left].response.logGains - predicted
      let found = all.unexplained[left]
      let difference = found.residual - residual
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-9)
      #expect(abs(found.surprise / Self.square(residual, covariance).squareRoot() - 1) < 1e-9)
    }
  }

  /// One shot without noise determines its own lamp, and another lamp through their covariance.
  @Test func oneShot() throws {
    let shot = try Self.shot("A", noise: 1e-6)
    let regression = try #require(LampRegression([shot], prior: Self.prior))
    let (a, d65) = (try Self.index(of: "A"), try Self.index(of: "D65"))
    let own = regression.lamps[a]
    let miss = own.logGains - shot.response.logGains
    #expect(max(abs(miss.x), abs(miss.y)) < 1e-9)
    #expect(own.covariance.rr < 2e-12 && own.covariance.bb < 2e-12)
    // m + K·d and C − K·Cᵀ, with K = C·V⁻¹ written out.
    let (seen, other) = (Self.prior.lamps[a], Self.prior.lamps[d65])
    let (v, c) = (seen.covariance(with: seen), other.covariance(with: seen))
    let d = shot.response.logGains - seen.mean
    let determinant = v.rr * v.bb - v.rb * v.br
    let k = Covariance2x2(
      rr: (c.rr * v.bb - c.rb * v.br) / determinant, rb: (c.rb * v.rr - c.rr * v.rb) / determinant,
      br: (c.br * v.bb - c.bb * v.br) / determinant, bb: (c.bb * v.rr - c.br * v.rb) / determinant)
    let expected = other.mean + SIMD2(k.rr * d.x + k.rb * d.y, k.br * d.x + k.bb * d.y)
    let found = regression.lamps[d65]
    let difference = found.logGains - expected
    #expect(max(abs(difference.x), abs(difference.y)) < 1e-8)
    let own65 = other.covariance(with: other)
    let left = Covariance2x2(
      rr: own65.rr - k.rr * c.rr - k.rb * c.rb, rb: own65.rb - k.rr * c.br - k.rb * c.bb,
      br: own65.br - k.br * c.rr - k.bb * c.rb, bb: own65.bb - k.br * c.br - k.bb * c.bb)
    for path in [\Covariance2x2.rr, \.rb, \.br, \.bb] {
      #expect(abs(found.covariance[keyPath: path] - left[keyPath: path]) < 1e-9)
    }
  }

  /// A light known by its chromaticity has the mean of the lamps of its class nearby, weighted by
  /// their distance in units of 30 mired and of 0.01 Duv. Their spread is its noise, as for a
  /// sample of the effective size of the weights.
  @Test(
    arguments: [
      ("xy:0.31,0.33", nil, 0.0), ("xy:0.4476,0.4074", .thermal, 0.0), ("xy:0.38,0.39", .led, 0.01),
      ("xy:0.44,0.40", .fluorescent, 0.0), ("xy:0.56,0.41", .led, 0.0),
      ("xy:0.28,0.36", .led, 0.002),
      ("xy:0.27,0.24", .fluorescent, 0.0), ("xy:0.25,0.25", .thermal, 0.0),
      ("xy:0.55,0.36", .thermal, 0.0), ("xy:0.3,0.45", .fluorescent, 0.0),
    ] as [(String, LightClass?, Double)])
  func lightsWithoutASpectrum(name: String, lightClass: LightClass?, uncertainty: Double) throws {
    let color = try Light(named: name).chromaticity
    let light = try Light(name: "lamp", chromaticity: color, uncertainty: uncertainty)
    let here = try #require(CorrelatedColorTemperature(color))
    let model = Self.prior.average.matrixModel(for: lightClass)
    func gains(_ light: Chromaticity) -> SIMD2<Double> { model.response(to: light)!.logGains }
    let like = try ReferenceLamps.all.indices.filter {
      lightClass == nil || ReferenceLamps.all[$0].lightClass == lightClass
    }.map { index in
      let lamp = ReferenceLamps.all[index]
      let there = try #require(CorrelatedColorTemperature(lamp.chromaticity))
      let (m, d) = ((here.mired - there.mired) / 30, (here.duv - there.duv) / 0.01)
      return (
        response: Self.prior.lamps[index], offset: gains(color) - gains(lamp.chromaticity),
        weight: exponential(-m * m / 2) * exponential(-d * d / 2) + 1e-6
      )
    }
    let weights = like.map(\.weight)
    let total = weights.reduce(0, +)
    let effective = total * total / weights.reduce(0) { $0 + $1 * $1 }
    let mean = LampResponse(mean: like)
    let cameras = Double(mean.logGains.count)
    var covariance = mean.covariance(with: mean)
    covariance.rr += 0.01 * 0.01
    covariance.bb += 0.01 * 0.01
    for (response, offset, weight) in like {
      for camera in mean.logGains.indices {
        let off = response.logGains[camera] + offset - mean.logGains[camera]
        let share = weight / total / cameras * effective / max(effective - 1, 0.25)
        covariance.rr += share * off.x * off.x
        covariance.rb += share * off.x * off.y
        covariance.br += share * off.y * off.x
        covariance.bb += share * off.y * off.y
      }
    }
    if uncertainty > 0 {
      let slopes = try #require(model.logGainSlopes(at: color))
      let variance = uncertainty * uncertainty
      covariance.rr += variance * (slopes.red * slopes.red).sum()
      covariance.rb += variance * (slopes.red * slopes.blue).sum()
      covariance.br += variance * (slopes.red * slopes.blue).sum()
      covariance.bb += variance * (slopes.blue * slopes.blue).sum()
    }
    // Gains that are off in three directions determine the whole covariance.
    for (x, y) in [(1.0, 0.0), (0, 1), (1, 1)] {
      let logGains = mean.mean + SIMD2(x, y)
      let shot = try CalibrationShot(
        light: light,
        response: LinearRGB(
          red: exponential(-logGains.x), green: 1, blue: exponential(-logGains.y)),
        lightClass: lightClass, noise: 0.01)
      let regression = try #require(
        LampRegression([shot], prior: Self.prior, predictsLamps: false))
      #expect(regression.lamps.isEmpty)
      let found = regression.unexplained[0]
      let difference = found.residual - SIMD2(x, y)
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-9)
      let expected = Self.square(SIMD2(x, y), covariance).squareRoot()
      #expect(abs(found.surprise / expected - 1) < 1e-9, "\(effective)")
    }
  }

  /// The expected error is the root of the mean variance over the real lamps. The prediction for
  /// one more shot equals the result after taking it.
  @Test func expectedErrors() throws {
    let shots = try [Self.shot("A", noise: 0.003)]
    let regression = try #require(LampRegression(shots, prior: Self.prior))
    func error(_ regression: LampRegression) -> Double {
      let real = regression.lamps.prefix(ReferenceLamps.real.count).map(\.covariance)
      return (real.reduce(0) { $0 + $1.rr + $1.bb } / Double(2 * real.count)).squareRoot()
    }
    #expect(
      abs(regression.expectedError(adding: nil, prior: Self.prior) - error(regression)) < 1e-12)
    for name in ["D65", "FL2", "A"] {
      let lamp = Self.prior.lamps[try Self.index(of: name)]
      let then = try #require(
        LampRegression(shots + [Self.shot(name, noise: 0.003)], prior: Self.prior))
      let foretold = regression.expectedError(adding: lamp, prior: Self.prior)
      #expect(abs(foretold / error(then) - 1) < 1e-9, "\(name)")
    }
  }

  /// The expected square of the error at a place, over the real lamps of a class, is that of the
  /// residual plus the remaining variance, weighted by the distance in units of 60 mired.
  @Test func uncertaintyOfGains() throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    let shots = try ["A", "D65"].map { name in
      let lamp = try #require(MeasuredLamp(named: name))
      return try CalibrationShot(
        light: Light(named: name), response: sensor.response(to: lamp.spectrum))
    }
    let calibration = try Calibration(fitting: shots)
    let regression = try #require(LampRegression(shots, prior: Self.prior))
    for lightClass in [nil, LightClass.led, .daylight] {
      for place in stride(from: 40.0, through: 560, by: 40) {
        var (sum, total) = (SIMD3<Double>.zero, 0.0)
        for (lamp, predicted) in zip(ReferenceLamps.real, regression.lamps)
        where lightClass == nil || lamp.lightClass == lightClass {
          let response = try #require(
            calibration.model.response(to: lamp.chromaticity, lightClass: lightClass))
          let missed = predicted.logGains - response.logGains
          let mired = try #require(CorrelatedColorTemperature(lamp.chromaticity)).mired
          let distance = (mired - place) / 60
          let weight = exponential(-distance * distance / 2) + 0.001
          let covariance = predicted.covariance
          sum += weight * SIMD3(covariance.rr, covariance.bb, covariance.rb)
          sum += weight * SIMD3(missed.x * missed.x, missed.y * missed.y, missed.x * missed.y)
          total += weight
        }
        let light = Chromaticity(CorrelatedColorTemperature(mired: place, duv: 0))
        let found = try #require(
          calibration.uncertainty.covariance(at: light, lightClass: lightClass))
        let difference = SIMD3(found.red, found.blue, found.redBlue) - sum / total
        #expect(difference.min() > -1e-10 && difference.max() < 1e-10, "\(place)")
      }
    }
  }
}
