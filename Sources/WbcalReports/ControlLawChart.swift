import CameraProfiles
import ColorScience
import WhiteBalance

/// The gains by the values of the controls, the measured ones, and the differences between them;
/// for an exposure control, the exposure.
struct ControlLawChart {
  private let curves: [Curve]
  private let quantity: String

  init(laws: ControlLaws) {
    curves = Self.curves(of: laws).map { curve in
      var curve = curve
      let errors = laws.errors
      let points =
        curve.name == "red" ? errors?.red : curve.name == "blue" ? errors?.blue : errors?.green
      let control = laws.controlOfGain(curve.name)
      curve.band = (points ?? []).compactMap { point in
        let gains = laws.gains(at: [ControlValue(control, point.value)])
        let gain = curve.name == "red" ? gains.red : curve.name == "blue" ? gains.blue : gains.green
        guard gain > 0 else { return nil }
        let factor = exponential(1.96 * point.error)
        return (Double(point.value), gain / factor, gain * factor)
      }
      return curve
    }
    quantity = "gain"
  }

  init(ofExposure law: ControlLaw) {
    curves = [Curve(law, name: "neutral")]
    quantity = "light"
  }

  private static let box = Box(left: 46, top: 10, width: 500, height: 240)
  private static let residualBox = Box(left: 46, top: 300, width: 500, height: 80)

  /// A gain by the values of a control.
  private struct Curve {
    var name: String
    var line: [(value: Double, gain: Double)]
    var seen: [(value: Double, gain: Double, deviation: Double?)]
    /// The range of the gains with a probability of 95 %, according to a model of the camera.
    var band: [(value: Double, low: Double, high: Double)] = []

    init(
      name: String, line: [(value: Double, gain: Double)],
      seen: [(value: Double, gain: Double, deviation: Double?)]
    ) {
      self.name = name
      self.line = line
      self.seen = seen
    }

    init(_ law: ControlLaw, name: String) {
      let values = law.values
      let step = max((values.upperBound - values.lowerBound) / 200, 1)
      self.init(
        name: name,
        line: stride(from: values.lowerBound, through: values.upperBound, by: step).map {
          (Double($0), law.gain(at: $0))
        },
        seen: law.evidence.map {
          (Double($0.value), $0.gain, $0.gain / law.gain(at: $0.value) - 1)
        })
    }
  }

  private static func curves(of laws: ControlLaws) -> [Curve] {
    switch laws.layout {
    case .channels:
      return laws.channelLaws.map { law in
        Curve(
          law,
          name: law.control.id == .redBalance
            ? "red" : law.control.id == .blueBalance ? "blue" : "green")
      }
    case .path(let path):
      let isMenu = !path.control.items.isEmpty
      // Points of a model are not measured in pictures; those of a menu are its only values.
      let isSampled = laws.errors != nil && !isMenu
      let (first, last) = (path.points[0].value, path.points[path.points.count - 1].value)
      let step = max((last - first) / 200, 1)
      func curve(_ name: String, _ gain: KeyPath<Gains, Double>, _ seen: [(Int, Double)]) -> Curve {
        Curve(
          name: name,
          line: isMenu
            ? []
            : stride(from: first, through: last, by: step).map {
              (Double($0), path.gains(at: $0)[keyPath: gain])
            },
          seen: isSampled ? [] : seen.map { (Double($0.0), $0.1, nil) })
      }
      return [
        curve("red", \.red, path.points.map { ($0.value, $0.red) }),
        curve("blue", \.blue, path.points.map { ($0.value, $0.blue) }),
      ]
    }
  }

  func drawn() -> SVG {
    let deviations = curves.flatMap(\.seen).compactMap(\.deviation).filter(\.isFinite)
    var svg = SVG(
      width: ChromaticityDiagram.width, height: deviations.isEmpty ? 298 : 428,
      description: "The \(quantity) for the values of the controls")
    let drawn = curves.flatMap { $0.line } + curves.flatMap { $0.seen }.map { ($0.value, $0.gain) }
    let points = drawn.filter { $0.gain > 0 && $0.gain.isFinite }
    guard let low = points.map(\.value).min(), let high = points.map(\.value).max(), low < high,
      let least = points.map(\.gain).min(), let most = points.map(\.gain).max()
    else { return svg }
    // A gain near zero would compress the range of the others.
    let bottom = max(least, most / 50)
    let values = PlotFrame.Axis(start: low, end: high)
    let frame = PlotFrame(
      box: Self.box, horizontal: values,
      vertical: .init(start: logarithm(bottom / 1.1), end: logarithm(most * 1.25)))
    let ticks = values.roundTicks
    svg.defineClip("law-frame", frame.box.corners)
    svg.axes(frame, xTicks: ticks, yTicks: GainChart.gains(in: frame.vertical))
    svg.group(class: "plot", clip: "law-frame") { svg in
      for curve in curves {
        if !curve.band.isEmpty {
          let (lower, upper) = (
            curve.band.map { frame.point($0.value, logarithm($0.low)) },
            curve.band.map { frame.point($0.value, logarithm($0.high)) }
          )
          svg.path(lower + upper.reversed(), closed: true, class: "band \(curve.name)")
        }
        svg.path(
          curve.line.map { frame.point($0.value, logarithm($0.gain)) },
          class: "curve \(curve.name)")
        for seen in curve.seen {
          svg.circle(
            at: frame.point(seen.value, logarithm(seen.gain)), radius: 2.4,
            class: "measured \(curve.name)")
        }
      }
    }
    svg.axisTitles(frame, x: "value of the control", y: quantity)
    guard !deviations.isEmpty else { return svg }
    let size = max(100 * (deviations.map(abs).max() ?? 0), 0.2) * 1.15
    let below = PlotFrame(
      box: Self.residualBox, horizontal: values, vertical: .init(start: -size, end: size))
    let step = [0.1, 0.2, 0.5, 1, 2, 5, 10].first { size / $0 <= 2.5 } ?? size
    svg.axes(below, xTicks: ticks, yTicks: below.vertical.ticks(every: step))
    for curve in curves {
      for seen in curve.seen {
        svg.circle(
          at: below.point(seen.value, 100 * (seen.deviation ?? .nan)), radius: 2.4,
          class: "measured \(curve.name)")
      }
    }
    svg.axisTitles(below, x: "", y: "difference from the law, %")
    return svg
  }
}

extension ControlLaws {
  /// Returns the control that sets a channel's gain.
  fileprivate func controlOfGain(_ name: String) -> ControlID {
    if case .path(let path) = layout { return path.control.id }
    return name == "red" ? .redBalance : name == "blue" ? .blueBalance : .greenBalance
  }
}
