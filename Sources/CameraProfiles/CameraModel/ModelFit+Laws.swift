package import ColorScience

/// The results of a fit in the terms of a profile.
extension ModelFit {
  /// The laws of the controls over the values that were observed, each with its stated error.
  ///
  /// `nil` before enough is known.
  ///
  /// - Parameters:
  ///   - transfer: The tone curve, after which the saturation is applied.
  ///   - start: The settings whose gains are 1; by default the controls' default values, or, if
  ///     those were never seen, the first lamp's neutral ones.
  ///   - trace: The measurements of laws that are not smooth.
  func laws(
    behind transfer: TransferFunction, from start: [ControlID: Int]? = nil,
    tracedBy trace: LawTrace? = nil
  ) -> ControlLaws? {
    guard let best = candidates.first, let neutral = neutralSettings(lamp: 0) else { return nil }
    let wanted = start ?? reference(orElse: neutral)
    let reference = trace?.settings(nearest: wanted) ?? wanted
    let trace = trace.map(extended)
    let sampled = sampledGains(from: reference).map { one in
      trace.map { traced(one, by: $0) } ?? one
    }
    guard let layout = layout(sampled, reference) else { return nil }
    var laws = ControlLaws(layout, mixing: mixing(best, transfer))
    laws.crosstalk = controls.areSeparate ? crosstalk(best) : 0
    laws.errors = errors(sampled.map { withErrorsEverywhere($0, from: reference) })
    // A trace and a menu already consist of measurements. The card's color does not show the factor
    // common to three gains.
    if trace == nil, controls.menu == nil, laws.channelLaws.count != 3 {
      laws.observed = ObservedGains(
        measured: measuredGains(from: laws.reference), laws: laws.gainsByLaws)
    }
    return laws
  }

  /// The crosstalk from red to blue; 0 if nothing shows that there is any.
  private func crosstalk(_ best: FamilyFit) -> Double {
    best.model.family.traits.contains(.crosstalk) ? best.parameters[ParameterLayout.crosstalk] : 0
  }

  /// The camera's response to a lamp's card at the reference of the laws, with green 1.
  func response(lamp: Int, at reference: [ControlValue]) -> LinearRGB {
    let places = controls.places(of: reference.byControl)
    let ratios = mixture { fit, parameters in
      let gains = fit.logGains(parameters, places: places)
      let light = (0..<3).map { parameters[fit.model.layout.light(lamp, $0)] + gains[$0] }
      return [light[0] - light[1], light[2] - light[1]]
    }.values
    return LinearRGB(SIMD3(exponential(ratios[0]), 1, exponential(ratios[1])))
  }

  /// The law of an exposure that is proportional to light, as the fit assumed.
  package func proportionalLaw(of control: ControlDescription, reference: Int) -> ControlLaw? {
    let values = [0.1, 0.3, 1, 3].map { control.nearestValue(to: Double(reference) * $0) }
    return ControlLaw(
      control: control, reference: reference,
      points: Set(values + [reference]).sorted().map {
        ControlLaw.Point(value: $0, gain: Double($0) / Double(reference))
      }, passesZero: true, statedError: statedError)
  }

  /// The picture's transfer function: the claimed one if the observations agree with it within the
  /// error, else the curve that was found.
  ///
  /// - Parameter claimed: The transfer function that the pictures declare.
  package func transfer(claimed: TransferFunction) -> TransferFunction {
    if curve == .sRGB { return claimed }
    let light = Self.curveLights
    let curve = toneCurve(at: light)
    let errors = curve.errors
    let codes = observations.flatMap { look in (0..<3).map { look.codes[$0] } }.filter { $0 < 246 }
    // Outside the observed codes only the claim is known. Nothing determines the linear value of
    // white either, so the curve may be the claimed one at another exposure.
    let range = (codes.min() ?? 0)...max(codes.max() ?? 255, codes.min() ?? 0)
    let seen = light.indices.filter { range ~= curve.values[$0] }
    let isAsClaimed = (-30...30).contains { step in
      let scale = exponential(0.015 * Double(step))
      return seen.allSatisfy { index in
        abs(curve.values[index] - 255 * claimed.encoded(scale * light[index]))
          < max(Self.sameCurve, min(2 * errors[index], Self.likeCurve))
      }
    }
    if isAsClaimed { return claimed }
    return Self.toneCurve(through: zip(light, curve.values)).map { .curve($0) } ?? claimed
  }

  /// Differences between curves, in codes. Up to the first, curves always count as the same; up to
  /// the second (1 %), they do if the difference is within two standard errors.
  private static let (sameCurve, likeCurve) = (0.8, 2.55)

  /// From black to where the sensor clips, close together in the dark.
  private static let curveLights = (0...24).map { index in
    let share = Double(index) / 24
    return share * share * (0.15 + 0.85 * share)
  }

  private static func toneCurve(
    through codes: some Sequence<(Double, Double)>
  ) -> ToneCurve? {
    var points: [ToneCurve.Point] = []
    for (light, code) in codes where code / 255 > (points.last?.stored ?? -1) + 1e-5 {
      points.append(ToneCurve.Point(stored: code / 255, linear: light))
    }
    return ToneCurve(points)
  }

  private func mixing(_ best: FamilyFit, _ transfer: TransferFunction) -> ChannelMixing? {
    guard best.model.family.mixing != .none else { return nil }
    let rows = matrix.values
    let saturation = Saturation(
      factor: saturationAndBlack.values[0],
      turn: best.parameters[ParameterLayout.hue], transfer: transfer)
    return ChannelMixing(
      Matrix3x3(
        SIMD3(rows[0], rows[1], rows[2]), SIMD3(rows[3], rows[4], rows[5]),
        SIMD3(rows[6], rows[7], rows[8])), scaleError: 0, saturation: saturation)
  }

  // MARK: Gains

  /// The gains of one control's values, with the others at the reference.
  private struct Sampled {
    var control: ControlDescription
    var reference: Int
    var values: [Int]
    /// The logarithms of the gains of red, green and blue for each value, and their standard
    /// errors.
    var gains: [SIMD3<Double>]
    var errors: [(red: Double, green: Double, blue: Double)]
    /// Indicates whether gains were measured value by value, except beyond the first and the last.
    var isTraced = false
    /// The gaps between values in which gains are unknown.
    var gaps: [GainErrors.Gap] = []

    /// Adds a value beyond the first or last, with at least the errors there.
    mutating func extend(to value: Int, _ new: (red: Double, green: Double, blue: Double)) {
      let isBelow = value < values[0]
      guard isBelow || value > values[values.count - 1] else { return }
      let known = errors[isBelow ? 0 : errors.count - 1]
      values.insert(value, at: isBelow ? 0 : values.count)
      errors.insert(
        (max(known.red, new.red), max(known.green, new.green), max(known.blue, new.blue)),
        at: isBelow ? 0 : errors.count)
    }

    fileprivate func nearestErrors(to value: Int) -> (red: Double, green: Double, blue: Double) {
      let index = values.indices.min { abs(values[$0] - value) < abs(values[$1] - value) } ?? 0
      return errors[index]
    }
  }

  /// A copy with gains that were measured value by value, if the reference is one of the values.
  ///
  /// Values beyond the measured ones keep the gains of the fit, shifted by the mean difference of
  /// the measured gains from it; the scatter of this difference is an additional error.
  private func traced(_ one: Sampled, by trace: LawTrace) -> Sampled {
    let points = trace.points(of: one.control.id)
    guard let first = points.first, let last = points.last, points.count > 2,
      let origin = points.first(where: { $0.value == one.reference }), let best = candidates.first
    else { return one }
    let laws = controls.laws.indices.filter { controls.laws[$0].control.id == one.control.id }
    let channels = laws.map { controls.laws[$0].channel }
    let beyond = one.values.filter { !(first.value...last.value ~= $0) }
    let fits = laws.map { law in
      best.lawGains(
        best.parameters, law: law,
        places: (points.map(\.value) + beyond).map { one.control.place(of: Double($0)) })
    }
    let shifts = fits.indices.map { law in
      points.indices.reduce(0.0) { $0 + points[$1].gains[law] - fits[law][$1] }
        / Double(points.count)
    }
    let scatter = rootMeanSquare(
      fits.indices.flatMap { law in
        points.indices.map { points[$0].gains[law] - fits[law][$0] - shifts[law] }
      })
    var all = points.map { ($0, LawTrace.straight) }
    for (index, value) in beyond.enumerated() {
      let gains = fits.indices.map { fits[$0][points.count + index] + shifts[$0] }
      let isMonotone = gains.indices.allSatisfy { law in
        let way = last.gains[law] - first.gains[law]
        let end = value < first.value ? first.gains[law] - gains[law] : gains[law] - last.gains[law]
        return way * end >= 0
      }
      if isMonotone { all.append((LawTrace.Point(value: value, gains: gains), scatter)) }
    }
    all.sort { $0.0.value < $1.0.value }
    var result = one
    result.isTraced = true
    result.values = all.map(\.0.value)
    result.gains = all.map { point, _ in
      var gains = SIMD3<Double>()
      for (law, channel) in channels.enumerated() {
        gains[channel] = point.gains[law] - origin.gains[law]
      }
      return gains
    }
    result.errors = all.map { point, error in
      let known = one.nearestErrors(to: point.value)
      func both(_ other: Double) -> Double { (other * other + error * error).squareRoot() }
      return (both(known.red), both(known.green), both(known.blue))
    }
    result.gaps = trace.gaps(of: one.control.id).map { gap, error in
      GainErrors.Gap(values: gap.low.value...gap.high.value, error: error)
    }
    if let lowest = all.first?.0.value, lowest < first.value {
      result.gaps.append(
        GainErrors.Gap(values: (lowest - one.control.step)...first.value, error: scatter))
    }
    if let highest = all.last?.0.value, highest > last.value {
      result.gaps.append(
        GainErrors.Gap(values: last.value...(highest + one.control.step), error: scatter))
    }
    return result
  }

  /// The positions of a law whose pictures could be used.
  private func seenPlaces(ofLaw index: Int) -> [Double] {
    (0..<looks.count).filter { looks.isUsed[3 * $0] || looks.isUsed[3 * $0 + 2] }
      .map { looks.places[$0 * looks.laws + index] }
  }

  private func reference(orElse neutral: [ControlID: Int]) -> [ControlID: Int] {
    let standard = controls.reference
    let areSeen = controls.laws.indices.allSatisfy { index in
      let control = controls.laws[index].control
      let place = control.place(of: Double(control.defaultValue))
      let seen = seenPlaces(ofLaw: index)
      if controls.isMenu { return seen.contains(place) }
      return (seen.min() ?? 1) - 0.02 <= place && place <= (seen.max() ?? 0) + 0.02
    }
    return areSeen ? standard : neutral
  }

  private func sampledGains(from reference: [ControlID: Int]) -> [Sampled] {
    controls.descriptions.map { control in
      let index = controls.laws.firstIndex { $0.control.id == control.id } ?? 0
      let places = seenPlaces(ofLaw: index)
      let values: Set<Int>
      if controls.isMenu {
        values = Set(places.map { control.value(atPlace: $0) })
      } else {
        let (low, high) = (places.min() ?? 0, places.max() ?? 1)
        let between = (0...Self.samples).map {
          control.value(atPlace: low + (high - low) * Double($0) / Double(Self.samples))
        }
        values = Set(between + [reference[control.id] ?? control.defaultValue])
      }
      return sampledGains(of: control, at: values.sorted(), from: reference)
    }
  }

  private func sampledGains(
    of control: ControlDescription, at values: [Int], from reference: [ControlID: Int]
  ) -> Sampled {
    let said = logGains(
      at: values.map { value in reference.merging([control.id: value]) { $1 } },
      relativeTo: reference)
    let size = said.values.count
    func error(_ row: Int) -> Double { max(said.covariance[row * size + row], 0).squareRoot() }
    return Sampled(
      control: control, reference: reference[control.id] ?? control.defaultValue, values: values,
      gains: values.indices.map {
        SIMD3(said.values[3 * $0], said.values[3 * $0 + 1], said.values[3 * $0 + 2])
      },
      errors: values.indices.map { (error(3 * $0), error(3 * $0 + 1), error(3 * $0 + 2)) })
  }

  /// Adds the errors of values that were never observed, for which a simple law is used, too. These
  /// errors do not fall with the distance from the observed values.
  private func withErrorsEverywhere(
    _ seen: Sampled, from reference: [ControlID: Int]
  ) -> Sampled {
    guard let first = seen.values.first, let last = seen.values.last, !controls.isMenu else {
      return seen
    }
    var result = seen
    for (start, end) in [(first, seen.control.minimum), (last, seen.control.largest)] {
      let values = (1...Self.samplesBeyond).map { step in
        let share = Double(step) / Double(Self.samplesBeyond)
        return seen.control.nearestValue(to: Double(start) + Double(end - start) * share)
      }
      let errors = distantErrors(
        at: values.map { value in reference.merging([seen.control.id: value]) { $1 } },
        relativeTo: reference)
      for (index, value) in values.enumerated() {
        result.extend(to: value, (errors[3 * index], errors[3 * index + 1], errors[3 * index + 2]))
      }
    }
    return result
  }

  private static let samplesBeyond = 8

  private static let samples = 24

  private func layout(
    _ sampled: [Sampled], _ reference: [ControlID: Int]
  ) -> ControlLaws.Layout? {
    if !controls.areSeparate {
      let path = sampled[0]
      return GainCurve(
        control: path.control, reference: path.reference,
        points: path.values.indices.map {
          let gains = path.gains[$0] - path.gains[$0].y
          return GainCurve.Point(
            value: path.values[$0], red: exponential(gains.x), blue: exponential(gains.z))
        }, statedError: error(of: path)
      ).map { .path($0) }
    }
    func law(_ channel: Int) -> ControlLaw? {
      guard let index = controls.laws.firstIndex(where: { $0.channel == channel }) else {
        return nil
      }
      let one = sampled[index]
      let points = one.values.indices.map {
        ControlLaw.Point(value: one.values[$0], gain: exponential(one.gains[$0][channel]))
      }
      return one.isTraced
        ? ControlLaw(
          control: one.control, reference: one.reference, measured: points, error: error(of: one))
        : ControlLaw(
          control: one.control, reference: one.reference, points: points,
          statedError: error(of: one))
    }
    guard let red = law(0), let blue = law(2) else { return nil }
    if case .channels = controls {
      guard let green = law(1) else { return nil }
      return .channels(red: red, green: green, blue: blue)
    }
    return .channels(red: red, green: nil, blue: blue)
  }

  /// The stated error of a law: around neutral, or the median over all values that were seen.
  private func error(of one: Sampled) -> Double {
    guard wanted == .everySetting else { return statedError }
    let errors = one.errors.map { max($0.red, $0.green, $0.blue) }.sorted()
    return errors.isEmpty ? .infinity : errors[errors.count / 2]
  }

  private func errors(_ sampled: [Sampled]) -> GainErrors {
    func points(
      _ one: Sampled, _ error: ((red: Double, green: Double, blue: Double)) -> Double
    ) -> [GainErrors.Point] {
      zip(one.values, one.errors).map { GainErrors.Point(value: $0, error: error($1)) }
        .widened(in: one.gaps, step: one.control.step)
    }
    switch controls {
    case .balances:
      return GainErrors(
        red: points(sampled[0]) { $0.red }, green: nil, blue: points(sampled[1]) { $0.blue })
    case .channels:
      return GainErrors(
        red: points(sampled[0]) { $0.red }, green: points(sampled[1]) { $0.green },
        blue: points(sampled[2]) { $0.blue })
    case .temperature, .menu:
      return GainErrors(
        red: points(sampled[0]) { $0.red }, green: nil, blue: points(sampled[0]) { $0.blue })
    }
  }
}

extension TransferFunction {
  /// Returns the curve for codes that were decoded as `claimed` and stored as sRGB.
  package func behind(_ claimed: TransferFunction) -> TransferFunction {
    guard case .curve(let curve) = self,
      let own = ToneCurve(
        curve.points.map {
          ToneCurve.Point(
            stored: claimed.encoded(TransferFunction.sRGB.linear($0.stored)), linear: $0.linear)
        })
    else { return self }
    return .curve(own)
  }
}
