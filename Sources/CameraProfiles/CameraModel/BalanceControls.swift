internal import ColorScience

/// The controls that set a camera's white balance, and the positions of their values in their
/// ranges.
package enum BalanceControls: Hashable, Sendable {
  /// Separate controls for red and blue.
  case balances(red: ControlDescription, blue: ControlDescription)
  /// Separate controls for red, green and blue.
  case channels(red: ControlDescription, green: ControlDescription, blue: ControlDescription)
  /// One control that changes red and blue together: in kelvin, or in another unit that rises or
  /// falls with the temperature.
  case temperature(ControlDescription)
  /// A choice of illuminants, each with its own gains.
  case menu(ControlDescription)

  /// The controls, in the order red, green, blue.
  package var descriptions: [ControlDescription] {
    switch self {
    case .balances(let red, let blue): [red, blue]
    case .channels(let red, let green, let blue): [red, green, blue]
    case .temperature(let control), .menu(let control): [control]
    }
  }

  /// The channels that have a gain (red is 0, green 1, blue 2), and the control of each.
  var laws: [(channel: Int, control: ControlDescription)] {
    switch self {
    case .balances(let red, let blue): [(0, red), (2, blue)]
    case .channels(let red, let green, let blue): [(0, red), (1, green), (2, blue)]
    case .temperature(let control), .menu(let control): [(0, control), (2, control)]
    }
  }

  /// Indicates whether each channel has its own control.
  var areSeparate: Bool {
    switch self {
    case .balances, .channels: true
    case .temperature, .menu: false
    }
  }

  /// Indicates whether the control is a menu, whose neighboring values have unrelated gains.
  var isMenu: Bool { if case .menu = self { true } else { false } }

  /// The menu; `nil` if the controls are of another kind.
  package var menu: ControlDescription? {
    if case .menu(let control) = self { control } else { nil }
  }

  /// The default settings, to which gains are relative.
  package var reference: [ControlID: Int] {
    Dictionary(descriptions.map { ($0.id, $0.defaultValue) }, uniquingKeysWith: { $1 })
  }

  /// The position of each channel's control in its range, 0…1; for a menu, the index of the item.
  func places(of settings: [ControlID: Int]) -> [Double] {
    laws.map { $0.control.place(of: Double(settings[$0.control.id] ?? $0.control.defaultValue)) }
  }

  /// The settings nearest to positions of the channels' controls. If channels share a control, the
  /// first one counts.
  func settings(at places: [Double]) -> [ControlID: Int] {
    Dictionary(
      zip(laws, places).map { ($0.control.id, $0.control.value(atPlace: $1)) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension ControlDescription {
  /// The positions of the values that a menu offers.
  var choicePlaces: [Double] { choices.map { place(of: Double($0)) } }

  /// Indicates whether the control counts in kelvin: gains then follow the reciprocal of its value.
  private var isInKelvin: Bool { id == .whiteBalanceTemperature && minimum > 1000 }

  /// The position of a value in the range, 0…1; in kelvin, positions are linear in the reciprocal.
  func place(of value: Double) -> Double {
    if !items.isEmpty {
      return Double(items.firstIndex { Double($0.value) == value } ?? 0)
    }
    let (low, high) = (Double(minimum), Double(maximum))
    return isInKelvin
      ? (1 / low - 1 / value) / (1 / low - 1 / high) : (value - low) / max(high - low, 1)
  }

  /// The valid value nearest to a position.
  func value(atPlace place: Double) -> Int {
    if !items.isEmpty {
      return items[min(max(Int(place.rounded()), 0), items.count - 1)].value
    }
    let (low, high) = (Double(minimum), Double(maximum))
    return nearestValue(
      to:
        isInKelvin ? 1 / (1 / low + place * (1 / high - 1 / low)) : low + place * (high - low))
  }
}
