internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// A generator of random white-balance controls and their effects.
struct RandomBalance {
  /// The gains that make the card neutral under each illuminant.
  let neutral: (a: Gains, d50: Gains, d65: Gains)
  /// The seed, which is part of the name.
  let seed: UInt64

  enum Kind: String, CaseIterable, Sendable {
    case proportional, offset, additive, exponential, falling, bent, smooth
    case channels
    case kelvin10, kelvin100, units, mired
    case lights

    /// `true` if one control moves red and blue along a line.
    var isPath: Bool { [.kelvin10, .kelvin100, .units, .mired, .lights].contains(self) }
  }

  /// The frequencies of the kinds: webcams have a temperature in steps of 10, others red and blue
  /// balance.
  static let weights: [(weight: Double, element: Kind)] = [
    (14, .proportional), (9, .offset), (7, .additive), (6, .exponential), (5, .falling),
    (6, .bent), (8, .smooth), (6, .channels), (18, .kelvin10), (6, .kelvin100), (5, .units),
    (5, .mired), (5, .lights),
  ]

  /// Draws a balance and its kind. With a probability of 8 % its range is reduced, which can put
  /// neutral out of reach.
  func drawn(with dice: inout Dice) -> (balance: SimulatedBalance, kind: Kind) {
    let kind = dice.weighted(Self.weights)
    let isShort = dice.chance(0.08)
    let balance =
      switch kind {
      case .channels: threeChannels(&dice, isShort)
      case .kelvin10, .kelvin100, .units, .mired: temperature(kind, &dice, isShort)
      case .lights: lights(&dice)
      default: pair(kind, &dice, isShort)
      }
    return (balance, kind)
  }

  private var name: String { "chain\(seed)" }

  // MARK: Channels

  private func pair(_ kind: Kind, _ dice: inout Dice, _ isShort: Bool) -> SimulatedBalance {
    let range = dice.one(of: [0...255, 0...255, 0...1023, 0...1000, 1...7999, 0...4095])
    let short = isShort ? dice.whole(0...3) : -1
    var red = channel(kind, \.red, range, &dice, short: short)
    var blue = channel(kind, \.blue, range, &dice, short: short - 2)
    dice.note("red and blue \(kind.rawValue) over \(red.range.lowerBound)…\(red.range.upperBound)")
    if kind != .proportional, dice.chance(0.15) {
      let ends = (dice.number(0...0.3), dice.number(0...0.3))
      (red.deadEnds, blue.deadEnds) = (ends, ends)
      dice.note("dead ends of \(rounded(100 * ends.0)) and \(rounded(100 * ends.1)) %")
    }
    if kind != .proportional, dice.chance(0.12) {
      let step = dice.scale(0.008...0.04)
      red.steps = max(8, Int(logarithm(red.high / red.low) / step))
      blue.steps = max(8, Int(logarithm(blue.high / blue.low) / step))
      dice.note("steps of \(rounded(100 * step)) %")
    }
    let crosstalk = dice.chance(0.1) ? dice.number(-0.05...0.05) : 0
    if crosstalk != 0 { dice.note("blue follows \(rounded(100 * crosstalk)) % of red") }
    let controls = [
      control(.redBalance, red, &dice, \.red), control(.blueBalance, blue, &dice, \.blue),
    ]
    return SimulatedBalance(name: name, controls: [SimulatedBalance.automatic] + controls) {
      [red, blue] values in
      let redGain = red.gain(at: values[.redBalance] ?? 0)
      let pull = crosstalk == 0 ? 1 : power(max(redGain, 0.01), crosstalk)
      return Gains(red: redGain, blue: pull * blue.gain(at: values[.blueBalance] ?? 0))
    }
  }

  private func threeChannels(_ dice: inout Dice, _ isShort: Bool) -> SimulatedBalance {
    let short = isShort ? dice.whole(0...3) : -1
    let red = channel(.proportional, \.red, 0...1023, &dice, short: short)
    let blue = channel(.proportional, \.blue, 0...1023, &dice, short: short - 2)
    let green = ChannelResponse(
      form: .linear, range: 64...1023, low: 64.0 / 256, high: 1023.0 / 256)
    dice.note("red, green and blue proportional")
    let controls = [
      control(.redBalance, red, &dice, \.red), control(.greenBalance, green, &dice, \.green),
      control(.blueBalance, blue, &dice, \.blue),
    ]
    return SimulatedBalance(name: name, controls: [SimulatedBalance.automatic] + controls) {
      Gains(
        red: red.gain(at: $0[.redBalance] ?? 0), green: green.gain(at: $0[.greenBalance] ?? 0),
        blue: blue.gain(at: $0[.blueBalance] ?? 0))
    }
  }

  /// - Parameter short: 0 if the range ends below the gains needed for neutral, 1 if it begins
  ///   above them.
  private func channel(
    _ kind: Kind, _ channel: KeyPath<Gains, Double>, _ range: ClosedRange<Int>, _ dice: inout Dice,
    short: Int
  ) -> ChannelResponse {
    let needed = [neutral.a[keyPath: channel], neutral.d65[keyPath: channel]].sorted()
    var low = needed[0] / dice.number(1.3...3)
    var high = needed[1] * dice.number(1.2...2.2)
    if short == 0 { high = needed[1] * dice.number(0.85...0.97) }
    if short == 1 { low = needed[0] * dice.number(1.03...1.15) }
    switch kind {
    case .proportional:
      // The number of values for a gain of 1 is chosen so that the range is sufficient.
      let unit = [512.0, 256, 128].first { short >= 0 || 1023 / $0 >= 1.1 * needed[1] } ?? 64
      let first = short == 1 ? Int((low * unit).rounded(.up)) : dice.one(of: [0, 1, 32])
      let last = short == 0 ? Int(min(1023, high * unit)) : 1023
      return ChannelResponse(
        form: .linear, range: first...last, low: Double(first) / unit, high: Double(last) / unit)
    case .offset:
      let unit = [1024.0, 512, 256].first { 4095 / $0 >= 1.1 * needed[1] } ?? 128
      let offset = Double(dice.whole(20...200))
      let first = short == 1 ? Int(low * unit - offset) : 0
      let last = short == 0 ? Int(high * unit - offset) : 4095
      return ChannelResponse(
        form: .linear, range: first...last, low: (Double(first) + offset) / unit,
        high: (Double(last) + offset) / unit)
    case .additive:
      if short != 1 { low = min(low, 0.6) }
      let ends = (Int(((low - 1) * 128).rounded()), Int(((high - 1) * 128).rounded()))
      return ChannelResponse(
        form: .linear, range: ends.0...ends.1, low: 1 + Double(ends.0) / 128,
        high: 1 + Double(ends.1) / 128)
    default: break
    }
    var response = ChannelResponse(form: .exponential, range: range, low: low, high: high)
    switch kind {
    case .falling:
      response.isFalling = true
      if dice.chance(0.5) { response.form = .linear }
    case .bent: response.form = .bent(dice.number(0.2...0.8))
    case .smooth:
      response.form = .smooth(
        (0..<3).map { (dice.number(-0.25...0.25) / Double($0 + 1), dice.number(0...2 * .pi)) })
    default: break
    }
    return response
  }

  /// Returns a control whose default is near a gain of 1 or near the gain needed for daylight.
  private func control(
    _ id: ControlID, _ response: ChannelResponse, _ dice: inout Dice,
    _ channel: KeyPath<Gains, Double>
  ) -> ControlDescription {
    let gain = dice.chance(0.5) ? 1 : neutral.d50[keyPath: channel] * dice.number(0.8...1.25)
    return ControlDescription(
      id: id, minimum: response.range.lowerBound, maximum: response.range.upperBound,
      defaultValue: response.value(of: gain))
  }

  // MARK: A line

  /// Gains as functions of mired, over a range beyond that of most lamps.
  private struct Path: Sendable {
    var red, blue: SIMD3<Double>

    func gains(at mired: Double) -> Gains {
      let u = (mired - 200) / 150
      let powers = SIMD3(1, u, u * u)
      return Gains(
        red: exponential((red * powers).sum()), blue: exponential((blue * powers).sum()))
    }

    /// `true` if red over blue falls with rising mired.
    var isMonotonic: Bool {
      stride(from: 90.0, to: 560, by: 5).allSatisfy {
        let (cool, warm) = (gains(at: $0), gains(at: $0 + 5))
        return cool.red / cool.blue > warm.red / warm.blue
      }
    }
  }

  private func path(_ dice: inout Dice) -> Path {
    let mired = [350.1, 199.9, 153.8]
    let gains = [neutral.a, neutral.d50, neutral.d65].map {
      SIMD2(logarithm($0.red) + dice.normal(0.012), logarithm($0.blue) + dice.normal(0.012))
    }
    let rows = mired.map { (value: Double) -> SIMD3<Double> in
      let u = (value - 200) / 150
      return SIMD3(1, u, u * u)
    }
    let inverse = Matrix3x3(rows[0], rows[1], rows[2]).inverse
    let red = SIMD3(gains[0].x, gains[1].x, gains[2].x)
    let blue = SIMD3(gains[0].y, gains[1].y, gains[2].y)
    let ends = (rows[0].y, rows[2].y)
    /// Returns the straight line through A and D65.
    func line(_ values: SIMD3<Double>) -> SIMD3<Double> {
      let slope = (values.x - values.z) / (ends.0 - ends.1)
      return SIMD3(values.x - slope * ends.0, slope, 0)
    }
    if let inverse {
      let curve = Path(red: inverse * red, blue: inverse * blue)
      if curve.isMonotonic { return curve }
    }
    return Path(red: line(red), blue: line(blue))
  }

  private func temperature(_ kind: Kind, _ dice: inout Dice, _ isShort: Bool) -> SimulatedBalance {
    let path = path(&dice)
    // The actual temperature is the nominal one times this factor.
    let factor = dice.number(0.93...1.07)
    let ends: (Int, Int) =
      isShort
      ? dice.one(of: [(3200, 7500), (2500, 5400), (3000, 5800)])
      : dice.one(of: [(2000, 7500), (2300, 8000), (2500, 7500), (2000, 10_000), (2600, 7200)])
    let range: (Int, Int, step: Int, usual: Int)
    let mired: @Sendable (Int) -> Double
    switch kind {
    case .mired:
      range = (1_000_000 / ends.1, 1_000_000 / ends.0, 1, 200)
      mired = { Double($0) / factor }
    case .units:
      range = (0, 255, 1, 128)
      let unit = Double(ends.1 - ends.0) / 255
      mired = { 1e6 / (factor * (Double(ends.0) + unit * Double($0))) }
    default:
      range = (ends.0, ends.1, kind == .kelvin100 ? 100 : 10, dice.one(of: [4000, 4600, 5000]))
      mired = { 1e6 / (factor * Double($0)) }
    }
    dice.note(
      "temperature \(kind.rawValue) over \(range.0)…\(range.1), \(rounded(factor, digits: 3)) "
        + "times the stated one")
    let control = ControlDescription(
      id: .whiteBalanceTemperature, minimum: range.0, maximum: range.1, step: range.step,
      defaultValue: range.usual)
    return SimulatedBalance(name: name, controls: [SimulatedBalance.automatic, control]) {
      path.gains(at: mired($0[.whiteBalanceTemperature] ?? range.usual))
    }
  }

  private func lights(_ dice: inout Dice) -> SimulatedBalance {
    let path = path(&dice)
    var mireds: [Int: Double] = [:]
    let items: [(value: Int, name: String, kelvin: Double)] = [
      (2, "Incandescent", 2850), (3, "Fluorescent", 4100), (4, "Horizon", 2300),
      (5, "Daylight", 5300), (6, "Flash", 5800), (7, "Cloudy", 6500), (8, "Shade", 7600),
    ]
    for item in items { mireds[item.value] = 1e6 / (item.kelvin * dice.number(0.95...1.05)) }
    let gains = mireds
    dice.note("a menu of lights")
    let control = ControlDescription(
      id: .whiteBalancePreset, minimum: 1, maximum: 8, defaultValue: 1,
      kind: .menu(
        [ControlKind.Item(value: 1, name: "Auto")]
          + items.map { ControlKind.Item(value: $0.value, name: $0.name) }),
      automatic: .init(off: nil, on: 1))
    return SimulatedBalance(name: name, controls: [control]) {
      path.gains(at: gains[$0[.whiteBalancePreset] ?? 5] ?? 190)
    }
  }
}
