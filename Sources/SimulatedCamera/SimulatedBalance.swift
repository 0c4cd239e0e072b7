public import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// The white-balance controls of a simulated camera, and the effect of their values.
///
/// The kinds are those of real drivers; the meaning of the values can be learned only from the
/// pictures.
public struct SimulatedBalance: Sendable {
  /// The name of the kind.
  public let name: String
  /// The controls.
  public let controls: [ControlDescription]
  /// The gains of red, green and blue for values of the controls.
  let gains: @Sendable ([ControlID: Int]) -> Gains

  /// Red and blue balance, 0…1023, with a gain of value/256.
  public static let balances = pair("balances", 0...1023, red: 256, blue: 256) { $0 / 256 }

  /// Red and blue balance, 0…4095, with a gain of (value + 37)/512; no round value and no default
  /// has a gain of 1.
  public static let offset = pair("offset", 0...4095, red: 600, blue: 500) { ($0 + 37) / 512 }

  /// Red and blue balance, −100…300, added to a green of 128.
  public static let additive = pair("additive", -100...300, red: 0, blue: 0) { 1 + $0 / 128 }

  /// Red and blue balance whose effect is rescaled by the sensor gain.
  public static let coupled = SimulatedBalance(
    name: "coupled", controls: [automatic, gain] + pair(64...1023, red: 256, blue: 256)
  ) { values in
    let amplification = power(2, values.number(.gain) / 128)
    func channel(_ id: ControlID) -> Double {
      1 + (values.number(id) / 256 - 1) * amplification.squareRoot()
    }
    return Gains(
      red: amplification * channel(.redBalance), green: amplification,
      blue: amplification * channel(.blueBalance))
  }

  /// A balance for each channel, 64…1023, with a gain of value/256.
  public static let channels = SimulatedBalance(
    name: "channels",
    controls: [automatic] + pair(64...1023, red: 256, blue: 256)
      + [ControlDescription(id: .greenBalance, minimum: 64, maximum: 1023, defaultValue: 256)]
  ) {
    Gains(
      red: $0.number(.redBalance) / 256, green: $0.number(.greenBalance) / 256,
      blue: $0.number(.blueBalance) / 256)
  }

  /// Red and blue balance whose gain is a quadratic function: 1/8 + x/2 + x², x = value/128, as in
  /// a webcam chip.
  public static let bent = pair("bent", 0...255, red: 96, blue: 96) {
    0.125 + $0 / 256 + ($0 / 128) * ($0 / 128)
  }

  /// Red and blue balance, 0…255, whose gain falls from 4 to 0.6.
  public static let falling = pair("falling", 0...255, red: 128, blue: 128) {
    4 * power(0.15, $0 / 255)
  }

  /// Red and blue balance, 0…1000, with dead ends of 200 values each.
  public static let flat = pair("flat", 0...1000, red: 400, blue: 400) {
    0.6 + min(max($0, 200), 800) / 300
  }

  /// Red and blue balance, 0…255, of which the hardware implements 24 steps of 7 % each.
  public static let stairs = pair("stairs", 0...255, red: 96, blue: 96) {
    0.7 * power(1.07, ($0 * 24 / 256).rounded(.down))
  }

  /// A temperature only, 2000…7500 in steps of 10.
  public static let temperature = SimulatedBalance(
    name: "temperature",
    controls: [
      automatic,
      ControlDescription(
        id: .whiteBalanceTemperature, minimum: 2000, maximum: 7500, step: 10, defaultValue: 4000),
    ]
  ) { gains(claimed: $0.number(.whiteBalanceTemperature)) }

  /// A temperature in arbitrary units, 0…255.
  public static let units = SimulatedBalance(
    name: "units",
    controls: [
      automatic,
      ControlDescription(id: .whiteBalanceTemperature, minimum: 0, maximum: 255, defaultValue: 128),
    ]
  ) { gains(claimed: 2000 + 22 * $0.number(.whiteBalanceTemperature)) }

  /// A menu of lamps.
  public static let presets = SimulatedBalance(
    name: "presets", controls: [lights(from: 1)]
  ) { gains(claimed: kelvin[$0[.whiteBalancePreset] ?? 4] ?? 5600) }

  /// Red and blue balance, with a gain of value/1000, which have an effect only while a menu of
  /// lamps is at manual; the menu is at automatic by default.
  public static let guarded = SimulatedBalance(
    name: "guarded", controls: [lights(from: 0)] + pair(1...7999, red: 1000, blue: 1000)
  ) { values in
    kelvin[values[.whiteBalancePreset] ?? 0].map { gains(claimed: $0) }
      ?? Gains(red: values.number(.redBalance) / 1000, blue: values.number(.blueBalance) / 1000)
  }

  private static let kelvin: [Int: Double] = [2: 2900, 3: 4200, 4: 5600, 6: 6800]
  private static func lights(from first: Int) -> ControlDescription {
    let items = [
      (0, "Manual"), (1, "Auto"), (2, "Incandescent"), (3, "Fluorescent"), (4, "Daylight"),
      (6, "Cloudy"),
    ].map { ControlKind.Item(value: $0.0, name: $0.1) }
    return ControlDescription(
      id: .whiteBalancePreset, minimum: 0, maximum: 6, defaultValue: 1,
      kind: .menu(Array(items[first...])), automatic: .init(off: 0, on: 1))
  }

  /// No control.
  public static let none = SimulatedBalance(name: "none", controls: []) { _ in
    Gains(red: 1, blue: 1)
  }

  /// All kinds.
  public static let all = [
    balances, offset, additive, coupled, channels, bent, falling, flat, stairs, temperature, units,
    presets, guarded, none,
  ]

  /// The controls that an automatic mode governs.
  static let governed = ControlID.balances + [.whiteBalanceTemperature]

  /// Returns `true` if the camera chooses the balance when its controls have these values.
  func isAutomatic(_ values: [ControlID: Int]) -> Bool {
    controls.contains { control in
      control.automatic.map { $0.on != nil && $0.on == values[control.id] } ?? false
    }
  }

  /// Sets the governed controls so that the gains are nearest to the wanted ones.
  func approach(_ wanted: Gains, controls: [ControlDescription], values: inout [ControlID: Int]) {
    for control in controls where Self.governed.contains(control.id) {
      func key(_ gains: Gains) -> Double {
        switch control.id {
        case .redBalance: gains.red / gains.green
        case .blueBalance: gains.blue / gains.green
        default: gains.red / gains.blue
        }
      }
      let ends = [control.minimum, control.largest].map { end in
        key(gains(values.merging([control.id: end]) { $1 }))
      }
      func isBelow(_ value: Int) -> Bool {
        values[control.id] = value
        guard control.id != .greenBalance else { return value < control.defaultValue }
        return (ends[0] > ends[1]) != (key(gains(values)) < key(wanted))
      }
      var (low, high) = (0, (control.maximum - control.minimum) / control.step)
      while low < high {
        let middle = (low + high) / 2
        if isBelow(control.minimum + middle * control.step) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      values[control.id] = control.minimum + low * control.step
    }
  }

  static let automatic = ControlDescription(
    id: .autoWhiteBalance, minimum: 0, maximum: 1, defaultValue: 1, kind: .boolean,
    automatic: .init(off: 0, on: 1))
  private static let gain = ControlDescription(id: .gain, minimum: 0, maximum: 255, defaultValue: 0)

  /// A kind with red and blue balance of one gain function.
  private static func pair(
    _ name: String, _ range: ClosedRange<Int>, red: Int, blue: Int,
    _ gain: @escaping @Sendable (Double) -> Double
  ) -> SimulatedBalance {
    SimulatedBalance(name: name, controls: [automatic] + pair(range, red: red, blue: blue)) {
      Gains(red: gain($0.number(.redBalance)), blue: gain($0.number(.blueBalance)))
    }
  }

  private static func pair(_ range: ClosedRange<Int>, red: Int, blue: Int) -> [ControlDescription] {
    [(ControlID.redBalance, red), (.blueBalance, blue)].map {
      ControlDescription(
        id: $0, minimum: range.lowerBound, maximum: range.upperBound, defaultValue: $1)
    }
  }

  /// Returns the gains that the camera's maker assigns to a nominal temperature.
  private static func gains(claimed kelvin: Double) -> Gains {
    let x = logarithm(kelvin / 5000)
    return Gains(red: 1.6 * exponential(0.75 * x), blue: 1.5 * exponential(-1.05 * x))
  }
}

extension SimulatedBalance {
  /// The kind with a name; `nil` if there is none.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

extension [ControlID: Int] {
  fileprivate func number(_ id: ControlID) -> Double { Double(self[id] ?? 0) }
}
