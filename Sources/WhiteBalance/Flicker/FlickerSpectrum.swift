import ColorScience

/// The spectrum of the variation in a run of frames, over cycles per frame and cycles per readout
/// (from the first row to the last).
struct FlickerSpectrum {
  /// A wave that is stronger than the noise.
  struct Peak {
    /// Cycles per frame, without the whole ones: 0..<1.
    var perFrame: Double
    /// Cycles from the first row to the last, at least 0.
    var perReadout: Double
    /// `true` if the direction in which the bands move is ambiguous.
    var isMirrored: Bool
    var amplitude: Double
  }

  /// The time from one frame to the next, in seconds, and its standard error.
  let interval, intervalError: Double
  /// The number of frames from the first to the last, including lost ones.
  let span: Int
  /// The smallest amplitude, relative to the mean light, at which a wave is detected.
  private(set) var limit = 0.0
  private(set) var peak: Peak?
  /// `true` if there is no peak, but a change as slow as that of bands that hardly move.
  private(set) var isDrifting = false
  /// `true` if there is much variation that is not a wave.
  private(set) var isUnsteady = false

  /// The position of each frame, in intervals from the first.
  private let places: [Int]
  /// The levels of the groups of rows of each frame, relative to their means over time, minus 1.
  private var rows: [[Double]]

  /// The largest number of groups of rows. More do not improve the detection of mains, and take
  /// longer.
  private static let groups = 128
  /// The smallest ratio of a peak's power to the mean of the noise. At each of some thousand
  /// frequencies, noise exceeds it with a probability of e⁻²⁵.
  private static let threshold = 25.0

  init(_ run: FlickerRun) throws(FlickerMeasurement.Obstacle) {
    let frames = run.frames
    guard frames.count >= FlickerMeasurement.fewestFrames else { throw .tooFewFrames }
    let count = frames[0].rows.count
    guard frames.allSatisfy({ $0.rows.count == count }) else { throw .tooFewFrames }
    (places, interval, intervalError) = try Self.timing(frames)
    span = places[places.count - 1] + 1
    let groups = min(count, Self.groups)
    var rows = frames.map { frame in
      (0..<groups).map { group in
        let members = frame.rows[group * count / groups..<(group + 1) * count / groups]
        return members.reduce(0, +) / Double(members.count)
      }
    }
    let means = (0..<groups).map { row in
      rows.reduce(0) { $0 + $1[row] } / Double(rows.count)
    }
    // Rows without light would contain only noise.
    let floor = (means.max() ?? 0) / 50
    let lit = means.indices.filter { means[$0] > floor }
    guard lit.count * 2 > groups, lit.count >= 2 else { throw .tooFewFrames }
    for frame in rows.indices {
      // Dark rows keep their positions, with no variation.
      rows[frame] = means.indices.map { means[$0] > floor ? rows[frame][$0] / means[$0] - 1 : 0 }
    }
    self.rows = rows
    removeTrend()
    findPeak()
  }

  /// The frames' positions, and the slope of a line fitted to their times with its standard error.
  private static func timing(
    _ frames: [FlickerFrame]
  ) throws(FlickerMeasurement.Obstacle) -> (places: [Int], interval: Double, error: Double) {
    let steps = zip(frames, frames.dropFirst()).map { before, frame in
      (frame.time - before.time) / Double(max(frame.sequence - before.sequence, 1))
    }
    let typical = steps.median
    guard typical > 0, typical.isFinite else { throw .irregularTimes }
    var places = [0]
    for (before, frame) in zip(frames, frames.dropFirst()) {
      // If a driver loses frames without counting them, the times still show that.
      let step = ((frame.time - before.time) / typical).rounded()
      guard step >= 1, step < 1e4 else { throw .irregularTimes }
      places.append(places[places.count - 1] + Int(step))
    }
    let count = Double(places.count)
    let mean = Double(places.reduce(0, +)) / count
    let meanTime = frames.reduce(0) { $0 + $1.time - frames[0].time } / count
    let squares = places.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let interval =
      zip(places, frames).reduce(0) { $0 + (Double($1.0) - mean) * ($1.1.time - frames[0].time) }
      / squares
    let scatter = zip(places, frames).reduce(0) { sum, pair in
      let miss = pair.1.time - frames[0].time - meanTime - (Double(pair.0) - mean) * interval
      return sum + miss * miss
    }
    let variance = scatter / (count - 2)
    guard variance.squareRoot() < 0.15 * interval else { throw .irregularTimes }
    return (places, interval, (variance / squares).squareRoot())
  }

  /// Removes slow changes that all rows share, as by automatic exposure or a cloud.
  private mutating func removeTrend() {
    // Polynomials that are orthogonal over these positions.
    var basis: [[Double]] = []
    for degree in 0...3 {
      var column = places.map { place in
        let way = 2 * Double(place) / Double(span - 1) - 1
        return [1, way, way * way, way * way * way][degree]
      }
      for other in basis {
        let share = zip(column, other).reduce(0) { $0 + $1.0 * $1.1 }
        column = zip(column, other).map { $0 - share * $1 }
      }
      let norm = column.reduce(0) { $0 + $1 * $1 }.squareRoot()
      basis.append(column.map { $0 / norm })
    }
    let means = rows.map { $0.reduce(0, +) / Double($0.count) }
    for column in basis {
      let share = zip(column, means).reduce(0) { $0 + $1.0 * $1.1 }
      for frame in rows.indices {
        for row in rows[frame].indices { rows[frame][row] -= share * column[frame] }
      }
    }
  }

  /// The Fourier transform of each row at a frequency in cycles per frame.
  private func transform(perFrame: Double) -> [SIMD2<Double>] {
    var sums = [SIMD2<Double>](repeating: .zero, count: rows[0].count)
    for (frame, place) in zip(rows, places) {
      // Whole cycles would only add rounding errors.
      let cycles = perFrame * Double(place)
      let angle = -2 * .pi * (cycles - cycles.rounded())
      let phasor = SIMD2(cosine(angle), sine(angle))
      for row in sums.indices { sums[row] += frame[row] * phasor }
    }
    return sums
  }

  /// The power of the rows' transforms at a frequency in cycles per readout.
  private func power(of rows: [SIMD2<Double>], perReadout: Double) -> Double {
    let angle = -2 * .pi * perReadout / Double(rows.count)
    return Self.power(of: rows, step: SIMD2(cosine(angle), sine(angle)))
  }

  private static func power(of rows: [SIMD2<Double>], step: SIMD2<Double>) -> Double {
    var phasor = SIMD2(1.0, 0.0)
    var sum = SIMD2<Double>.zero
    for row in rows {
      sum += SIMD2(row.x * phasor.x - row.y * phasor.y, row.x * phasor.y + row.y * phasor.x)
      phasor = SIMD2(
        phasor.x * step.x - phasor.y * step.y, phasor.x * step.y + phasor.y * step.x)
    }
    return (sum * sum).sum()
  }

  /// The amplitude of a wave, relative to the mean light; 0 if noise may have caused it.
  func amplitude(perFrame: Double, perReadout: Double) -> Double {
    let power = power(of: transform(perFrame: perFrame), perReadout: perReadout)
    let amplitude = 2 * power.squareRoot() / Double(rows.count * rows[0].count)
    return amplitude > limit / 2 ? amplitude : 0
  }

  private mutating func findPeak() {
    let count = rows[0].count
    let samples = Double(count * rows.count)
    let steps = 4 * span
    var best = (power: 0.0, perFrame: 0.0, perReadout: 0.0)
    // The powers at each number of cycles per readout.
    var powers = [[Double]](repeating: [], count: count + 1)
    var drift = 0.0
    let turns = (0...count).map { column in
      let angle = -Double.pi * Double(column) / Double(count)
      return SIMD2(cosine(angle), sine(angle))
    }
    for step in 0..<steps {
      let perFrame = Double(step) / Double(steps)
      let transformed = transform(perFrame: perFrame)
      // A change so slow, and nearly equal in all rows, may be the scene's.
      let isSlow = min(step, steps - step) < 8
      for (column, turn) in turns.enumerated() {
        let power = Self.power(of: transformed, step: turn)
        if isSlow && column <= 2 {
          drift = max(drift, power)
        } else if power > best.power {
          best = (power, perFrame, Double(column) / 2)
        }
        if !isSlow { powers[column].append(power) }
      }
    }
    // The median of an exponential distribution is its mean times ln 2.
    let noise = Array(powers.joined()).median / logarithm(2)
    limit = 2 * (Self.threshold * noise).squareRoot() / samples
    guard best.power > max(Self.threshold * noise, drift), best.power > 0 else {
      isDrifting = drift > Self.threshold * noise
      // The sidelobes of a drift may hide a wave, but none above this limit.
      limit = max(limit, 2 * best.power.squareRoot() / samples)
      return
    }
    // A lamp has one frequency; motion has power at all frequencies.
    isUnsteady =
      best.power < Self.threshold * powers[Int(2 * best.perReadout)].median / logarithm(2)
    var reach = (0.25 / Double(span), 0.5)
    for _ in 0..<12 {
      let center = best
      for step in -2...2 {
        let perFrame = center.perFrame + Double(step) / 2 * reach.0
        let transformed = transform(perFrame: perFrame)
        for column in -2...2 {
          let perReadout = max(center.perReadout + Double(column) / 2 * reach.1, 0)
          let power = power(of: transformed, perReadout: perReadout)
          if power > best.power { best = (power, perFrame, perReadout) }
        }
      }
      reach = (reach.0 * 0.6, reach.1 * 0.6)
    }
    let transformed = transform(perFrame: best.perFrame)
    let mirrored =
      (0...2 * count).map {
        power(of: transformed, perReadout: -Double($0) / 4)
      }.max() ?? 0
    peak = Peak(
      perFrame: best.perFrame - best.perFrame.rounded(.down), perReadout: best.perReadout,
      isMirrored: best.power - mirrored < max(12 * noise, 0.02 * best.power),
      amplitude: 2 * best.power.squareRoot() / samples)
  }
}
