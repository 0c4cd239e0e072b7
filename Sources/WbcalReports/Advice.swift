import ColorScience
import WhiteBalance

/// What the evidence of a calibration suggests to do next.
struct Advice: Hashable {
  /// What it is about.
  enum Kind: Hashable {
    /// One more shot would help.
    case nextShot
    /// A shot does not fit.
    case doubtfulShot
    /// Nothing is wrong.
    case check
  }

  let kind: Kind
  /// A few words to be set in bold.
  let title: String
  let text: String

  /// A residual above it, of a gain's logarithm, is more than the fit usually leaves.
  private static let doubtful = 0.03

  static func derived(from calibration: Calibration) -> [Advice] {
    var result: [Advice] = []
    let shots = calibration.shots.map { (name: $0.shot.light.name, residual: $0.residual) }
    let (now, next) = calibration.nextShots()
    // Less is not worth a person's way to another lamp.
    if let best = next.first, now > 0.02, best.expectedError < 0.8 * now {
      result.append(
        Advice(
          kind: .nextShot, title: "Add a shot under \(description(of: best.light)).",
          text: "Over all kinds of lamps, what is not known of this camera’s gains would fall from "
            + "\(Figure.plain(100 * now, 1))\u{A0}% to \(Figure.plain(100 * best.expectedError, 1))\u{A0}%."
        ))
    }
    let doubted = shots.filter { $0.residual.magnitude > doubtful }
    if !doubted.isEmpty {
      let names = doubted.map {
        "\($0.name) (\(Figure.plain(100 * $0.residual.magnitude, 1))\u{A0}%)"
      }
      result.append(
        Advice(
          kind: .doubtfulShot, title: "Check \(Figure.list(names)).",
          text:
            "The fit usually comes within 3\u{A0}%. Is the light named as it was? Did a colored "
            + "surface reflect onto the card? Did a second light, such as a window, fall on it?"))
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

  /// A lamp that a person can find, for the illuminant that stands for it.
  private static func description(of illuminant: String) -> String {
    switch illuminant {
    case "A": "tungsten (A, or an incandescent or halogen lamp of 2700–3000\u{A0}K)"
    case "D65": "daylight (D65, or noon sun and sky of 5500–6500\u{A0}K)"
    case "LED-B1": "a warm white LED (as LED-B1, 2700\u{A0}K)"
    case "LED-B3": "a neutral white LED (as LED-B3, 4100\u{A0}K)"
    case "LED-B5": "a cool white LED (as LED-B5, 6600\u{A0}K)"
    default: "a fluorescent lamp (as \(illuminant))"
    }
  }
}

extension [String] {
  /// Every text once, in the order of its first occurrence.
  var withoutRepetition: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
