internal import ColorScience

extension ModelFit {
  /// Numbers with their covariance, row by row.
  package struct Estimate: Sendable {
    /// The numbers.
    package var values: [Double]
    /// Their covariance: the uncertainty within each family, and the disagreement between families.
    package var covariance: [Double]

    /// The standard error of each number.
    package var errors: [Double] {
      values.indices.map { covariance[$0 * values.count + $0].squareRoot() }
    }

    /// The root mean square of the standard errors.
    package var error: Double {
      (errors.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
    }
  }

  /// An estimate of functions of the parameters by all families together.
  func mixture(_ function: (FamilyFit, [Double]) -> [Double]) -> Estimate {
    var parts: [(values: [Double], covariance: [Double])] = []
    for fit in candidates {
      let (values, derivatives) = fit.differentiate { function(fit, $0) }
      parts.append((values, fit.spread(of: derivatives)))
    }
    guard let count = parts.first?.values.count else { return Estimate(values: [], covariance: []) }
    let values = (0..<count).map { index in
      zip(parts, weights).reduce(0.0) { $0 + $1.1 * $1.0.values[index] }
    }
    var covariance = [Double](repeating: 0, count: count * count)
    for (part, weight) in zip(parts, weights) {
      for i in 0..<count {
        for j in 0..<count {
          covariance[i * count + j] +=
            weight
            * (part.covariance[i * count + j]
              + (part.values[i] - values[i]) * (part.values[j] - values[j]))
        }
      }
    }
    return Estimate(values: values, covariance: covariance)
  }

  /// The errors of functions of the parameters. With a probability of 95 %, by all families
  /// together, the true value is within 1.96 of these errors of the best family's value.
  ///
  /// A family of small probability may be off by any factor at settings far from all that were
  /// observed, which would make the standard deviation meaningless.
  func limits(_ function: (FamilyFit, [Double]) -> [Double]) -> [Double] {
    guard let best = candidates.first else { return [] }
    let values = function(best, best.parameters)
    let count = values.count
    let parts = candidates.map { fit in
      let (other, derivatives) = fit.differentiate { function(fit, $0) }
      let spread = fit.spread(of: derivatives)
      return values.indices.map { index in
        let off = other[index] - values[index]
        return (spread[index * count + index] + off * off / (1.96 * 1.96)).squareRoot()
      }
    }
    return values.indices.map { index in
      var left = 0.95
      for (error, weight) in zip(parts.map { $0[index] }, weights).sorted(by: { $0.0 < $1.0 }) {
        left -= weight
        if left <= 0 { return error }
      }
      return parts.map { $0[index] }.max() ?? 0
    }
  }

  /// The natural logarithms of red's, green's and blue's gains at settings, three numbers each.
  ///
  /// - Parameters:
  ///   - settings: The settings whose gains are wanted.
  ///   - reference: The settings to which gains are relative; `nil` for the default ones.
  package func logGains(
    at settings: [[ControlID: Int]], relativeTo reference: [ControlID: Int]? = nil
  ) -> Estimate {
    let places = (settings + [reference ?? controls.reference]).flatMap { controls.places(of: $0) }
    var estimate = mixture { $0.relativeLogGains($1, places: places) }
    addUnseenStairs(&estimate, places)
    return estimate
  }

  /// The errors of `logGains` at settings beyond all that were seen.
  func distantErrors(
    at settings: [[ControlID: Int]], relativeTo reference: [ControlID: Int]
  ) -> [Double] {
    let places = (settings + [reference]).flatMap { controls.places(of: $0) }
    return limits { $0.relativeLogGains($1, places: places) }
  }

  /// Adds the uncertainty of values that were not observed: for a camera with stairs, the standard
  /// deviation of the stairs.
  private func addUnseenStairs(_ estimate: inout Estimate, _ places: [Double]) {
    let laws = controls.laws
    let reference = places.count - laws.count
    for (fit, weight) in zip(candidates, weights) where !fit.model.stairValues.isEmpty {
      for index in places.indices {
        let (setting, law) = (index / laws.count, index % laws.count)
        guard index < reference, places[index] != places[reference + law],
          fit.model.stair(ofLaw: law, at: places[index]) == nil
        else { continue }
        let place = 3 * setting + laws[law].channel
        estimate.covariance[place * estimate.values.count + place] +=
          weight * ForwardModel.stair * ForwardModel.stair
      }
    }
  }

  /// The settings at which a lamp's card is neutral. With separate controls the channels are equal
  /// before they are mixed; with one control the mixed color is nearest to gray by CIEDE2000.
  package func neutralSettings(lamp: Int) -> [ControlID: Int]? {
    guard let best = candidates.first, lamp < best.model.lamps else { return nil }
    return controls.settings(at: neutralPlaces(best, light: best.light(of: lamp)))
  }

  /// The settings at which the card is neutral, corrected by the deviation of an observation near
  /// them from the model; `nil` if other settings would be no better, or the picture cannot be
  /// used.
  package func neutralSettings(after look: Observation) -> [ControlID: Int]? {
    guard let best = candidates.first, let excess = excess(in: look)?.light else { return nil }
    let light = zip(best.light(of: look.lamp), 0..<3).map { $0 + excess[$1] }
    let settings = controls.settings(at: neutralPlaces(best, light: light))
    let change = logGains(at: [settings], relativeTo: look.settings).values
    if max(abs(change[0] - change[1]), abs(change[2] - change[1])) < Self.least.change {
      return nil
    }
    if !controls.areSeparate {
      // Around the nearest color that one control can reach, all are equally near.
      let places = [look.settings, settings].flatMap { controls.places(of: $0) }
      let gains = best.logGains(best.parameters, places: places)
      let nearer = best.distance(light, gains, at: 0) - best.distance(light, gains, at: 1)
      if nearer < Self.least.distance { return nil }
    }
    return settings
  }

  /// The changes that are worth an observation: of a gain's natural logarithm, and of the card's
  /// CIEDE2000 from neutral.
  private static let least = (change: 0.004, distance: 0.05)

  /// The settings at which the card is neutral under another light.
  ///
  /// - Parameter ratios: The light's red, green and blue as the sensor sees them, relative to lamps
  ///   that were observed.
  package func neutralSettings(
    lightBesideLamps ratios: [Int: SIMD3<Double>]
  ) -> [ControlID: Int]? {
    guard let best = candidates.first, !ratios.isEmpty else { return nil }
    var mean = [0.0, 0.0, 0.0]
    for (lamp, ratio) in ratios where lamp < best.model.lamps {
      let light = best.light(of: lamp)
      for channel in 0..<3 {
        let relative = light[channel] - light[1] + logarithm(ratio[channel] / ratio[1])
        mean[channel] += relative / Double(ratios.count)
      }
    }
    return controls.settings(at: neutralPlaces(best, light: mean))
  }

  /// The positions of all laws at which light is neutral, by one family.
  func neutralPlaces(_ fit: FamilyFit, light: [Double]) -> [Double] {
    if controls.areSeparate { return separatePlaces(fit, light) }
    guard let control = controls.descriptions.first else { return [] }
    let places =
      control.items.isEmpty
      ? (0...1024).map { Double($0) / 1024 } : control.choicePlaces
    let gains = fit.logGains(fit.parameters, places: places.flatMap { [$0, $0] })
    let nearest = places.indices.min {
      fit.distance(light, gains, at: $0) < fit.distance(light, gains, at: $1)
    }
    let place = places[nearest ?? 0]
    return [place, place]
  }

  /// The positions of separate controls at which each law has the wanted gain, with green at its
  /// default.
  private func separatePlaces(_ fit: FamilyFit, _ light: [Double]) -> [Double] {
    let fine = (0...1024).map { Double($0) / 1024 }
    let laws = controls.laws
    var result = controls.places(of: controls.reference)
    var redGain = 0.0
    for (index, law) in laws.enumerated() where law.channel != 1 {
      let gains = fit.lawGains(fit.parameters, law: index, places: fine)
      var wanted = light[1] - light[law.channel]
      if law.channel == 2 { wanted -= fit.parameters[ParameterLayout.crosstalk] * redGain }
      result[index] = Self.crossing(gains, wanted, fine)
      if law.channel == 0 { redGain = wanted }
    }
    return result
  }

  /// The position at which a rising or falling series reaches a number; an end if it never does.
  static func crossing(_ numbers: [Double], _ wanted: Double, _ places: [Double]) -> Double {
    let sign = numbers[numbers.count - 1] >= numbers[0] ? 1.0 : -1
    guard sign * wanted > sign * numbers[0] else { return places[0] }
    guard let next = numbers.firstIndex(where: { sign * $0 >= sign * wanted }), next > 0 else {
      return places[places.count - 1]
    }
    let share = (wanted - numbers[next - 1]) / (numbers[next] - numbers[next - 1])
    return places[next - 1] + share * (places[next] - places[next - 1])
  }
}

extension FamilyFit {
  /// The logarithms of a lamp's red, green and blue.
  func light(of lamp: Int) -> [Double] {
    (0..<3).map { parameters[model.layout.light(lamp, $0)] }
  }

  /// The logarithms of one law's gains.
  func lawGains(_ parameters: [Double], law index: Int, places: [Double]) -> [Double] {
    var law = GainLaw(model)
    let count = model.controls.laws.count
    var all = [Double](repeating: 0, count: places.count * count)
    for (place, value) in places.enumerated() { all[place * count + index] = value }
    var gains = all
    law.fill(&gains, law: index, parameters, places: all, step: count)
    return places.indices.map { place in
      let stair = model.stair(ofLaw: index, at: places[place])
      return gains[place * count + index] + (stair.map { parameters[$0] } ?? 0)
    }
  }

  /// The logarithms of the gains at positions, relative to the last of them.
  func relativeLogGains(_ parameters: [Double], places: [Double]) -> [Double] {
    let all = logGains(parameters, places: places)
    let last = all.count - 3
    return (0..<last).map { all[$0] - all[last + $0 % 3] }
  }

  /// The logarithms of the gains of red, green and blue at positions, which list those of all laws
  /// in turn.
  func logGains(_ parameters: [Double], places: [Double]) -> [Double] {
    var law = GainLaw(model)
    let laws = model.controls.laws
    var gains = places
    for index in laws.indices {
      law.fill(&gains, law: index, parameters, places: places, step: laws.count)
    }
    let crosstalk = parameters[ParameterLayout.crosstalk]
    var result = [Double](repeating: 0, count: places.count / laws.count * 3)
    for place in places.indices {
      let (setting, index) = (place / laws.count, place % laws.count)
      let stair = model.stair(ofLaw: index, at: places[place])
      let gain = gains[place] + (stair.map { parameters[$0] } ?? 0)
      result[3 * setting + laws[index].channel] += gain
      if laws[index].channel == 0 { result[3 * setting + 2] += crosstalk * gain }
    }
    return result
  }

  /// The CIEDE2000 difference between gray and the card's color after the matrix. Green is at 18 %.
  func distance(_ light: [Double], _ gains: [Double], at setting: Int) -> Double {
    let x = (0..<3).map {
      exponential(light[$0] - light[1] + gains[3 * setting + $0] - gains[3 * setting + 1])
    }
    var mixed = x
    for (place, (row, column)) in MixingPrior.places.enumerated() {
      mixed[row] += parameters[place] * (x[column] - x[row])
    }
    guard mixed.allSatisfy({ $0 > 0 }) else { return .infinity }
    let color = SIMD3(mixed[0], mixed[1], mixed[2]) * (0.18 / mixed[1])
    let lab = LabColor(LinearRGB(color), in: .sRGB)
    return lab.ciede2000(to: lab.neutral)
  }

  /// The covariance of functions, from their derivatives by the free parameters.
  func spread(of derivatives: [[Double]]) -> [Double] {
    let count = derivatives.first?.count ?? 0
    let free = derivatives.count
    var result = [Double](repeating: 0, count: count * count)
    var product = [Double](repeating: 0, count: count)
    for p in 0..<free {
      for k in 0..<count { product[k] = 0 }
      for q in 0..<free {
        let element = covariance[p * free + q] * looseness
        for k in 0..<count { product[k] += element * derivatives[q][k] }
      }
      for i in 0..<count {
        for j in 0..<count { result[i * count + j] += derivatives[p][i] * product[j] }
      }
    }
    return result
  }
}

extension ModelFit {
  /// Returns settings whose red gain is that of other settings times a factor, and whose blue gain
  /// is divided by it: a diagonal that no single control follows. One control for both follows red.
  /// `nil` for a menu.
  package func settings(
    of settings: [ControlID: Int], times factor: Double
  ) -> [ControlID: Int]? {
    guard let best = candidates.first, !controls.isMenu else { return nil }
    let fine = (0...256).map { Double($0) / 256 }
    var places = controls.places(of: settings)
    for (index, law) in controls.laws.enumerated() where law.channel != 1 {
      let gains = best.lawGains(best.parameters, law: index, places: fine)
      let now = best.lawGains(best.parameters, law: index, places: [places[index]])[0]
      let change = logarithm(factor) * (law.channel == 0 ? 1 : -1)
      places[index] = Self.crossing(gains, now + change, fine)
      if !controls.areSeparate { return controls.settings(at: places.map { _ in places[index] }) }
    }
    return controls.settings(at: places)
  }

  /// The largest code that the best family predicts for an observation.
  package func brightestCode(
    lamp: Int, settings: [ControlID: Int], exposure: Double
  ) -> Double { codes(lamp: lamp, settings: settings, exposure: exposure).max() }

  /// The codes that the best family predicts for an observation; 0 before the first observation.
  package func codes(
    lamp: Int, settings: [ControlID: Int], exposure: Double
  ) -> SIMD3<Double> {
    guard let best = candidates.first else { return .zero }
    var looks = LookTable(controls)
    looks.adoptValues(of: self.looks)
    looks.append(
      candidateUnder: min(lamp, best.model.lamps - 1), places: controls.places(of: settings),
      exposure: exposure, deviations: self.looks.meanDeviations)
    var prediction = ModelPrediction(best.model, looks)
    prediction.predict(best.parameters)
    return SIMD3(prediction.codes[0], prediction.codes[1], prediction.codes[2])
  }
}
