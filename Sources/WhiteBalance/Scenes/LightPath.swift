internal import ColorScience

/// The probability of each course of the light through a series, by a hidden Markov model.
///
/// The state is the log-ratios that the motifs of a place would have on average: on a grid, since
/// the errors of motifs are not normal. Between two pictures the light stays, or another one is
/// drawn; the place stays, or shifts the ratios by as much as motifs do.
struct LightPath {
  /// The largest number of boundaries that are considered together.
  static let longest = 4

  /// The probability that the light has changed between a picture and the one before it.
  private(set) var changes: [Double]
  /// The probability that the light has not changed between a picture and the one of 1, 2, …
  /// `longest` pictures later; 1 beyond the end.
  private(set) var stays: [[Double]]
  /// The errors of motifs relative to the stated ones, as the scatter of the series shows them.
  private(set) var scale = 0.0

  /// The standard error of a place's mean color relative to that of a motif.
  static let placeShare = 1.2
  /// The smallest such error.
  static let leastPlace = 0.06

  private static let step = 0.04
  private static let reach = 35
  private static let side = 2 * reach + 1
  /// The errors relative to the stated ones, with their probabilities.
  private static let scales = [(0.5, 0.25), (1.0, 0.5), (2.0, 0.25)]

  init(_ pictures: [SeriesPicture]) {
    let steps = pictures.indices.dropFirst().map { LightStep(pictures[$0 - 1], pictures[$0]) }
    let known = pictures.map { $0.neutral?.logRatios ?? $0.scene?.ratios }
    let center =
      pictures.first { $0.neutral != nil }?.neutral?.logRatios
      ?? SIMD2(median(of: known.compactMap { $0?.x }), median(of: known.compactMap { $0?.y }))
    let errors = pictures.compactMap { $0.neutral == nil ? $0.scene?.standardError : nil }
    let prior = Self.prior
    var runs: [(weight: Double, scale: Double, changes: [Double], stays: [[Double]])] = []
    for (scale, share) in Self.scales {
      let light = pictures.indices.map { Self.evidence(of: pictures[$0], center, scale) }
      let place = Self.placeShare * max(scale * median(of: errors), Self.leastPlace)
      let kernel = Self.kernel(place)
      let run = Self.run(light, steps, prior, kernel)
      runs.append((run.logEvidence + logarithm(share), scale, run.changes, run.stays))
    }
    let best = runs.map(\.weight).max() ?? 0
    let weights = runs.map { exponential($0.weight - best) }
    let sum = weights.reduce(0, +)
    changes = [Double](repeating: 0, count: pictures.count)
    stays = pictures.map { _ in [Double](repeating: 0, count: Self.longest) }
    for (run, weight) in zip(runs, weights) {
      scale += run.scale * weight / sum
      for index in pictures.indices {
        changes[index] += run.changes[index] * weight / sum
        for length in 0..<Self.longest {
          stays[index][length] += run.stays[index][length] * weight / sum
        }
      }
    }
  }

  private static var prior: [Double] {
    var cells: [Double] = []
    cells.reserveCapacity(side * side)
    for x in -reach...reach {
      for y in -reach...reach {
        let square = step * step * Double(x * x + y * y)
        cells.append(exponential(-square / (2 * spread * spread)))
      }
    }
    let sum = cells.reduce(0, +)
    return cells.map { $0 / sum }
  }

  /// The standard deviation of the log-ratios of lights.
  private static let spread = 0.5

  /// Returns the likelihood of what a picture shows; empty if it shows nothing.
  private static func evidence(
    of picture: SeriesPicture, _ center: SIMD2<Double>, _ scale: Double
  ) -> [Double] {
    let seen: SIMD2<Double>
    let error, wideError, wideShare: Double
    if let neutral = picture.neutral {
      (seen, error, wideError, wideShare) = (neutral.logRatios - center, 0.02, 0.05, 0.02)
    } else if let scene = picture.scene {
      seen = scene.ratios - center
      error = scale * scene.standardError
      // Some motifs are of one color.
      (wideError, wideShare) = ((error * error + 0.0625).squareRoot(), 0.15)
    } else {
      return []
    }
    guard seen.x.isFinite, seen.y.isFinite else { return [] }
    func along(_ position: Double, _ error: Double) -> [Double] {
      (-reach...reach).map { index in
        let distance = (step * Double(index) - position) / error
        return exponential(-distance * distance / 2) / error
      }
    }
    let (x, y) = (along(seen.x, error), along(seen.y, error))
    let (wideX, wideY) = (along(seen.x, wideError), along(seen.y, wideError))
    var cells: [Double] = []
    cells.reserveCapacity(side * side)
    for row in 0..<side {
      for column in 0..<side {
        cells.append(
          (1 - wideShare) * x[row] * y[column] + wideShare * wideX[row] * wideY[column] + 1e-12)
      }
    }
    return cells
  }

  /// Returns one half of a normal distribution, from its middle on.
  private static func kernel(_ deviation: Double) -> [Double] {
    let length = Int(3 * deviation / step + 0.5)
    let taps = (0...length).map { index in
      exponential(-power(step * Double(index) / deviation, 2) / 2)
    }
    let sum = 2 * taps.reduce(0, +) - taps[0]
    return taps.map { $0 / sum }
  }

  /// Returns a distribution after a change of the place, if there may be one.
  private static func moved(_ cells: [Double], _ kernel: [Double], _ share: Double) -> [Double] {
    guard share > 0 else { return cells }
    let lines = blurred(cells, kernel, stride: 1, lines: side)
    var moved = blurred(lines, kernel, stride: side, lines: 1)
    for index in moved.indices { moved[index] = share * moved[index] + (1 - share) * cells[index] }
    return moved
  }

  /// Blurs along rows, with a stride of 1, or along columns.
  private static func blurred(
    _ cells: [Double], _ kernel: [Double], stride: Int, lines: Int
  ) -> [Double] {
    var result = cells.map { $0 * kernel[0] }
    let input = cells.span
    var output = result.mutableSpan
    for (distance, weight) in kernel.enumerated().dropFirst() {
      let offset = distance * stride
      if stride == 1 {
        for line in 0..<lines {
          let start = line * side
          for index in start..<start + max(0, side - offset) {
            output[index] += weight * input[index + offset]
            output[index + offset] += weight * input[index]
          }
        }
      } else {
        for index in 0..<max(0, input.count - offset) {
          output[index] += weight * input[index + offset]
          output[index + offset] += weight * input[index]
        }
      }
    }
    return result
  }

  /// Returns the distribution in the next picture before it is looked at, if the light stays.
  private static func stayed(
    _ cells: [Double], _ step: LightStep, _ kernel: [Double]
  ) -> [Double] {
    var result = moved(cells, kernel, step.place)
    for index in result.indices { result[index] *= 1 - step.change }
    return result
  }

  private static func multiply(_ cells: inout [Double], by evidence: [Double]) {
    guard !evidence.isEmpty else { return }
    for index in cells.indices { cells[index] *= evidence[index] }
  }

  private static func scale(_ cells: inout [Double]) -> Double {
    let sum = cells.reduce(0, +)
    for index in cells.indices { cells[index] /= sum }
    return sum
  }

  private static func product(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }

  private static func run(
    _ evidence: [[Double]], _ steps: [LightStep], _ prior: [Double], _ kernel: [Double]
  ) -> (logEvidence: Double, changes: [Double], stays: [[Double]]) {
    let count = evidence.count
    var changes = [Double](repeating: 0, count: count)
    var stays = evidence.map { _ in [Double](repeating: 1, count: longest) }
    guard count > 1 else { return (0, changes, stays) }
    // Each picture's distribution, from it and those before.
    var forward: [[Double]] = []
    var logEvidence = 0.0
    for index in 0..<count {
      var cells = prior
      if index > 0 {
        let step = steps[index - 1]
        cells = stayed(forward[index - 1], step, kernel)
        for cell in cells.indices { cells[cell] += step.change * prior[cell] }
      }
      multiply(&cells, by: evidence[index])
      logEvidence += logarithm(scale(&cells))
      forward.append(cells)
    }
    // The likelihoods of the pictures after one, of the last ones that were computed, the nearest
    // first, and the factors by which they were scaled.
    var later = [([Double](repeating: 1, count: prior.count), 1.0)]
    for index in stride(from: count - 2, through: 0, by: -1) {
      let step = steps[index]
      var cells = later[0].0
      multiply(&cells, by: evidence[index + 1])
      let other = step.change * product(prior, cells)
      var backward = stayed(cells, step, kernel)
      let same = product(forward[index], backward)
      changes[index + 1] = other / (other + same)
      for cell in backward.indices { backward[cell] += other }
      let factor = scale(&backward)
      later.insert((backward, factor), at: 0)
      if later.count > longest + 1 { later.removeLast() }
      let whole = product(forward[index], backward)
      // The sum is the largest that the probability of any change can be.
      var after = forward[index]
      var (scales, possible) = (1.0, 0.0)
      for length in 1...longest where index + length < count {
        possible += changes[index + length]
        scales *= later[length - 1].1
        after = stayed(after, steps[index + length - 1], kernel)
        multiply(&after, by: evidence[index + length])
        stays[index][length - 1] =
          possible < 0.5 ? 1 - possible : product(after, later[length].0) / (whole * scales)
      }
    }
    return (logEvidence, changes, stays)
  }
}

private func median(of values: [Double]) -> Double { values.isEmpty ? 0 : median(values) }
