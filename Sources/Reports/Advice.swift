import ColorScience
import WhiteBalance

/// What the evidence of a calibration suggests to do next.
struct Advice: Hashable {
  /// What it is about.
  enum Kind: Hashable {
    /// There is one shot.
    case secondLight
    /// The shots' lights are alike.
    case fartherLight
    /// A shot does not fit.
    case doubtfulShot
    /// A light is of a kind that pulls the matrix from thermal light.
    case mixedKinds
    /// Nothing is wrong.
    case check
  }

  let kind: Kind
  /// A few words to be set in bold.
  let title: String
  let text: String

  /// Lights whose reciprocal temperatures differ by no more are practically one.
  private static let nearness = 30.0
  /// A residual above it, of a gain's logarithm, is more than one matrix usually leaves.
  private static let doubtful = 0.03

  static func derived(from shots: [ReportedShot]) -> [Advice] {
    var result: [Advice] = []
    let mireds = shots.compactMap { $0.temperature?.mired }
    if let first = shots.first {
      let low = mireds.min() ?? 0
      let high = mireds.max() ?? 0
      let name = fartherLight(than: (low + high) / 2)
      if shots.count == 1 {
        result.append(
          Advice(
            kind: .secondLight, title: "Take a second shot under \(name).",
            text:
              "One shot fixes this unit’s balance of red and blue; how the balance changes with "
              + "the light is still that of the average camera. A light far from "
              + "\(first.name) settles most of it."))
      } else if mireds.count == shots.count, high - low <= nearness {
        result.append(
          Advice(
            kind: .fartherLight, title: "Add a shot under \(name).",
            text:
              "All shots lie within \(Figure.plain(high - low, 0)) mired of each other, so they "
              + "say little about other lights."))
      }
    }
    let doubted = shots.filter { $0.residual.magnitude > doubtful }
    if !doubted.isEmpty {
      let names = doubted.map {
        "\($0.name) (\(Figure.plain(100 * $0.residual.magnitude, 1))\u{A0}%)"
      }
      result.append(
        Advice(
          kind: .doubtfulShot, title: "Check \(Figure.list(names)).",
          text: "One matrix usually fits to 3\u{A0}%. Is the light named as it was? Did a colored "
            + "surface reflect onto the card? Did a second light, such as a window, fall on it?"))
    }
    let pulling = shots.filter(\.isFarFromThermal).map(\.name).withoutRepetition
    if !pulling.isEmpty {
      result.append(
        Advice(
          kind: .mixedKinds, title: "One matrix serves all lights.",
          text: "\(Figure.list(pulling)) \(pulling.count == 1 ? "is" : "are") not thermal light or "
            + "daylight and \(pulling.count == 1 ? "pulls" : "pull") the fit, so accuracy under "
            + "those suffers. For exact work under tungsten and daylight, make a second profile of "
            + "such shots alone."))
    }
    if result.isEmpty {
      result.append(
        Advice(
          kind: .check, title: "Check it in use.",
          text: "The shots are far enough apart and fit. Photograph the card once more under the "
            + "light you work in, and see that it comes out neutral."))
    }
    return result
  }

  /// Tungsten or daylight, whichever is farther from a reciprocal temperature.
  private static func fartherLight(than mired: Double) -> String {
    let tungsten = abs(mired - 1e6 / 2856)
    let daylight = abs(mired - 1e6 / 6504)
    return tungsten >= daylight
      ? "tungsten (A, or an incandescent or halogen lamp of 2700–3000\u{A0}K)"
      : "daylight (D65, or noon sun and sky of 5500–6500\u{A0}K)"
  }
}

extension [String] {
  /// Every text once, in the order of its first occurrence.
  var withoutRepetition: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
