import ColorScience
import WhiteBalance

/// The camera's gains of red and blue along the Planckian locus, those that the shots measured, and
/// those of a camera for comparison.
///
/// Temperatures are spaced by their reciprocals and gains by their logarithms: equal distances are
/// about equally visible.
struct GainChart {
  let model: ClassifiedCameraModel
  let other: (any CameraModel)?
  let shots: [ReportedShot]

  private static let range = (cold: 500.0, hot: 50.0)
  private static let box = Box(left: 46, top: 34, width: 500, height: 300)

  /// Returns the drawing, and the names of the shots or labels that it omits.
  func drawn() -> (svg: SVG, omitted: [String]) {
    var svg = SVG(
      width: ChromaticityDiagram.width, height: 384,
      description: "Gains of red and blue against color temperature")
    let curve = Self.curve(of: model)
    let otherCurve = other.map(Self.curve) ?? []
    let visible = shots.filter { shot in
      shot.temperature.map { Self.range.hot <= $0.mired && $0.mired <= Self.range.cold } ?? false
    }
    var values = [1.0]
    for sample in curve + otherCurve { values += [sample.red, sample.blue] }
    for shot in visible {
      values += [shot.measured.red, shot.measured.blue]
      if let predicted = shot.predicted { values += [predicted.red, predicted.blue] }
    }
    let frame = PlotFrame(
      box: Self.box, horizontal: .init(start: Self.range.cold, end: Self.range.hot),
      vertical: .init(start: logarithm(values.min()! / 1.12), end: logarithm(values.max()! * 1.35)))
    svg.defineClip("gains-frame", frame.box.corners)
    svg.axes(frame, xTicks: Self.temperatures, yTicks: Self.gains(in: frame.vertical))
    svg.axisTitles(frame, x: "temperature, K", y: "gain, green = 1")
    for mired in stride(from: 100.0, through: 500, by: 100) {
      let x = frame.point(mired, 0).x
      svg.line(
        from: Point(x: x, y: frame.box.top), to: Point(x: x, y: frame.box.top - 4), class: "tick")
      svg.text(
        Figure.plain(mired, 0) + (mired == 500 ? " mired" : ""),
        at: Point(x: mired == 500 ? x - 12 : x, y: frame.box.top - 9),
        anchor: mired == 500 ? .start : .middle, class: "small")
    }
    var labels = LabelPlacement(bounds: frame.box.inset(by: 2), fontSize: 15)
    svg.group(class: "plot", clip: "gains-frame") { svg in
      svg.line(from: frame.point(500, 0), to: frame.point(50, 0), class: "unity")
      for (curve, name) in [(otherCurve, "curve other"), (curve, "curve")] {
        svg.path(curve.map { frame.point($0.mired, logarithm($0.red)) }, class: "\(name) red")
        svg.path(curve.map { frame.point($0.mired, logarithm($0.blue)) }, class: "\(name) blue")
      }
    }
    nameCurves(curve, frame, &svg, &labels)
    for sample in curve + otherCurve {
      labels.block(frame.point(sample.mired, logarithm(sample.red)), radius: 4)
      labels.block(frame.point(sample.mired, logarithm(sample.blue)), radius: 4)
    }
    let omitted = draw(visible, frame, &svg, &labels)
    let outside = shots.map(\.name).filter { name in !visible.contains { $0.name == name } }
    return (svg, outside + omitted)
  }

  private typealias Sample = (mired: Double, red: Double, blue: Double)

  private static func curve(of model: any CameraModel) -> [Sample] {
    stride(from: range.cold, through: range.hot, by: -5).compactMap { mired in
      model.gains(
        for: Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0)), lightClass: .thermal
      ).map { (mired, $0.relativeToGreen.red, $0.relativeToGreen.blue) }
    }
  }

  /// Writes each curve's name above it, at a position where the curves are far from each other and
  /// from 1.
  private func nameCurves(
    _ curve: [Sample], _ frame: PlotFrame, _ svg: inout SVG, _ labels: inout LabelPlacement
  ) {
    func clearance(_ sample: Sample) -> Double {
      let (red, blue) = (logarithm(sample.red), logarithm(sample.blue))
      return min(abs(red), abs(blue), abs(red - blue))
    }
    let candidates = curve.filter { 75...440 ~= $0.mired }
    guard let sample = candidates.max(by: { clearance($0) < clearance($1) }) else { return }
    for (name, value, rise) in [
      ("red", sample.red, sample.red - curve[0].red),
      ("blue", sample.blue, sample.blue - curve[0].blue),
    ] {
      let p = frame.point(sample.mired, logarithm(value))
      // The name is on the side where the curve is lower: on the other side the curve would cross
      // the letters.
      let origin = Point(x: rise > 0 ? p.x - 6 : p.x + 6, y: p.y - 7)
      let anchor = rise > 0 ? SVG.Anchor.end : .start
      svg.text(name, at: origin, anchor: anchor, class: "curve-name halo \(name)")
      labels.block(text: name, at: origin, anchor: anchor)
    }
  }

  /// Draws the shots, and returns the names that had no room.
  private func draw(
    _ visible: [ReportedShot], _ frame: PlotFrame, _ svg: inout SVG, _ labels: inout LabelPlacement
  ) -> [String] {
    for shot in visible {
      for value in [shot.measured.red, shot.measured.blue] {
        labels.block(
          dot: frame.point(shot.temperature?.mired ?? 0, logarithm(value)), of: shot.name, radius: 6
        )
      }
    }
    for shot in visible {
      let mired = shot.temperature?.mired ?? 0
      let title =
        "\(shot.name): red \(Figure.plain(shot.measured.red, 4)), "
        + "blue \(Figure.plain(shot.measured.blue, 4))"
      svg.group(class: "shot", title: title) { svg in
        let red = frame.point(mired, logarithm(shot.measured.red))
        let blue = frame.point(mired, logarithm(shot.measured.blue))
        svg.line(from: red, to: blue, class: "pair")
        for (p, name, predicted) in [
          (red, "red", shot.predicted?.red), (blue, "blue", shot.predicted?.blue),
        ] {
          svg.circle(at: p, radius: 3.2, class: "measured \(name)")
          if let predicted {
            svg.circle(
              at: frame.point(mired, logarithm(predicted)), radius: 5, class: "predicted \(name)")
          }
        }
        let upper = red.y < blue.y ? red : blue
        svg.label(shot.name, at: upper, class: "name halo", &labels)
      }
    }
    return labels.omitted
  }

  private static let temperatures: [SVG.Tick] = [
    2000.0, 2300, 2700, 3200, 4000, 5000, 6500, 10_000, 20_000,
  ].map { (1e6 / $0, Figure.plain($0, 0)) }

  static func gains(in axis: PlotFrame.Axis) -> [SVG.Tick] {
    let round = [0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    return round.filter { axis.contains(logarithm($0)) }.map {
      (logarithm($0), Figure.plain($0, $0 < 0.2 ? 2 : $0 < 10 ? 1 : 0))
    }
  }
}
