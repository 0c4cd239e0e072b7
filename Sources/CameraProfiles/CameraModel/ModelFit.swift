internal import ColorScience
package import WhiteBalance

/// A model of a camera, fitted to a list of observations of a gray card.
///
///     var fit = ModelFit(.balances(red: red, blue: blue))
///     fit.add(looks)
///     let gains = fit.logGains(at: [settings])    // with covariance
///     let neutral = fit.neutralSettings(lamp: 0)
///     let next = fit.nextLooks(lamp: 0, count: 3)
///
/// All families of laws and of mixing are fitted to the same observations and weighted by their
/// evidence; the stated errors include the disagreement between families. If none describes the
/// camera, the error floor (`floor`) is raised until residuals fit, and with it all stated errors.
///
/// Error: `LabCameraTests` and `RandomCameraTests` compare with cameras whose gains are known.
package struct ModelFit: Sendable {
  /// The controls.
  package let controls: BalanceControls
  /// The settings whose gains are wanted.
  package let wanted: Wanted
  /// The prior knowledge of the tone curve.
  package let curve: Curve
  /// The observations, in the order in which they were made.
  package private(set) var observations: [Observation] = []
  var looks: LookTable
  /// The probable families, the best first, and their weights, whose sum is 1.
  private(set) var candidates: [FamilyFit] = []
  private(set) var weights: [Double] = []
  private var starts: [ModelFamily: FamilyFit] = [:]
  private var hopeless: Set<ModelFamily> = []
  private var lamps = 0
  /// The lamps, if all of them are known.
  private var lights: [Light] = []
  private var cardColors: CardColorPrior?
  /// `true` if each value may have a gain off the law.
  private var allowsStairs = false

  /// The traits of the camera that were found in the observations so far.
  package var traits: Set<ModelFamily.Trait> { family?.traits ?? [] }
  private var beginnings = 0

  /// Creates a fit without observations.
  package init(
    _ controls: BalanceControls, wanted: Wanted = .aroundNeutral, curve: Curve = .learned
  ) {
    self.controls = controls
    self.wanted = wanted
    self.curve = curve
    looks = LookTable(controls)
  }

  /// The settings whose gains are wanted.
  package enum Wanted: Hashable, Sendable {
    /// Those between the neutral settings of all lamps, and somewhat beyond.
    case aroundNeutral
    /// All settings whose picture can be seen.
    case everySetting
  }

  /// The prior knowledge of the tone curve.
  package enum Curve: Hashable, Sendable {
    /// Only what cameras have in common: the curve is learned from observations at several
    /// exposures.
    case learned
    /// Codes are those that sRGB gives for the mean linear light.
    case sRGB
  }

  /// Begins with a lamp, before its observations are added.
  ///
  /// - Parameters:
  ///   - lamp: The index of the lamp.
  ///   - exposures: The exposures that may be observed.
  ///   - areProportional: `true` if light is stated to be proportional to the exposures. Otherwise,
  ///     or if earlier observations contradict that, they are numbers of a control whose unit is
  ///     unknown, and the light of each follows from the observations.
  package mutating func begin(lamp: Int, exposures: [Double], areProportional: Bool) {
    if !areProportional || !trustsExposures {
      looks.addUnknownExposures(exposures, under: lamp)
    }
  }

  /// Adds observations, and looks for another explanation if they contradict the fit.
  package mutating func learn(_ more: [Observation]) {
    add(more)
    reconsider()
  }

  /// States the light of the next lamp. The usual differences between cards under all lamps are
  /// then part of the model's prior.
  package mutating func addLamp(_ light: Light) {
    lights.append(light)
    cardColors = lights.count > 1 ? CardColorPrior(under: lights) : nil
  }

  /// A fit of the same observations that treats all exposures as numbers whose light is unknown.
  package func withoutTrustInExposures() -> ModelFit {
    refitted(curve) { other in
      for look in observations {
        other.looks.addUnknownExposures([look.exposure], under: look.lamp)
      }
    }
  }

  /// Indicates whether light is taken to be proportional to the exposures as they are stated.
  package var trustsExposures: Bool {
    looks.unknownExposures.isEmpty
  }

  /// Looks for another explanation if the observations contradict this one: a new fit of all of
  /// them, because early observations can mislead a fit, or exposures whose light is not as stated.
  /// The light of such exposures stays unknown from then on.
  private mutating func reconsider() {
    guard floor > Self.doubtfulFloor else { return }
    func isBetter(_ other: ModelFit) -> Bool {
      guard let now = candidates.first, let new = other.candidates.first else { return false }
      return other.floor < 0.5 * floor && new.evidence > now.evidence + Self.surely
    }
    var other = withCurve(curve)
    if !isBetter(other), trustsExposures, Set(looks.logExposures).count > 1 {
      other = withoutTrustInExposures()
    }
    if isBetter(other) { self = other }
  }

  /// A fit that assumes sRGB's codes, if that makes the observations more probable; otherwise this
  /// fit.
  func withBelievedCurve() -> ModelFit {
    if curve == .sRGB { return self }
    let other = withCurve(.sRGB)
    guard let learned = candidates.first, let believed = other.candidates.first else { return self }
    return believed.evidence > learned.evidence ? other : self
  }

  /// A fit of the same observations with other knowledge of the tone curve.
  func withCurve(_ curve: Curve) -> ModelFit { refitted(curve) { _ in } }

  /// A fit of the same observations, after a preparation.
  private func refitted(_ curve: Curve, _ prepare: (inout ModelFit) -> Void) -> ModelFit {
    var other = ModelFit(controls, wanted: wanted, curve: curve)
    other.allowsStairs = allowsStairs
    (other.lights, other.cardColors) = (lights, cardColors)
    other.looks.adoptExposures(of: looks)
    prepare(&other)
    other.add(observations)
    return other
  }

  /// A fit of the same observations that assumes that the camera chose the exposure of each itself.
  package func withChosenExposures() -> ModelFit {
    refitted(curve) { $0.looks.areExposuresChosen = true }
  }

  /// The error of the best model that noise does not account for, in codes; at least 0.02. Above
  /// 0.3 no model describes the camera, or the observations contradict each other.
  package var floor: Double { looks.floor }

  /// The most probable family; `nil` before the first observation.
  package var family: ModelFamily? { candidates.first?.model.family }

  /// Tests whether observations contradict smooth laws while gains off the laws explain them; if
  /// so, this fit allows such gains from then on.
  package mutating func followsStairs() -> Bool {
    if allowsStairs { return true }
    guard floor > Self.smoothFloor else { return false }
    var other = self
    other.allowsStairs = true
    other.looks.floor = LookTable.leastFloor
    other.hopeless = []
    other.fit()
    guard let smooth = candidates.first, let uneven = other.candidates.first,
      other.floor < 0.5 * floor, uneven.evidence > smooth.evidence + Self.surely
    else { return false }
    self = other
    return true
  }

  /// The advantage in the logarithm of evidence that a rare family needs.
  private static let surely = 10.0

  /// The error floor, in codes, above which `followsStairs()` tests whether laws are smooth.
  private static let smoothFloor = 0.1

  /// The range of each control's values whose gains are wanted.
  var tracedRanges: [(control: ControlDescription, range: ClosedRange<Int>)] {
    guard let best = candidates.first else { return [] }
    let wanted = wanted(by: best)
    return controls.descriptions.map { control in
      let values = zip(controls.laws, wanted).filter { $0.0.control.id == control.id }
        .flatMap { $0.1.places.map { control.value(atPlace: $0) } }
      return (control, (values.min() ?? control.minimum)...(values.max() ?? control.largest))
    }
  }

  /// Adds observations and fits all families again, lamp by lamp.
  package mutating func add(_ more: [Observation]) {
    var rest = more[...]
    while let first = rest.first {
      let known = max(lamps, first.lamp + 1)
      let now = rest.prefix { $0.lamp < known }
      rest = rest.dropFirst(now.count)
      if known > lamps { hopeless = [] }
      lamps = known
      observations += now
      for look in now {
        if !trustsExposures { looks.addUnknownExposures([look.exposure], under: look.lamp) }
        looks.append(look)
      }
      fit()
    }
  }

  /// Fits all families, from further starts if they fit badly, and raises the error floor. Then
  /// looks for traits of the camera, which are kept only if they leave no contradiction.
  private mutating func fit() {
    fitFamilies()
    for attempt in 0..<3 {
      guard let best = candidates.first, beginnings < 10,
        best.looseness >= (looks.floor > LookTable.leastFloor ? 16 : 4)
      else { break }
      beginnings += 1
      restart(attempt)
    }
    for _ in 0..<3 {
      let before = looks.floor
      growFloor()
      if looks.floor == before { break }
      hopeless = []
      fitFamilies()
    }
    guard looks.count >= Self.leastLooksForTraits else { return }
    let plain = self
    findTraits()
    if looks.floor > max(Self.doubtfulFloor, 0.5 * plain.looks.floor) { self = plain }
  }

  /// Raises or lowers the error floor until the probable families' residuals are as large as
  /// stated.
  private mutating func growFloor() {
    for _ in 0..<5 {
      guard let best = candidates.first else { return }
      let isRaised = looks.floor > LookTable.leastFloor
      guard best.misfit > 1.6 || (best.misfit < 0.4 && isRaised) else { return }
      looks.floor = max(
        LookTable.leastFloor, min(looks.floor * best.misfit.squareRoot(), Self.largestFloor))
      refit(candidates.map(\.model.family))
    }
  }

  private mutating func refit(_ families: [ModelFamily]) {
    weigh(families.map { refitted($0) })
  }

  private mutating func refitted(
    _ family: ModelFamily, nudge: [Double] = []
  ) -> FamilyFit {
    let fit = fitted(family, nudge: nudge)
    starts[family] = fit
    return fit
  }

  /// Adds the trait that makes the observations most probable, if one does.
  private mutating func findTraits() {
    for _ in 0..<2 {
      guard let best = candidates.first else { return }
      let families = candidates.map(\.model.family)
      let traits = best.model.family.traits
      var found = candidates
      for family in extensions(of: best.model.family) { found.append(refitted(family)) }
      weigh(found)
      guard let better = candidates.first?.model.family.traits, better.count > traits.count else {
        return
      }
      let now = candidates[0].model.family
      var others = families.filter { $0.law != now.law }.map {
        ModelFamily(law: $0.law, mixing: $0.mixing, traits: better)
      }
      // The trait may explain without channel mixing what mixing explained before.
      if better.isDisjoint(with: [.hue, .lumaSaturation]) {
        others += ModelFamily.Mixing.allCases.filter { $0 != now.mixing }.map {
          ModelFamily(law: now.law, mixing: $0, traits: better)
        }
      }
      weigh(candidates + others.map { refitted($0) })
      growFloor()
    }
  }

  /// A floor above this only means that nothing fits.
  static let largestFloor = 3.0

  private mutating func restart(_ attempt: Int) {
    let (candidates, weights, starts) = (candidates, weights, starts)
    self.candidates = []
    self.starts = [:]
    hopeless = []
    var random = SplitMix64(state: UInt64(attempt))
    fitFamilies(
      nudge: (0..<100).map { _ in 0.35 * Double(attempt) * random.normal() })
    guard let old = candidates.first, let new = self.candidates.first,
      old.evidence > new.evidence
    else { return }
    (self.candidates, self.weights, self.starts) = (candidates, weights, starts)
  }

  /// Families with one more trait. A curved law explains some traits as well; a plain law explains
  /// them only together with the trait.
  private func extensions(of family: ModelFamily) -> [ModelFamily] {
    let plain: [ModelFamily.Law] = controls.areSeparate ? [.line, .exponential, .reciprocal] : []
    return applicable(to: family).filter { !family.traits.contains($0) }.flatMap { trait in
      let isLikeALaw = trait == .exposurePower || trait == .deadEnds
      let laws = isLikeALaw ? plain.filter { $0 != family.law } + [family.law] : [family.law]
      return laws.map {
        ModelFamily(law: $0, mixing: family.mixing, traits: family.traits.union([trait]))
      }
    }
  }

  /// With fewer observations, a trait would explain chance.
  static let leastLooksForTraits = 8

  private func applicable(to family: ModelFamily) -> [ModelFamily.Trait] {
    ModelFamily.Trait.allCases.filter { trait in
      switch trait {
      case .crosstalk: controls.areSeparate
      // The free laws of a single control include any power.
      case .exposurePower:
        controls.areSeparate && looks.unknownExposures.isEmpty && Set(looks.logExposures).count > 1
      case .deadEnds: !controls.isMenu
      // Stairs explain any observations, so they are tested only if something is wrong.
      case .stairs: false
      case .hue, .lumaSaturation: family.mixing != .none
      }
    }
  }

  /// Fits all mixings with the freest law, then the other laws with the mixings that remain
  /// probable.
  private mutating func fitFamilies(nudge: [Double] = []) {
    var found: [FamilyFit] = []
    func fit(_ family: ModelFamily) {
      if hopeless.contains(family) { return }
      found.append(refitted(family, nudge: nudge))
    }
    let traits: Set<ModelFamily.Trait> = allowsStairs ? [.stairs] : []
    for mixing in ModelFamily.Mixing.allCases {
      fit(ModelFamily(law: .curve, mixing: mixing, traits: traits))
    }
    let most = found.map(\.evidence).max() ?? 0
    let mixings = found.filter { $0.evidence > most - 6 }.map(\.model.family.mixing)
    for mixing in mixings where controls.areSeparate {
      for law in ModelFamily.Law.allCases where law != .curve {
        fit(ModelFamily(law: law, mixing: mixing, traits: traits))
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

  /// The logarithm of the probability of the observations by a family, up to a constant; the family
  /// is fitted to them again.
  package func evidence(of family: ModelFamily) -> Double { fitted(family).evidence }

  /// The best fit of a family from all known starts.
  func fitted(
    _ family: ModelFamily, cause: LookCause? = nil, effort: FamilyFit.Effort = .usual,
    nudge: [Double] = []
  ) -> FamilyFit {
    let model = ForwardModel(
      controls, family: family, curve: curve, lamps: lamps,
      cardColors: lights.count == lamps ? cardColors : nil, values: looks.values,
      exposures: looks.unknownExposures.count, cause: cause)
    var beginnings: [(start: [Double], isFar: Bool)] = []
    let known = starts[family]
    if let known {
      beginnings.append((model.start(from: known.parameters, of: known.model.layout), false))
    }
    if let best = candidates.first, best.model.family != family, best.model.lamps == lamps,
      cause == nil || known == nil
    {
      beginnings.append(
        (model.start(from: best.parameters, of: best.model.layout), false))
    }
    if beginnings.isEmpty
      || (cause == nil && family.traits.isEmpty && (known == nil || looks.count < 8))
    {
      beginnings.append((guess(model, nudge: nudge), true))
    }
    if family.traits.contains(.deadEnds), known == nil, var inside = beginnings.first?.start {
      inside[ParameterLayout.lowerEnd] = 0.25
      inside[ParameterLayout.upperEnd] = 0.25
      beginnings.append((inside, false))
    }
    let fits = beginnings.map {
      FamilyFit(model, looks, from: $0.start, isFar: $0.isFar, effort: effort)
    }
    return fits.max { $0.evidence < $1.evidence } ?? fits[0]
  }

  /// A start from the codes alone, as if the tone curve were a power of 2.2.
  private func guess(_ model: ForwardModel, nudge: [Double]) -> [Double] {
    var start = model.mean
    func linear(_ look: Int, _ channel: Int) -> Double {
      2.2 * logarithm(min(max(looks.codes[3 * look + channel], 1), 254) / 255)
    }
    // An exposure of unknown light differs from the full one by as much as the pictures do.
    for look in 0..<looks.count {
      guard let exposure = looks.exposureIndices[look], let full = looks.fullExposure(of: look)
      else { continue }
      start[model.layout.exposures + exposure] =
        linear(look, 1) - linear(full, 1) - looks.logExposures[look]
    }
    for lamp in 0..<lamps {
      guard let look = looks.firstLook(under: lamp) else { continue }
      let unknown = looks.exposureIndices[look].map { start[model.layout.exposures + $0] } ?? 0
      for channel in 0..<3 {
        start[model.layout.light(lamp, channel)] =
          linear(look, channel) - looks.logExposures[look] - unknown
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
