internal import ColorScience

/// The controls by which a camera's white balance is set, and where their values lie.
package enum BalanceControls: Hashable, Sendable {
  /// Red and blue, each alone.
  case balances(red: ControlDescription, blue: ControlDescription)
  /// Red, green and blue, each alone.
  case channels(red: ControlDescription, green: ControlDescription, blue: ControlDescription)
  /// One control that moves red and blue together, in kelvin or in any unit that rises or falls.
  case temperature(ControlDescription)
  /// A choice of lights, each with gains of its own.
  case menu(ControlDescription)

  /// The controls, in the order of red, green and blue.
  package var descriptions: [ControlDescription] {
    switch self {
    case .balances(let red, let blue): [red, blue]
    case .channels(let red, let green, let blue): [red, green, blue]
    case .temperature(let control), .menu(let control): [control]
    }
  }

  /// The channels that are amplified, red 0 and blue 2, and the control of each.
  var laws: [(channel: Int, control: ControlDescription)] {
    switch self {
    case .balances(let red, let blue): [(0, red), (2, blue)]
    case .channels(let red, let green, let blue): [(0, red), (1, green), (2, blue)]
    case .temperature(let control), .menu(let control): [(0, control), (2, control)]
    }
  }

  /// Whether each channel has a control of its own.
  var areSeparate: Bool {
    switch self {
    case .balances, .channels: true
    case .temperature, .menu: false
    }
  }

  /// Whether gains of neighboring values have nothing to do with each other.
  var isMenu: Bool { if case .menu = self { true } else { false } }

  /// The menu, if that is what they are.
  package var menu: ControlDescription? {
    if case .menu(let control) = self { control } else { nil }
  }

  /// The default settings, to which gains are relative.
  package var reference: [ControlID: Int] {
    Dictionary(descriptions.map { ($0.id, $0.defaultValue) }, uniquingKeysWith: { $1 })
  }

  /// Where each law's control is, 0…1; the number of the item of a menu.
  func places(of settings: [ControlID: Int]) -> [Double] {
    laws.map { $0.control.place(of: Double(settings[$0.control.id] ?? $0.control.defaultValue)) }
  }

  /// The settings nearest to places of the laws; of laws of one control the first counts.
  func settings(at places: [Double]) -> [ControlID: Int] {
    Dictionary(
      zip(laws, places).map { ($0.control.id, $0.control.value(atPlace: $1)) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension ControlDescription {
  /// The places of what a menu has to choose from.
  var choicePlaces: [Double] { choices.map { place(of: Double($0)) } }

  /// Whether the control counts in kelvin, whose reciprocals are what gains follow.
  private var isInKelvin: Bool { id == .whiteBalanceTemperature && minimum > 1000 }

  /// Where a value lies in the range, 0…1, of kelvin by their reciprocals.
  func place(of value: Double) -> Double {
    if !items.isEmpty {
      return Double(items.firstIndex { Double($0.value) == value } ?? 0)
    }
    let (low, high) = (Double(minimum), Double(maximum))
    return isInKelvin
      ? (1 / low - 1 / value) / (1 / low - 1 / high) : (value - low) / max(high - low, 1)
  }

  /// The value nearest to a place that can be set.
  func value(atPlace place: Double) -> Int {
    if !items.isEmpty {
      return items[min(max(Int(place.rounded()), 0), items.count - 1)].value
    }
    let (low, high) = (Double(minimum), Double(maximum))
    return snapped(
      isInKelvin ? 1 / (1 / low + place * (1 / high - 1 / low)) : low + place * (high - low))
  }
}
