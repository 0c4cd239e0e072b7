import ColorScience

/// The distribution of a camera's root sensitivities given shots, approximated as normal about its
/// mode.
///
/// Its coordinates are independent standard normal numbers before the shots: one for each direction
/// of the prior, one each for the logarithms of the scales of red and blue relative to green (with
/// standard deviation 1), and for each chart one for the logarithm of its exposure (with standard
/// deviation 3) and three for its glare.
struct SensitivityFit: Sendable {
  /// The responses to surfaces under one light.
  struct Shot: Sendable {
    /// The light's power on `SensorGrid`.
    var light: [Double]
    /// The power that each surface reflects, on `SensorGrid`.
    var powers: [[Double]]
    /// The logarithms of the response to each surface, minus their mean over the shot.
    var logs: [SIMD3<Double>]
    /// The mean of the logarithms.
    var level: Double
    /// The standard deviation of the logarithms of ratios, for a gray card; `nil` for a chart,
    /// whose noise is fitted.
    var cardNoise: Double?

    /// The number of coordinates that belong to this shot alone.
    var ownCoordinates: Int { cardNoise == nil ? 4 : 0 }

    init(
      under light: [Double], powers: [[Double]], responses: [LinearRGB], cardNoise: Double? = nil
    ) {
      self.light = light
      let logs = responses.map { response in
        SIMD3(logarithm(response.red), logarithm(response.green), logarithm(response.blue))
      }
      let mean = logs.reduce(0) { $0 + $1.sum() } / Double(3 * logs.count)
      self.logs = logs.map { $0 - mean }
      level = mean
      self.powers = powers
      self.cardNoise = cardNoise
    }
  }

  /// The most probable coordinates.
  let mode: [Double]
  /// The inverse of the coordinates' covariance, factored.
  let factor: CholeskyFactor
  /// The noise that explains the charts best.
  let noise: ChartNoise
  /// The logarithm of the shots' probability, up to a constant.
  let evidence: Double
  /// For each surface of each shot, χ² of the difference from the prediction of all others, with 3
  /// degrees of freedom for patches, 2 for cards. Patches count as known to 0.5 % at best, as
  /// charts differ from their tables.
  let surprises: [[Double]]
  private let shots: [Shot]
  private let prior: SensitivityPrior

  /// Fits the shots by the Gauss–Newton method; `nil` if numbers overflow.
  ///
  /// - Parameters:
  ///   - steps: the largest number of steps; after 4 the evidence is within about 1.
  ///   - known: the noise of charts; `nil` to fit it.
  init?(_ shots: [Shot], prior: SensitivityPrior, steps: Int = 15, noise known: ChartNoise? = nil) {
    let hasCharts = shots.contains { $0.cardNoise == nil }
    let own = shots.reduce(0) { $0 + $1.ownCoordinates }
    var mode = [Double](repeating: 0, count: prior.directions.count + 2 + own)
    var place = Self.firstNoise
    var solution: Solution?
    for iteration in 0..<steps {
      let equations = NormalEquations(shots, at: mode, prior: prior)
      let found =
        hasCharts && known == nil && (1..<5).contains(iteration)
        ? equations.solve(near: &place) : equations.solve(noise: known ?? Self.noise(place))
      guard let found else { return nil }
      let step = zip(found.coordinates, mode).reduce(0) { max($0, abs($1.0 - $1.1)) }
      mode = found.coordinates
      solution = found
      guard step.isFinite else { return nil }
      if iteration >= 4, step < 1e-5 { break }
    }
    guard let solution else { return nil }
    let noise = known ?? Self.noise(place)
    let equations = NormalEquations(shots, at: mode, prior: prior)
    guard let final = equations.solve(noise: noise) else { return nil }
    self.shots = shots
    self.prior = prior
    self.mode = mode
    self.noise = noise
    factor = final.factor
    evidence = solution.evidence
    surprises = equations.surprises(
      noise: ChartNoise(independent: max(noise.independent, 0.005), common: noise.common),
      factor: final.factor)
  }

  /// The inverse of the coordinates' covariance, factored, with a further shot: near the mode it
  /// does not depend on the shot's responses. The shot's own coordinates come last.
  func factor(adding shot: Shot) -> CholeskyFactor? {
    let own = [Double](repeating: 0, count: shot.ownCoordinates)
    let knowsNoise = shots.contains { $0.cardNoise == nil }
    return NormalEquations(shots + [shot], at: mode + own, prior: prior)
      .solve(noise: knowsNoise ? noise : ChartNoise(independent: 0.01, common: 0.02))?.factor
  }

  /// The glare on a chart.
  ///
  /// - Parameter chart: its index among the charts.
  func glare(ofChart chart: Int) -> ChartGlare {
    let shot = shots.filter { $0.cardNoise == nil }[chart]
    let n = prior.directions.count
    let own = mode[(n + 2 + 4 * chart)...].prefix(4)
    let roots = prior.roots(at: mode)
    let white = (0..<3).map { channel in
      let scale = [mode[n], 0, mode[n + 1]][channel] + 3 * own.first! + shot.level
      let seen = SeenChannel(shot.light, roots: roots, channel: channel, prior: prior)
      return exponential(scale + seen.log)
    }
    return ChartGlare(
      share: LinearRGB(Self.glare(own.dropFirst())),
      white: LinearRGB(red: white[0], green: white[1], blue: white[2]))
  }

  /// The prior standard deviations of glare, in the sum of the channels and in their contrasts:
  /// wide enough for a black level that was not subtracted.
  private static let glareDeviations = SIMD3(3.0.squareRoot(), 1, 1) * 0.02
  private static let glareDirections = zip([channelSum] + channelContrasts, 0..<3)
    .map { $0 * glareDeviations[$1] }

  private static func glare(_ coordinates: ArraySlice<Double>) -> SIMD3<Double> {
    // The darkest patches reflect 3 %. A glare below −3 % would leave them a negative response,
    // which has no logarithm.
    zip(coordinates, glareDirections).reduce(.zero) { $0 + $1.0 * $1.1 }
      .clamped(lowerBound: SIMD3(repeating: -0.02), upperBound: SIMD3(repeating: 0.3))
  }

  /// The root sensitivities at coordinates.
  func roots(at coordinates: [Double]) -> [Double] { prior.roots(at: coordinates) }

  /// The logarithms of red/green and blue/green of the response to a light at coordinates, and
  /// their derivatives with respect to each coordinate; `nil` if a channel has no response.
  func logRatios(
    of power: [Double], at coordinates: [Double]
  ) -> (values: SIMD2<Double>, slopes: (red: [Double], blue: [Double]))? {
    let roots = prior.roots(at: coordinates)
    let seen = (0..<3).map { SeenChannel(power, roots: roots, channel: $0, prior: prior) }
    let n = prior.directions.count
    let values =
      SIMD2(seen[0].log - seen[1].log, seen[2].log - seen[1].log)
      + SIMD2(coordinates[n], coordinates[n + 1])
    guard values.sum().isFinite else { return nil }
    let rest = [Double](repeating: 0, count: coordinates.count - n - 2)
    let red = zip(seen[0].slopes, seen[1].slopes).map { $0 - $1 } + [1, 0] + rest
    let blue = zip(seen[2].slopes, seen[1].slopes).map { $0 - $1 } + [0, 1] + rest
    return (values, (red, blue))
  }

  /// The standard deviations of a chart's noise, among which the best pair is sought.
  private static let independent = [
    0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05,
  ]
  private static let common = [0, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1]
  static let largestNoise = ChartNoise(independent: independent.last!, common: common.last!)
  private typealias NoisePlace = (independent: Int, common: Int)
  private static let firstNoise: NoisePlace = (3, 2)
  private static func noise(_ place: NoisePlace) -> ChartNoise {
    ChartNoise(independent: independent[place.independent], common: common[place.common])
  }

  private struct Solution {
    var coordinates: [Double]
    var factor: CholeskyFactor
    var evidence: Double
  }

  /// The shots as linear equations for the coordinates.
  private struct NormalEquations {
    /// The equations of one surface.
    struct Surface {
      var shot: Int
      /// The derivatives with respect to the coordinates.
      var rows: [[Double]]
      /// The measured values minus those that the current coordinates predict.
      var residuals: [Double]
      /// The variance of each row's noise for a card; `nil` for a chart.
      var cardVariance: Double?
    }
    /// Sums of products of rows whose noise is the same.
    struct Sums {
      /// The lower triangle, in row-major order.
      var matrix: [Double]
      var vector: [Double]
      var square = 0.0
      var count = 0.0

      init(_ size: Int) {
        matrix = [Double](repeating: 0, count: size * (size + 1) / 2)
        vector = [Double](repeating: 0, count: size)
      }

      mutating func add(_ row: [Double], _ value: Double, weight: Double = 1) {
        precondition(row.count == vector.count, "every coordinate must have a number")
        unsafe matrix.withUnsafeMutableBufferPointer { matrix in
          unsafe row.withUnsafeBufferPointer { row in
            var start = 0
            for i in row.indices {
              let left = unsafe weight * row[i]
              for j in 0...i { unsafe matrix[start + j] += left * row[j] }
              start += i + 1
            }
          }
        }
        for i in row.indices { vector[i] += weight * row[i] * value }
        square += weight * value * value
        count += 1
      }
    }

    var surfaces: [Surface] = []
    private var cards, common, contrasts: Sums
    private let shotCount: Int

    init(_ shots: [Shot], at coordinates: [Double], prior: SensitivityPrior) {
      let size = coordinates.count
      let n = prior.directions.count
      let roots = prior.roots(at: coordinates)
      (cards, common, contrasts) = (Sums(size), Sums(size), Sums(size))
      shotCount = shots.count
      var exposure = n + 2
      for (index, shot) in shots.enumerated() {
        let isChart = shot.cardNoise == nil
        let glare =
          isChart
          ? SensitivityFit.glare(coordinates[(exposure + 1)..<(exposure + 4)]) : .zero
        let light =
          isChart
          ? (0..<3).map { SeenChannel(shot.light, roots: roots, channel: $0, prior: prior).log }
          : []
        for (power, logs) in zip(shot.powers, shot.logs) {
          let seen = (0..<3).map { channel in
            var power = power
            if isChart { power.add(glare[channel], times: shot.light.span) }
            return SeenChannel(power, roots: roots, channel: channel, prior: prior)
          }
          let scales = SIMD3(coordinates[n], 0, coordinates[n + 1])
          let level = isChart ? 3 * coordinates[exposure] : 0
          let residual = logs - scales - level - SIMD3(seen[0].log, seen[1].log, seen[2].log)
          // The derivatives of the logarithms with respect to glare.
          let shares =
            isChart
            ? SIMD3(
              exponential(light[0] - seen[0].log), exponential(light[1] - seen[1].log),
              exponential(light[2] - seen[2].log)) : .zero
          func row(_ weights: SIMD3<Double>) -> [Double] {
            var row = [Double](repeating: 0, count: size)
            for k in 0..<n {
              row[k] =
                weights.x * seen[0].slopes[k] + weights.y * seen[1].slopes[k]
                + weights.z * seen[2].slopes[k]
            }
            row[n] = weights.x
            row[n + 1] = weights.z
            if isChart {
              row[exposure] = 3 * weights.sum()
              for (place, direction) in SensitivityFit.glareDirections.enumerated() {
                row[exposure + 1 + place] = (weights * direction * shares).sum()
              }
            }
            return row
          }
          func value(_ weights: SIMD3<Double>) -> Double { (weights * residual).sum() }
          if let noise = shot.cardNoise {
            let weights = [SIMD3(1.0, -1, 0), SIMD3(0.0, -1, 1)]
            surfaces.append(
              Surface(
                shot: index, rows: weights.map(row), residuals: weights.map(value),
                cardVariance: noise * noise))
          } else {
            let weights = [SensitivityFit.channelSum] + SensitivityFit.channelContrasts
            surfaces.append(
              Surface(shot: index, rows: weights.map(row), residuals: weights.map(value)))
          }
        }
        exposure += shot.ownCoordinates
      }
      for surface in surfaces {
        for (number, (row, residual)) in zip(surface.rows, surface.residuals).enumerated() {
          let value = residual + dot(row, coordinates)
          if let variance = surface.cardVariance {
            cards.add(row, value, weight: 1 / variance)
          } else if number == 0 {
            common.add(row, value)
          } else {
            contrasts.add(row, value)
          }
        }
      }
    }

    /// The most probable coordinates for a given noise of charts.
    func solve(noise: ChartNoise) -> Solution? {
      let variances = SensitivityFit.variances(noise)
      let (a, b) = (1 / variances[0], 1 / variances[1])
      let matrix = cards.vector.indices.map { i in
        (0...i).map { j in
          let place = i * (i + 1) / 2 + j
          return (i == j ? 1 : 0) + cards.matrix[place] + a * common.matrix[place]
            + b * contrasts.matrix[place]
        }
      }
      let vector = cards.vector.indices.map {
        cards.vector[$0] + a * common.vector[$0] + b * contrasts.vector[$0]
      }
      guard let factor = CholeskyFactor(matrix) else { return nil }
      let coordinates = factor.solve(vector)
      let square = cards.square + a * common.square + b * contrasts.square
      let evidence =
        -0.5
        * (square - dot(vector, coordinates) + factor.logDeterminant
          + common.count * logarithm(variances[0]) + contrasts.count * logarithm(variances[1]))
      return Solution(coordinates: coordinates, factor: factor, evidence: evidence)
    }

    /// The most probable coordinates for the noise that explains the charts best, sought from a
    /// position on its grid.
    func solve(near place: inout NoisePlace) -> Solution? {
      guard var best = solve(noise: SensitivityFit.noise(place)) else { return nil }
      var improved = true
      while improved {
        improved = false
        for (i, j) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
          let next = (place.independent + i, place.common + j)
          guard SensitivityFit.independent.indices.contains(next.0),
            SensitivityFit.common.indices.contains(next.1),
            let found = solve(noise: SensitivityFit.noise(next)), found.evidence > best.evidence
          else { continue }
          (best, place, improved) = (found, next, true)
        }
      }
      return best
    }

    func surprises(noise: ChartNoise, factor: CholeskyFactor) -> [[Double]] {
      var found = [[Double]](repeating: [], count: shotCount)
      for surface in surfaces {
        let variances =
          surface.cardVariance.map { [$0, $0] } ?? SensitivityFit.variances(noise)
        let solved = surface.rows.map(factor.solve)
        // The covariance of the residuals after the fit. The product of the noise covariance, its
        // inverse and the noise covariance is the covariance of the surface given the others.
        let left = surface.rows.indices.map { i in
          surface.rows.indices.map { j in
            (i == j ? variances[i] : 0) - dot(surface.rows[i], solved[j])
          }
        }
        let pull = CholeskyFactor(left)?.solve(surface.residuals)
        found[surface.shot].append(pull.map { dot($0, surface.residuals) } ?? .infinity)
      }
      return found
    }
  }

  /// Orthonormal combinations of a patch's channels; their noise is independent.
  private static let channelSum = SIMD3(repeating: 1 / 3.0.squareRoot())
  private static let channelContrasts = [
    SIMD3(1, 0, -1) / 2.0.squareRoot(), SIMD3(1, -2, 1) / 6.0.squareRoot(),
  ]

  /// The variances of `channelSum` and of `channelContrasts`.
  private static func variances(_ noise: ChartNoise) -> [Double] {
    let own = noise.independent * noise.independent
    return [own + 3 * noise.common * noise.common, own, own]
  }
}

/// The logarithm of a channel's response to a light, and its derivatives with respect to the
/// coordinates of the prior's directions.
private struct SeenChannel {
  var log: Double
  var slopes: [Double]

  init(_ power: [Double], roots: [Double], channel: Int, prior: SensitivityPrior) {
    let start = channel * SensorGrid.count
    var sum = 0.0
    slopes = [Double](repeating: 0, count: prior.directions.count)
    for index in power.indices {
      let root = roots[start + index]
      sum += root * root * power[index]
      let deviations = prior.deviations[start + index]
      slopes.add(2 * root * power[index], times: deviations.span)
    }
    log = logarithm(sum)
    for index in slopes.indices { slopes[index] /= sum }
  }
}

extension SensitivityPrior {
  /// The root sensitivities at coordinates; those beyond the prior's directions are ignored.
  fileprivate func roots(at coordinates: [Double]) -> [Double] {
    var roots = mean
    for (coordinate, direction) in zip(coordinates, directions) {
      roots.add(coordinate, times: direction.span)
    }
    return roots
  }
}
