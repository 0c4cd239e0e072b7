import ColorScience

/// A prediction of a camera's gains under all reference lamps from its shots, by regression over
/// the cameras of a prior.
///
/// The logarithms of the gains under all lamps are modeled as jointly normal over cameras, and
/// conditioned on the shots. A light of known spectrum is represented by that spectrum; a light
/// known only by its chromaticity, by the mean of the lamps of its class nearby, with their spread
/// as noise.
struct LampRegression {
  /// The expected logarithms of the red and blue gain under each of `ReferenceLamps.all`, and their
  /// covariance; empty unless `predictsLamps` was `true`.
  private(set) var lamps: [(logGains: SIMD2<Double>, covariance: Covariance2x2)] = []
  /// Each shot's leave-one-out residual: in logarithms, and in standard deviations.
  private(set) var unexplained: [(residual: SIMD2<Double>, surprise: Double)] = []
  private let seen: [(response: LampResponse, noise: Covariance2x2)]
  private let factor: CholeskyFactor

  /// The index of the first shot whose spectrum evokes no response in a channel of a camera of the
  /// prior.
  static func invisible(_ shots: [CalibrationShot], prior: CameraPrior) -> Int? {
    shots.firstIndex { shot in
      shot.light.spectrum.map {
        LampResponse(SensorGrid.power(of: $0), cameras: prior.channels) == nil
      } ?? false
    }
  }

  /// Conditions the prior on shots; `nil` if shots repeat each other so exactly that their
  /// covariance is singular.
  init?(_ shots: [CalibrationShot], prior: CameraPrior, predictsLamps: Bool = true) {
    let seen = shots.map { Self.response($0, prior: prior) }
    let matrix = Self.covariance(seen)
    guard let factor = CholeskyFactor(matrix) else { return nil }
    self.seen = seen
    self.factor = factor
    let offset = zip(shots, seen).flatMap { shot, seen -> [Double] in
      let d = shot.response.logGains - seen.response.mean
      return [d.x, d.y]
    }
    let pull = factor.solve(offset)
    for i in shots.indices {
      // The block's inverse is the covariance of a shot given the others.
      let (a, b, d) = factor.inverseBlock(at: 2 * i)
      let scale = 1 / (a * d - b * b)
      let (x, y) = (pull[2 * i], pull[2 * i + 1])
      let residual = SIMD2(d * x - b * y, a * y - b * x) * scale
      unexplained.append((residual, max(0, residual.x * x + residual.y * y).squareRoot()))
    }
    guard predictsLamps else { return }
    for lamp in prior.lamps {
      let rows = self.rows(lamp)
      let covariance = remaining(
        lamp, lamp, rows, (factor.solve(rows.red), factor.solve(rows.blue)))
      lamps.append((lamp.mean + SIMD2(dot(rows.red, pull), dot(rows.blue, pull)), covariance))
    }
  }

  /// The covariance of the shots' logarithms over cameras and noise: red and blue of each shot, row
  /// by row.
  static func covariance(
    _ seen: [(response: LampResponse, noise: Covariance2x2)]
  ) -> [[Double]] {
    let n = 2 * seen.count
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: n), count: n)
    for (i, a) in seen.enumerated() {
      for (j, b) in seen.enumerated().prefix(i + 1) {
        var block = a.response.covariance(with: b.response)
        if i == j { block = block + a.noise }
        matrix[2 * i][2 * j] = block.rr
        matrix[2 * i][2 * j + 1] = block.rb
        matrix[2 * i + 1][2 * j] = block.br
        matrix[2 * i + 1][2 * j + 1] = block.bb
      }
    }
    return matrix
  }

  /// The covariances of a lamp's logarithms with those of the shots.
  private func rows(_ lamp: LampResponse) -> (red: [Double], blue: [Double]) {
    let blocks = seen.map { lamp.covariance(with: $0.response) }
    return (blocks.flatMap { [$0.rr, $0.rb] }, blocks.flatMap { [$0.br, $0.bb] })
  }

  /// The covariance of two lamps' logarithms, given the shots.
  private func remaining(
    _ a: LampResponse, _ b: LampResponse, _ rows: (red: [Double], blue: [Double]),
    _ solved: (red: [Double], blue: [Double])
  ) -> Covariance2x2 {
    var covariance = a.covariance(with: b)
    covariance.rr -= dot(rows.red, solved.red)
    covariance.rb -= dot(rows.red, solved.blue)
    covariance.br -= dot(rows.blue, solved.red)
    covariance.bb -= dot(rows.blue, solved.blue)
    return covariance
  }

  /// The expected root-mean-square error of gains over the real lamps: now, or after one more shot
  /// under a lamp.
  func expectedError(adding lamp: LampResponse?, prior: CameraPrior) -> Double {
    let noise = CalibrationShot.defaultNoise * CalibrationShot.defaultNoise
    let added = lamp.map { lamp in
      let rows = self.rows(lamp)
      let solved = (red: factor.solve(rows.red), blue: factor.solve(rows.blue))
      var own = remaining(lamp, lamp, rows, solved)
      own.rr += noise
      own.bb += noise
      return (lamp: lamp, solved: solved, own: own)
    }
    var sum = 0.0
    for index in 0..<ReferenceLamps.real.count {
      let left = lamps[index].covariance
      sum += left.rr + left.bb
      guard let (lamp, solved, own) = added else { continue }
      let cross = remaining(prior.lamps[index], lamp, rows(prior.lamps[index]), solved)
      let scale = 1 / (own.rr * own.bb - own.rb * own.br)
      func gained(_ r: Double, _ b: Double) -> Double {
        (r * r * own.bb - 2 * r * b * own.rb + b * b * own.rr) * scale
      }
      sum -= gained(cross.rr, cross.rb) + gained(cross.br, cross.bb)
    }
    return (max(0, sum) / Double(2 * ReferenceLamps.real.count)).squareRoot()
  }

  /// The responses of the prior's cameras to a shot's light, and the shot's noise.
  static func response(
    _ shot: CalibrationShot, prior: CameraPrior
  ) -> (response: LampResponse, noise: Covariance2x2) {
    let variance = shot.noise * shot.noise
    var noise = Covariance2x2(rr: variance, rb: 0, br: 0, bb: variance)
    let light = shot.light.chromaticity
    let model = prior.average.matrixModel(for: shot.knownClass)
    if shot.light.uncertainty > 0, let slopes = model.logGainSlopes(at: light) {
      let u = shot.light.uncertainty
      noise = noise + Covariance2x2.square(SIMD2(slopes.red.x, slopes.blue.x) * u)
      noise = noise + Covariance2x2.square(SIMD2(slopes.red.y, slopes.blue.y) * u)
    }
    if let spectrum = shot.light.spectrum,
      let response = LampResponse(SensorGrid.power(of: spectrum), cameras: prior.channels)
    {
      return (response, noise)
    }
    func gains(_ light: Chromaticity) -> SIMD2<Double> {
      model.response(to: light)?.logGains ?? .zero
    }
    let here = gains(light)
    let like = ReferenceLamps.all.indices.compactMap { index -> NearbyLamp? in
      let lamp = ReferenceLamps.all[index]
      guard shot.knownClass == nil || shot.knownClass == lamp.lightClass else { return nil }
      return (
        prior.lamps[index], here - gains(lamp.chromaticity), nearness(light, lamp.chromaticity)
      )
    }
    let mean = LampResponse(mean: like)
    let total = like.reduce(0) { $0 + $1.weight }
    // The spread of a few lamps underestimates that of their population.
    let effective = total * total / like.reduce(0) { $0 + $1.weight * $1.weight }
    let missing = effective / max(effective - 1, 0.25)
    for lamp in like {
      for (own, average) in zip(lamp.response.logGains, mean.logGains) {
        let share = lamp.weight / total / Double(mean.logGains.count) * missing
        noise = noise + Covariance2x2.square(own + lamp.offset - average) * share
      }
    }
    return (mean, noise)
  }

  private typealias NearbyLamp = (response: LampResponse, offset: SIMD2<Double>, weight: Double)

  /// A weight that is 1 for lights of the same chromaticity, and nearly 0 for lights far apart.
  private static func nearness(_ a: Chromaticity, _ b: Chromaticity) -> Double {
    guard let a = CorrelatedColorTemperature(a), let b = CorrelatedColorTemperature(b) else {
      return 1e-6
    }
    let (dm, dd) = ((a.mired - b.mired) / 30, (a.duv - b.duv) / 0.01)
    return exponential(-(dm * dm + dd * dd) / 2) + 1e-6
  }
}
