import WhiteBalance

/// A suggestion for the next step, based on the evidence of a calibration.
struct Advice: Hashable {
  /// The action that is suggested.
  enum Action: Hashable { case addShot, checkShots, tryOut }

  let action: Action
  /// A few words to be set in bold.
  let title: String
  let text: String

  /// Returns the suggestions from the shots, and from the camera as estimated from those under
  /// lights of known spectrum.
  static func derived(from calibration: Calibration, _ camera: SensitivityEstimate?) -> [Advice] {
    var result: [Advice] = []
    let expected = calibration.nextShots()
    let now = expected.expectedError
    // A smaller improvement is not worth another lamp.
    if let best = expected.shots.first, now > 0.02, best.expectedError < 0.8 * now {
      result.append(
        Advice(
          action: .addShot, title: "Add a shot under \(description(of: best.light)).",
          text: "Over all kinds of lamps, the uncertainty of this camera’s gains would fall from "
            + "\(Figure.plain(100 * now, 1))\u{A0}% to "
            + "\(Figure.plain(100 * best.expectedError, 1))\u{A0}%."))
    }
    if let expected = camera?.nextShots(), let best = expected.shots.first,
      expected.expectedError > 0.004, best.expectedError < 0.8 * expected.expectedError
    {
      let target = best.target == .chart ? "a color chart" : "the gray card"
      result.append(
        Advice(
          action: .addShot,
          title: "For lamps whose spectrum is known, shoot \(target) under "
            + "\(description(of: best.light)).",
          text: "Over the standard illuminants, the error of gains would fall from "
            + "\(Figure.plain(100 * expected.expectedError, 2))\u{A0}% to "
            + "\(Figure.plain(100 * best.expectedError, 2))\u{A0}%"
            + (best.target == .chart ? ". Color matrices depend on charts, too." : ".")))
    }
    let doubted = calibration.shots.filter(\.isDoubtful)
    if !doubted.isEmpty {
      let names = doubted.map { fitted in
        // Only a shot that others predict can be doubted.
        let difference = (fitted.leaveOneOut ?? fitted.residual).magnitude
        return "\(fitted.shot.light.name) (\(Figure.plain(100 * difference, 1))\u{A0}%)"
      }
      result.append(
        Advice(
          action: .checkShots, title: "Check \(Figure.list(names)).",
          text:
            "\(doubted.count == 1 ? "It differs" : "They differ") by this much from what the other "
            + "shots predict, more than chance explains. Is the light named correctly? Did a "
            + "colored surface reflect onto the card? Did a second light, such as a window, fall "
            + "on it?"))
    }
    if result.isEmpty {
      result.append(
        Advice(
          action: .tryOut, title: "Check it in use.",
          text:
            "The shots differ enough, and none contradicts the others. Photograph the card once "
            + "more under the light you work in, and check that it is neutral."))
    }
    return result
  }

  /// Returns the kind of lamp that an illuminant of the prediction represents.
  private static func description(of illuminant: String) -> String {
    switch illuminant {
    case "A": "tungsten (A, or an incandescent or halogen lamp of 2700–3000\u{A0}K)"
    case "D65": "daylight (D65, or noon sun and sky of 5500–6500\u{A0}K)"
    case "LED-B1": "a warm white LED (such as LED-B1, 2700\u{A0}K)"
    case "LED-B3": "a neutral white LED (such as LED-B3, 4100\u{A0}K)"
    case "LED-B5": "a cool white LED (such as LED-B5, 6600\u{A0}K)"
    default: "a fluorescent lamp (such as \(illuminant))"
    }
  }
}

extension [String] {
  /// Each text once, in the order of its first occurrence.
  var withoutRepetition: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
