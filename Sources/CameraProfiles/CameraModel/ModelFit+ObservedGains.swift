internal import ColorScience
internal import WhiteBalance

extension ModelFit {
  /// The gains of all settings at which the card was nearly neutral, measured there, relative to
  /// those at a reference; of several observations of a setting, the weighted mean.
  func measuredGains(from reference: [ControlValue]) -> [ObservedGains.Point] {
    var found: [[ControlID: Int]: (sum: SIMD2<Double>, weight: Double)] = [:]
    var order: [[ControlID: Int]] = []
    for lamp in Set(observations.map(\.lamp)).sorted() {
      let response = response(lamp: lamp, at: reference)
      for look in observations where look.lamp == lamp && look.isNearlyNeutral {
        guard let (ratios, variance) = cardRatios(in: look), variance > 0 else { continue }
        let gains =
          ratios - SIMD2(logarithm(response.vector.x), logarithm(response.vector.z))
        if found[look.settings] == nil { order.append(look.settings) }
        let known = found[look.settings] ?? (.zero, 0)
        found[look.settings] = (known.sum + gains / variance, known.weight + 1 / variance)
      }
    }
    return order.compactMap { settings in
      guard let (sum, weight) = found[settings] else { return nil }
      return ObservedGains.Point(
        values: reference.compactMap { value in
          settings[value.id].map { ControlValue(value.id, $0) }
        },
        gains: Gains(red: exponential(sum.x / weight), blue: exponential(sum.y / weight)),
        error: (1 / weight).squareRoot())
    }
  }

  /// The logarithms of red and blue relative to green in the light of a card after the gains, and
  /// the mean variance of both due to noise and rounding.
  private func cardRatios(in look: Observation) -> (ratios: SIMD2<Double>, variance: Double)? {
    guard let best = candidates.first, let (excess, byCodes) = excess(in: look) else { return nil }
    let gains = best.logGains(best.parameters, places: controls.places(of: look.settings))
    let lamp = best.light(of: look.lamp)
    let light = SIMD3(lamp[0] + gains[0], lamp[1] + gains[1], lamp[2] + gains[2]) + excess
    let noise = look.variance
    var variance = 0.0
    for channel in 0..<3 {
      let column = byCodes * SIMD3((0..<3).map { $0 == channel ? 1.0 : 0 })
      let (red, blue) = (column.x - column.y, column.z - column.y)
      variance += noise[channel] * (red * red + blue * blue) / 2
    }
    return (SIMD2(light.x - light.y, light.z - light.y), variance)
  }
}

extension Observation {
  /// The larger relative difference of red and blue codes from green; infinite if the picture
  /// cannot be used.
  package var distanceFromNeutral: Double {
    let usable = usable
    guard usable[0], usable[1], usable[2] else { return .infinity }
    return max(abs(codes.x / codes.y - 1), abs(codes.z / codes.y - 1))
  }

  /// Indicates whether the card's color is so near to neutral that its gains hardly depend on the
  /// tone curve.
  fileprivate var isNearlyNeutral: Bool { distanceFromNeutral < 0.05 }
}
