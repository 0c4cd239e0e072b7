import ColorScience
import WhiteBalance

/// The camera's response to a gray card, red and blue relative to green, under lights of many
/// kinds.
struct NeutralLocusChart {
  let model: ClassifiedCameraModel
  let shots: [ReportedShot]

  private static let box = Box(left: 46, top: 10, width: 500, height: 400)

  /// Returns the drawing, and the labels of shots that it omits.
  func drawn() -> (svg: SVG, omitted: [String]) {
    var svg = SVG(
      width: ChromaticityDiagram.width, height: 458,
      description: "Red and blue of a gray card, relative to green, under lights of many kinds")
    let thermal = stride(from: 500.0, through: 50, by: -5).compactMap { ratios(blackBody: $0) }
    let daylight = stride(from: 40.0, through: 250, by: 5).compactMap { mired in
      DaylightLocus.chromaticity(kelvin: 1e6 / mired).flatMap { ratios($0, .daylight) }
    }
    let lamps = ["LED-B1", "LED-B2", "LED-B3", "LED-B4", "LED-B5", "FL2", "FL11"]
      .compactMap { name in
        (try? Light(named: name)).flatMap { light in
          ratios(light.chromaticity, light.impliedClass).map {
            (name: name, ratios: $0, isLED: light.impliedClass == .led)
          }
        }
      }
    let measured = shots.map { SIMD2(1 / $0.measured.red, 1 / $0.measured.blue) }
    let frame = Self.frame(around: thermal + daylight + lamps.map(\.ratios) + measured)
    func point(_ ratios: SIMD2<Double>) -> Point { frame.point(ratios.x, ratios.y) }
    svg.axes(frame, xTicks: frame.horizontal.roundTicks, yTicks: frame.vertical.roundTicks)
    svg.path(daylight.map(point), class: "daylight")
    svg.path(thermal.map(point), class: "planckian")
    svg.axisTitles(frame, x: "red / green", y: "blue / green")

    var labels = LabelPlacement(bounds: frame.box.inset(by: 2), fontSize: 15)
    labels.block(Box(left: frame.box.left, top: frame.box.top, width: 100, height: 22))
    for p in (thermal + daylight).map(point) { labels.block(p, radius: 2) }
    for lamp in lamps { labels.block(point(lamp.ratios), radius: 5) }
    for (shot, ratios) in zip(shots, measured) {
      labels.block(dot: point(ratios), of: shot.name, radius: 5)
    }
    for (shot, ratios) in zip(shots, measured) {
      let title =
        "\(shot.name): red \(Figure.plain(ratios.x, 4)), blue \(Figure.plain(ratios.y, 4))"
      svg.group(class: "shot", title: title) { svg in
        svg.circle(at: point(ratios), radius: 3.2, class: "measured neutral")
        svg.label(shot.name, at: point(ratios), class: "name halo", &labels)
      }
    }
    let omitted = labels.omitted
    for lamp in lamps {
      let p = point(lamp.ratios)
      if lamp.isLED {
        svg.circle(at: p, radius: 4, class: "lamp")
      } else {
        svg.rectangle(Box(left: p.x - 3.5, top: p.y - 3.5, width: 7, height: 7), class: "lamp")
      }
      svg.label(lamp.name, at: p, class: "small halo", &labels)
    }
    for kelvin in [2000.0, 2700, 3200, 4000, 5000, 6500, 10_000, 20_000] {
      guard let p = ratios(blackBody: 1e6 / kelvin).map(point) else { continue }
      svg.circle(at: p, radius: 1.8, class: "foot")
      svg.label("\(Figure.plain(kelvin, 0)) K", at: p, class: "small halo", &labels)
    }
    return (svg, omitted)
  }

  private func ratios(_ light: Chromaticity, _ lightClass: LightClass?) -> SIMD2<Double>? {
    model.response(to: light, lightClass: lightClass).map { SIMD2($0.red, $0.blue) }
  }

  private func ratios(blackBody mired: Double) -> SIMD2<Double>? {
    ratios(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0)), .thermal)
  }

  /// Returns a frame with some room around points.
  private static func frame(around points: [SIMD2<Double>]) -> PlotFrame {
    func axis(_ values: [Double]) -> PlotFrame.Axis {
      let (low, high) = (values.min()!, values.max()!)
      return .init(start: low - 0.06 * (high - low), end: high + 0.06 * (high - low))
    }
    return PlotFrame(box: box, horizontal: axis(points.map(\.x)), vertical: axis(points.map(\.y)))
  }
}
