import ColorScience

/// A part of a set of shots that contradicts the others and the known cameras.
public enum ShotWarning: Hashable, Sendable, CustomStringConvertible {
  /// A wrong order of the patches of a chart.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// The chart is upside down.
    case turned
    /// Left and right are swapped.
    case mirrored
    /// Top and bottom are swapped.
    case flipped
  }

  /// A patch differs from the prediction of all others: it is swapped, clipped, dirty or at the
  /// edge of a shadow.
  ///
  /// `deviations` is the difference in standard deviations.
  case patch(light: String, patch: String, deviations: Double)
  /// The patches of the chart under a light fit far better in another order.
  case order(light: String, Order)
  /// A shot fits far better under another light, `likelier`, than under the named one; or, if that
  /// is `nil`, it contradicts the other shots under all usual lights.
  case light(String, likelier: String?)

  /// One sentence that states the doubt and the remedy.
  public var description: String {
    switch self {
    case .patch(let light, let patch, _):
      "\(patch) in the chart under \(light) contradicts the other patches; check that it is clean, "
        + "evenly lit, not clipped, and in the right place"
    case .order(let light, let order):
      "the chart under \(light) looks \(order.rawValue); check the order of its patches"
    case .light(let light, let likelier):
      "the shot under \(light) looks as if taken under "
        + (likelier.map { "a light like \($0)" } ?? "another light")
        + "; check the name of the light, and that no other light fell on it"
    }
  }
}

extension SensitivityEstimate {
  /// Returns the parts of the shots that contradict the rest, the likeliest explanation first: a
  /// chart whose patches are out of order, wrongly named lights, patches that are swapped, clipped
  /// or dirty.
  ///
  /// Correct shots with 1 % noise and light uneven by 3 % are doubted in at most 2 % of cases;
  /// wrong ones in at least 95 % (`SpectralEvaluationTests`). The light on a single gray card is
  /// never doubted, since nothing contradicts it. Complexity: some 20 fits for each shot.
  public func warnings() -> [ShotWarning] {
    if let order = likelierOrder() { return [order] }
    let (patches, rest) = contradictingPatches()
    let lights = rest.contradictingLights()
    guard !lights.isEmpty else { return patches }
    // The patches are judged again with the corrected lights. Those of a chart whose light is
    // doubted cannot be judged.
    let moved = lights.reduce(self) { moved, found in
      found.light.flatMap { moved.with(light: $0, of: found.shot) } ?? moved
    }
    let named = lights.flatMap { [light(of: $0.shot).name, $0.light?.name] }
    return lights.map { .light(light(of: $0.shot).name, likelier: $0.light?.name) }
      + moved.contradictingPatches().doubts.filter { doubt in
        if case .patch(let light, _, _) = doubt { !named.contains(light) } else { true }
      }
  }

  /// The χ² of a patch, with 3 degrees of freedom, above which it is doubted.
  private static let patchLimit = 28.0
  /// The χ² of a gray card, with 2 degrees of freedom, above which its light is doubted.
  private static let cardLimit = 36.0
  /// The increase of the logarithm of the evidence above which another order, or another light, is
  /// preferred.
  private static let orderLimit = 10.0
  private static let lightLimit = 7.0
  /// The increase of `lightLimit` per unit of `cameraStrangeness`: a camera unlike all known ones
  /// resembles them slightly more under a light near the right one.
  private static let roomForCamera = 0.15
  /// The lights that are tried in place of a named one.
  private static let usualLights = [
    "A", "D50", "D65", "D75", "FL2", "FL7", "FL11", "FL12", "LED-B1", "LED-B3", "LED-B5", "LED-V1",
    "LED-RGB1", "HP1", "HP4",
  ].compactMap { StandardIlluminant(named: $0).map { Light($0) } }

  private func with(
    cards: [CalibrationShot]? = nil, chart index: Int = 0, _ chart: ChartShot? = nil,
    steps: Int = 15
  ) -> SensitivityEstimate? {
    var charts = charts
    if let chart { charts[index] = chart }
    return try? SensitivityEstimate(
      cards: cards ?? self.cards, charts: charts, prior: prior, steps: steps)
  }

  private func likelierOrder() -> ShotWarning? {
    var found: ShotWarning?
    var best = fit.evidence + Self.orderLimit
    for (index, shot) in charts.enumerated() {
      let columns = shot.chart.columns
      let count = shot.responses.count
      for order in ShotWarning.Order.allCases {
        let responses = (0..<count).map { place in
          let (row, column) = (place / columns, place % columns)
          let across = columns - 1 - column
          let down = count / columns - 1 - row
          return switch order {
          case .turned: shot.responses[down * columns + across]
          case .mirrored: shot.responses[row * columns + across]
          case .flipped: shot.responses[down * columns + column]
          }
        }
        guard let other = with(chart: index, shot.with(responses: responses), steps: 4),
          other.fit.evidence > best
        else { continue }
        best = other.fit.evidence
        found = .order(light: shot.light.name, order)
      }
    }
    return found
  }

  /// Patches that contradict the others, found one after the other, and the estimate without them.
  private func contradictingPatches() -> (doubts: [ShotWarning], rest: SensitivityEstimate) {
    var (doubts, rest): ([ShotWarning], SensitivityEstimate) = ([], self)
    while doubts.count < 6 * charts.count, let worst = rest.worstPatch {
      let shot = rest.charts[worst.chart]
      var responses = shot.responses
      responses[worst.patch] = nil
      // The patch is judged with the noise that fits the others, which its own error has not
      // increased.
      guard let left = rest.with(chart: worst.chart, shot.with(responses: responses)),
        let same = try? SensitivityEstimate(
          cards: rest.cards, charts: rest.charts, prior: prior, steps: 15, noise: left.fit.noise),
        same.surprise(of: worst) > Self.patchLimit
      else { break }
      doubts.append(
        .patch(
          light: shot.light.name, patch: shot.chart.patches[worst.patch].name,
          deviations: same.surprise(of: worst).squareRoot()))
      rest = left
    }
    return (doubts, rest)
  }

  private typealias PatchPlace = (chart: Int, patch: Int)

  /// The patch that differs most from the prediction of all others; `nil` without charts.
  private var worstPatch: PatchPlace? {
    charts.indices.flatMap { chart in
      charts[chart].responses.indices.filter { charts[chart].responses[$0] != nil }.map {
        (chart: chart, patch: $0)
      }
    }.max { surprise(of: $0) < surprise(of: $1) }
  }

  private func surprise(of place: PatchPlace) -> Double {
    let seen = charts[place.chart].responses.prefix(place.patch).count { $0 != nil }
    return fit.surprises[cards.count + place.chart][seen]
  }

  /// The shots that another light explains far better, found one after the other, each placed under
  /// that light in the following fits; then the gray cards that contradict the other shots under
  /// any light.
  private func contradictingLights() -> [(shot: Int, light: Light?)] {
    // A single gray card cannot be contradicted.
    guard cards.count + charts.count > 1 || cards.isEmpty else { return [] }
    var (found, rest): ([(shot: Int, light: Light?)], SensitivityEstimate) = ([], self)
    while let next = rest.likelierLight(notOf: found.map(\.shot)) {
      found.append((next.shot, next.light))
      rest = next.estimate
    }
    for card in cards.indices where !found.contains(where: { $0.shot == card }) {
      if rest.fit.surprises[card][0] > Self.cardLimit { found.append((card, nil)) }
    }
    return found
  }

  /// The shot that another light explains best, with that light, if it explains the shot far
  /// better.
  private func likelierLight(
    notOf judged: [Int]
  ) -> (shot: Int, light: Light, estimate: SensitivityEstimate)? {
    var best: (gain: Double, shot: Int, light: Light)?
    for shot in 0..<cards.count + charts.count where !judged.contains(shot) {
      for light in Self.usualLights where light.name != self.light(of: shot).name {
        guard let other = with(light: light, of: shot, steps: 4) else { continue }
        let gain = other.fit.evidence - fit.evidence
        if gain > best?.gain ?? (Self.lightLimit - 3) { best = (gain, shot, light) }
      }
    }
    // Only the best of the rough fits is repeated with more steps.
    guard let best, let other = with(light: best.light, of: best.shot),
      other.fit.evidence - fit.evidence
        > Self.lightLimit + Self.roomForCamera * other.cameraStrangeness
    else { return nil }
    return (best.shot, best.light, other)
  }

  /// The difference of the fitted camera from the average one: the sum of the squares of its
  /// coordinates, each in standard deviations of the known cameras.
  private var cameraStrangeness: Double {
    fit.mode.prefix(prior.directions.count).reduce(0) { $0 + $1 * $1 }
  }

  /// The light of a shot; cards are numbered before charts.
  private func light(of shot: Int) -> Light {
    shot < cards.count ? cards[shot].light : charts[shot - cards.count].light
  }

  /// The estimate with one shot placed under another light.
  private func with(light: Light, of shot: Int, steps: Int = 15) -> SensitivityEstimate? {
    guard shot < cards.count else {
      let index = shot - cards.count
      return with(chart: index, charts[index].with(light: light), steps: steps)
    }
    var cards = cards
    let card = cards[shot]
    guard
      let moved = try? CalibrationShot(light: light, response: card.response, noise: card.noise)
    else { return nil }
    cards[shot] = moved
    return with(cards: cards, steps: steps)
  }
}
