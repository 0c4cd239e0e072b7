internal import ColorScience

/// What a list of looks at a gray card says of the camera that took them.
///
///     var fit = ModelFit(.balances(red: red, blue: blue))
///     fit.add(looks)
///     let gains = fit.logGains(at: [settings])    // with covariance
///     let neutral = fit.neutralSettings(lamp: 0)
///     let next = fit.nextLooks(lamp: 0, count: 3)
///
/// All families of laws and of mixing are fitted to the same looks and weighed by their evidence;
/// what is stated of errors includes how far they disagree. Where none describes the camera, a floor
/// grows (`floor`) until residuals fit, and with it all stated errors.
///
/// Error: `LabCameraTests` and `RandomCameraTests` compare with cameras whose gains are known.
package struct ModelFit: Sendable {
  /// The controls.
  package let controls: BalanceControls
  /// The looks, in the order in which they were taken.
  package private(set) var observations: [Observation] = []
  private(set) var looks: LookTable
  /// The probable families, the best first, and their weights, whose sum is 1.
  private(set) var candidates: [FamilyFit] = []
  private(set) var weights: [Double] = []
  private var starts: [ModelFamily: FamilyFit] = [:]
  private var hopeless: Set<ModelFamily> = []
  private var lamps = 0
  private var beginnings = 0

  /// Nothing is known yet.
  package init(_ controls: BalanceControls) {
    self.controls = controls
    looks = LookTable(controls)
  }

  /// How far codes are beside the best model, whatever the noise, in codes: 0.02 at the least. Above
  /// 0.3 no model describes the camera, or the looks do not belong together.
  package var floor: Double { looks.floor }

  /// The most probable family; `nil` before the first look.
  package var family: ModelFamily? { candidates.first?.model.family }

  /// Adds looks, and fits all families anew, from lamp to lamp.
  package mutating func add(_ more: [Observation]) {
    var rest = more[...]
    while let first = rest.first {
      let known = max(lamps, first.lamp + 1)
      let now = rest.prefix { $0.lamp < known }
      rest = rest.dropFirst(now.count)
      if known > lamps { hopeless = [] }
      lamps = known
      observations += now
      for look in now { looks.append(look) }
      fit()
    }
  }

  /// Fits, begins elsewhere where all families are far off, and grows the floor.
  private mutating func fit() {
    fitFamilies()
    for attempt in 0..<3 {
      guard let best = candidates.first, beginnings < 10,
        best.looseness >= (looks.floor > LookTable.leastFloor ? 16 : 4)
      else { break }
      beginnings += 1
      beginAnew(attempt)
    }
    for _ in 0..<3 {
      guard let best = candidates.first else { return }
      let isRaised = looks.floor > LookTable.leastFloor
      guard best.misfit > 1.6 || (best.misfit < 0.4 && isRaised) else { break }
      looks.floor = max(
        LookTable.leastFloor, min(looks.floor * best.misfit.squareRoot(), Self.largestFloor))
      hopeless = []
      fitFamilies()
    }
  }

  /// Floors above this say no more than that nothing fits.
  static let largestFloor = 3.0

  private mutating func beginAnew(_ attempt: Int) {
    let (candidates, weights, starts) = (candidates, weights, starts)
    self.candidates = []
    self.starts = [:]
    hopeless = []
    var random = SplitMix64(state: UInt64(attempt))
    fitFamilies(
      rounds: 80, nudge: (0..<100).map { _ in 0.35 * Double(attempt) * random.normal() })
    guard let old = candidates.first, let new = self.candidates.first,
      old.evidence > new.evidence
    else { return }
    (self.candidates, self.weights, self.starts) = (candidates, weights, starts)
  }

  /// Fits the families that may be probable: mixings with the freest law, then other laws with the
  /// mixings that are left, then traits of the best.
  private mutating func fitFamilies(rounds: Int = 60, nudge: [Double] = []) {
    func fits(_ families: [ModelFamily]) -> [FamilyFit] {
      families.filter { !hopeless.contains($0) }.map {
        fitted($0, rounds: rounds, nudge: nudge)
      }
    }
    var found: [FamilyFit] = []
    func keep(_ fits: [FamilyFit]) {
      for fit in fits {
        starts[fit.model.family] = fit
        found.append(fit)
      }
    }
    keep(fits(ModelFamily.Mixing.allCases.map { ModelFamily(law: .curve, mixing: $0) }))
    guard let best = found.max(by: { $0.evidence < $1.evidence }) else { return }
    if controls.areSeparate {
      for mixing in found.filter({ $0.evidence > best.evidence - 6 }).map(\.model.family.mixing) {
        keep(
          fits(
            ModelFamily.Law.allCases.filter { $0 != .curve }.map {
              ModelFamily(law: $0, mixing: mixing)
            }))
      }
    }
    weigh(found)
    if looks.count > 8, let best = candidates.first {
      for fit in found where fit.evidence < best.evidence - 60 { hopeless.insert(fit.model.family) }
    }
  }

  private mutating func weigh(_ found: [FamilyFit]) {
    let scores = found.map { $0.evidence + logarithm($0.model.family.odds) }
    guard let most = scores.max(), most.isFinite else { return }
    let ranked = zip(found, scores).map { ($0, exponential($1 - most)) }
      .filter { $0.1 > 1e-3 }.sorted { $0.1 > $1.1 }
    let total: Double = ranked.reduce(0) { $0 + $1.1 }
    candidates = ranked.map(\.0)
    weights = ranked.map { $0.1 / total }
  }

  /// The best fit of a family from all beginnings that are known.
  func fitted(
    _ family: ModelFamily, cause: LookCause? = nil, rounds: Int = 60, nudge: [Double] = []
  ) -> FamilyFit {
    let model = ForwardModel(
      controls, family: family, lamps: lamps, stairs: looks.values.map(\.count), cause: cause)
    var beginnings: [(start: [Double], isFar: Bool)] = []
    let known = starts[family]
    if let known {
      beginnings.append((model.start(from: known.parameters, of: known.model.layout), false))
    }
    if let best = candidates.first, best.model.family != family, best.model.lamps == lamps,
      cause == nil || known == nil
    {
      beginnings.append(
        (model.start(from: best.parameters, of: best.model.layout), cause == nil))
    }
    if beginnings.isEmpty || (cause == nil && (known == nil || looks.count < 8)) {
      beginnings.append((guess(model, nudge: nudge), true))
    }
    let fits = beginnings.map {
      FamilyFit(model, looks, from: $0.start, isFar: $0.isFar, rounds: rounds)
    }
    return fits.max { $0.evidence < $1.evidence } ?? fits[0]
  }

  /// A beginning from the codes alone, as if the tone curve were a power of 2.2.
  private func guess(_ model: ForwardModel, nudge: [Double]) -> [Double] {
    var start = model.mean
    func linear(_ look: Int, _ channel: Int) -> Double {
      2.2 * logarithm(min(max(looks.codes[3 * look + channel], 1), 254) / 255)
    }
    for lamp in 0..<lamps {
      guard let look = looks.firstLook(under: lamp) else { continue }
      for channel in 0..<3 {
        start[model.layout.light(lamp, channel)] = linear(look, channel) - looks.logExposures[look]
      }
    }
    for (index, law) in controls.laws.enumerated() where !controls.isMenu {
      for look in 1..<max(looks.count, 1) where looks.isWhole(look) {
        let way = looks.places[look * looks.laws + index] - looks.places[index]
        guard abs(way) > 1e-6, law.channel != 1 else { continue }
        let change =
          linear(look, law.channel) - linear(look, 1) - linear(0, law.channel) + linear(0, 1)
        start[model.layout.laws[index]] = min(max(change / way, -8), 8)
        break
      }
    }
    if !nudge.isEmpty {
      for place in model.free where place < ParameterLayout.crosstalk {
        start[place] += model.deviation[place] * nudge[place]
      }
    }
    return start
  }
}
