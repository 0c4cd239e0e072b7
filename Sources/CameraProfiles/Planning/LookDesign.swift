internal import ColorScience
internal import WhiteBalance

/// The design of the next observations: those that reduce the wanted uncertainty most.
///
/// Wanted are the gains between the neutral settings of all lamps, and somewhat beyond, relative to
/// the first lamp's. The information of an observation does not depend on its picture, so several
/// are chosen at once and made in succession.
package struct LookDesign: Sendable {
  /// The settings of an observation, and its exposure, in the unit of `Observation.exposure`.
  package struct Look: Sendable, Hashable {
    package var settings: [ControlID: Int]
    package var exposure: Double

    /// Creates a planned observation.
    package init(settings: [ControlID: Int], exposure: Double) {
      self.settings = settings
      self.exposure = exposure
    }
  }
  /// The observations, the most informative first.
  package private(set) var looks: [Look] = []
  /// The fraction of the wanted variance that all of them together remove, 0…1.
  package private(set) var gain = 0.0

  /// The smallest fraction of the variance that makes a round worth its frames.
  package static let leastGain = 0.3

  /// Indicates whether the observations are worth making.
  package var isWorthwhile: Bool { gain >= Self.leastGain }
}

extension ModelFit {
  /// Chooses the most informative observations under a lamp.
  ///
  /// - Parameters:
  ///   - lamp: The lamp on the card.
  ///   - count: The number of observations before the next are chosen.
  ///   - exposures: The possible exposures.
  package func nextLooks(lamp: Int, count: Int = 3, exposures: [Double]) -> LookDesign {
    guard let fit = candidates.first(where: { $0.model.family.law == .curve }) ?? freest else {
      return LookDesign()
    }
    var search = DesignSearch(self, fit, lamp: lamp, exposures: exposures)
    return search.design(count)
  }

  /// A fit with the freest law, so that the observations also test a simpler one.
  private var freest: FamilyFit? {
    candidates.first.map {
      fitted(ModelFamily(law: .curve, mixing: $0.model.family.mixing, traits: traits))
    }
  }

  /// Positions of each law between and around the lamps' neutral gains, and the first lamp's
  /// position, to which gains are relative.
  func wanted(by fit: FamilyFit) -> [(places: [Double], reference: Double)] {
    let laws = controls.laws
    if wanted == .everySetting {
      return laws.indices.map { index in
        (wantedEverywhere(ofLaw: index), wantedReference(ofLaw: index))
      }
    }
    let lamps = Set(looks.lamps).sorted()
    let neutral = lamps.map { neutralPlaces(fit, light: fit.light(of: $0)) }
    let margin = lamps.count == 1 ? 0.5 : 0.15
    return laws.indices.map { index in
      if controls.isMenu {
        return (laws[index].control.choicePlaces, neutral[0][index])
      }
      let fine = (0...64).map { Double($0) / 64 }
      let gains = fit.lawGains(fit.parameters, law: index, places: fine)
      let at = fit.lawGains(fit.parameters, law: index, places: neutral.map { $0[index] })
      let (low, high) = ((at.min() ?? 0) - margin, (at.max() ?? 0) + margin)
      let inside = fine.indices.filter { gains[$0] > low && gains[$0] < high }.map { fine[$0] }
      guard let first = inside.first, let last = inside.last else {
        return ([neutral[0][index]], neutral[0][index])
      }
      return (
        (0..<6).map { first + (last - first) * Double($0) / 5 }, neutral[0][index]
      )
    }
  }

  /// Positions over the whole range of a law.
  private func wantedEverywhere(ofLaw index: Int) -> [Double] {
    let control = controls.laws[index].control
    return controls.isMenu ? control.choicePlaces : Self.places
  }

  private func wantedReference(ofLaw index: Int) -> Double {
    let control = controls.laws[index].control
    return control.place(of: Double(control.defaultValue))
  }

  /// Positions over a whole range, except where a gain is near 0.
  fileprivate static let places = (0..<7).map { 0.04 + 0.96 * Double($0) / 6 }

  /// The logarithms of the wanted gains, relative to those at the reference positions.
  func question(
    _ fit: FamilyFit, _ parameters: [Double], _ wanted: [(places: [Double], reference: Double)]
  ) -> [Double] {
    wanted.enumerated().flatMap { index, part in
      let gains = fit.lawGains(
        parameters, law: index, places: part.places + [part.reference])
      return gains.dropLast().map { $0 - gains[gains.count - 1] }
    }
  }

  /// The stated error of the gains between and around the lamps' neutral settings: the root mean
  /// square of the standard errors of their natural logarithms. `doubts` lists reasons not to trust
  /// it.
  package var statedError: Double {
    guard let best = candidates.first else { return .infinity }
    let wanted = wanted(by: best)
    return mixture { question($0, $1, wanted) }.error
  }
}

/// The search for the next observations among candidates.
private struct DesignSearch {
  private let fit: FamilyFit
  private let controls: BalanceControls
  private var candidates: [(places: [Double], exposure: Double)] = []
  private var isAllowed: [Bool] = []
  private let free: Int
  private var rows = 0
  /// The parameters' covariance, which shrinks with each observation.
  private var covariance: [Double]
  /// The derivatives of the wanted gains by each parameter, and those of each row of the
  /// candidates' codes.
  private let questions: [[Double]]
  private var derivatives: [Double] = []
  private var noise: [Double] = []

  init(_ model: ModelFit, _ fit: FamilyFit, lamp: Int, exposures: [Double]) {
    self.fit = fit
    controls = model.controls
    free = fit.model.free.count
    covariance = fit.covariance.map { $0 * fit.looseness }
    let wanted = model.wanted(by: fit)
    questions = fit.differentiate { model.question(fit, $0, wanted) }.derivatives
    setCandidates(model, lamp: lamp, exposures: exposures)
    setDerivatives(model, lamp)
    excludeWhite(model.observations.filter { $0.lamp == lamp })
  }

  /// Sets the candidates: positions around the lamp's neutral at which gains are within a factor of
  /// e^1.3, at each exposure.
  private mutating func setCandidates(_ model: ModelFit, lamp: Int, exposures: [Double]) {
    let laws = controls.laws
    let neutral = model.neutralPlaces(fit, light: fit.light(of: min(lamp, fit.model.lamps - 1)))
    let fine = (0..<33).map { 0.01 + 0.98 * Double($0) / 32 }
    let side = laws.count > 2 ? 5 : 7
    var grid: [[Double]] = [[]]
    for index in controls.areSeparate ? Array(laws.indices) : [0] {
      var choices = laws[index].control.choicePlaces
      if choices.isEmpty, model.wanted == .everySetting {
        choices = ModelFit.places
      } else if choices.isEmpty {
        let gains = fit.lawGains(fit.parameters, law: index, places: fine)
        let at = fit.lawGains(fit.parameters, law: index, places: [neutral[index]])[0]
        let inside = fine.indices.filter { abs(gains[$0] - at) < 1.3 }.map { fine[$0] }
        let (low, high) = (inside.first ?? 0.05, inside.last ?? 0.95)
        choices = (0..<side).map { low + (high - low) * Double($0) / Double(side - 1) }
      }
      grid = grid.flatMap { part in choices.map { part + [$0] } }
    }
    for places in grid {
      let all = controls.areSeparate ? places : laws.map { _ in places[0] }
      let settable = controls.places(of: controls.settings(at: all))
      for exposure in exposures { candidates.append((settable, exposure)) }
    }
  }

  private mutating func setDerivatives(_ model: ModelFit, _ lamp: Int) {
    var looks = LookTable(controls)
    looks.adoptValues(of: model.looks)
    let deviations = model.looks.meanDeviations
    for candidate in candidates {
      looks.append(
        candidateUnder: min(lamp, fit.model.lamps - 1), places: candidate.places,
        exposure: candidate.exposure, deviations: deviations)
    }
    var prediction = ModelPrediction(fit.model, looks)
    prediction.differentiate(fit.parameters)
    rows = prediction.codes.count
    derivatives = [Double](repeating: 0, count: rows * free)
    for parameter in 0..<free {
      for row in 0..<rows {
        derivatives[row * free + parameter] = prediction.jacobian[parameter * rows + row]
      }
    }
    let codes = prediction.codes
    let floor = fit.floor * fit.floor
    noise = codes.map {
      let relative = Observation.relative * $0
      return (floor + relative * relative) * fit.looseness + 1e-4
    }
    setAllowed(codes)
  }

  /// Models are worst near white and black, so predicted codes stay within 24…210.
  private mutating func setAllowed(_ codes: [Double]) {
    let spreads = (0..<rows).map { quadratic($0).squareRoot() }
    isAllowed = candidates.indices.map { index in
      (3 * index..<3 * index + 3).allSatisfy { row in
        let (code, spread) = (codes[row], spreads[row])
        return code + 2 * spread < 210 && code - spread > 24
      }
    }
    if isAllowed.contains(true) { return }
    func brightest(_ index: Int) -> Double { codes[3 * index..<3 * index + 3].max() ?? 0 }
    let darkest = candidates.indices.min { brightest($0) < brightest($1) }
    isAllowed = candidates.indices.map { index in
      index == darkest || (3 * index..<3 * index + 3).allSatisfy { codes[$0] < 235 }
    }
  }

  /// Excludes candidates that would be white as observations were: at the same settings, or at any
  /// settings if all channels were. Such an observation teaches the model nothing, so that it would
  /// choose the same one again.
  private mutating func excludeWhite(_ observations: [Observation]) {
    for look in observations where !any(look.usable) && look.codes.max() > 128 {
      let places = controls.places(of: look.settings)
      let isWhite = all(look.clipped .> SIMD3(repeating: 0.5)) && look.codes.min() > 128
      for index in candidates.indices {
        let (other, exposure) = candidates[index]
        if exposure >= look.exposure, isWhite || other == places { isAllowed[index] = false }
      }
    }
  }

  /// The variance of a row's code.
  private func quadratic(_ row: Int) -> Double {
    var sum = 0.0
    for p in 0..<free {
      var part = 0.0
      for q in 0..<free { part += covariance[p * free + q] * derivatives[row * free + q] }
      sum += part * derivatives[row * free + p]
    }
    return max(sum, 0)
  }

  /// The sum of the variances of the wanted gains.
  private var wantedVariance: Double {
    let count = questions.first?.count ?? 0
    return (0..<count).reduce(0.0) { total, k in
      var sum = 0.0
      for p in 0..<free {
        for q in 0..<free { sum += questions[p][k] * covariance[p * free + q] * questions[q][k] }
      }
      return total + sum
    }
  }

  /// The covariance of each free parameter with each wanted gain.
  private func wantedCovariance() -> [Double] {
    let count = questions.first?.count ?? 0
    var result = [Double](repeating: 0, count: count * free)
    for p in 0..<free {
      for q in 0..<free {
        let element = covariance[p * free + q]
        for k in 0..<count { result[k * free + p] += element * questions[q][k] }
      }
    }
    return result
  }

  mutating func design(_ count: Int) -> LookDesign {
    let before = wantedVariance
    var chosen: [LookDesign.Look] = []
    for _ in 0..<count {
      let wanted = wantedCovariance()
      let allowed = candidates.indices.filter { isAllowed[$0] }
      guard let best = allowed.map({ ($0, gain(of: $0, wanted)) }).max(by: { $0.1 < $1.1 })?.0
      else { break }
      take(best)
      chosen.append(
        LookDesign.Look(
          settings: controls.settings(at: candidates[best].places),
          exposure: candidates[best].exposure))
    }
    return LookDesign(looks: chosen, gain: before > 0 ? 1 - wantedVariance / before : 0)
  }

  /// The amount by which an observation reduces the variance of the wanted gains.
  private func gain(of look: Int, _ wanted: [Double]) -> Double {
    guard let factor = innovation(of: look).factor else { return 0 }
    let count = wanted.count / free
    var sum = 0.0
    var pull = [0.0, 0.0, 0.0]
    for k in 0..<count {
      for channel in 0..<3 {
        var dot = 0.0
        let row = (3 * look + channel) * free
        for p in 0..<free { dot += wanted[k * free + p] * derivatives[row + p] }
        pull[channel] = dot
      }
      let solved = factor.solve(pull)
      sum += pull[0] * solved[0] + pull[1] * solved[1] + pull[2] * solved[2]
    }
    return sum
  }

  /// The covariance of an observation's codes, factored, and that with each parameter.
  private func innovation(of look: Int) -> (factor: CholeskyFactor?, shared: [Double]) {
    var shared = [Double](repeating: 0, count: 3 * free)
    for channel in 0..<3 {
      let row = (3 * look + channel) * free
      for p in 0..<free {
        var sum = 0.0
        for q in 0..<free { sum += covariance[p * free + q] * derivatives[row + q] }
        shared[channel * free + p] = sum
      }
    }
    var matrix = [Double](repeating: 0, count: 9)
    for i in 0..<3 {
      for j in 0..<3 {
        var sum = i == j ? noise[3 * look + i] : 0
        for p in 0..<free {
          sum += derivatives[(3 * look + i) * free + p] * shared[j * free + p]
        }
        matrix[3 * i + j] = sum
      }
    }
    return (CholeskyFactor(size: 3, rows: matrix), shared)
  }

  /// Reduces the covariance by the information of an observation.
  private mutating func take(_ look: Int) {
    let (factor, shared) = innovation(of: look)
    guard let factor else { return }
    for p in 0..<free {
      let column = factor.solve([shared[p], shared[free + p], shared[2 * free + p]])
      for q in 0..<free {
        covariance[p * free + q] -=
          column[0] * shared[q] + column[1] * shared[free + q] + column[2] * shared[2 * free + q]
      }
    }
  }
}
