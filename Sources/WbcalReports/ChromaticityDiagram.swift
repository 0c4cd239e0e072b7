import ColorScience
import WhiteBalance

/// A CIE 1931 diagram: the spectral locus, the Planckian and daylight loci, and the shots.
struct ChromaticityDiagram {
  /// The properties that distinguish the whole diagram from a detail of it.
  struct View: Sendable {
    /// The prefix of the names that must be unique in the page.
    let name: String
    let description: String
    let frame: PlotFrame
    var width = ChromaticityDiagram.width
    let height: Double
    let tick: Double
    /// The size of the cells of the field of colors; `nil` for none.
    let cell: Double?
    var isCompact = false
    /// The temperatures of the isotherms; 0 mired is infinite temperature.
    let isotherms: [Double]
    let wavelengths: [Double]
    /// The part that another diagram enlarges. If there are many names, those in it are not
    /// repeated here.
    let enlarged: PlotFrame?

    static let whole = View(
      name: "whole", description: "CIE 1931 chromaticity diagram with the shots",
      frame: PlotFrame(
        box: Box(left: 46, top: 10, width: 500, height: 531),
        horizontal: .init(start: -0.03, end: 0.8), vertical: .init(start: -0.0015, end: 0.88)),
      height: 589, tick: 0.1, cell: 0.036, isotherms: [1500, 2000, 3000, 6500, .infinity],
      wavelengths: [460, 470, 480, 490, 500, 520, 540, 560, 580, 600, 620, 700],
      enlarged: white.frame)

    /// The white region, 2000 K to infinite temperature.
    static let white = View(
      name: "white", description: "The white region of the CIE 1931 diagram with the shots",
      frame: PlotFrame(
        box: Box(left: 46, top: 10, width: 500, height: 380),
        horizontal: .init(start: 0.225, end: 0.575), vertical: .init(start: 0.2, end: 0.466)),
      height: 438, tick: 0.05, cell: 0.02,
      isotherms: [
        2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000, 15_000, .infinity,
      ], wavelengths: [], enlarged: nil)
  }

  static let width = 560.0

  let view: View
  let shots: [ReportedShot]
  let ellipses: [UncertaintyEllipse]
  private var frame: PlotFrame { view.frame }

  /// Returns the drawing, the names of the shots or labels that it omits, and the names of the
  /// ellipses that are too small to see in it.
  func drawn() -> (svg: SVG, omitted: [String], tiny: [String]) {
    var svg = SVG(width: view.width, height: view.height, description: view.description)
    var labels = LabelPlacement(bounds: frame.box.inset(by: 2), fontSize: 15)
    let locus = SpectralOutline.points
    svg.defineClip("\(view.name)-frame", frame.box.corners)
    svg.defineClip("\(view.name)-locus", locus.map(point))
    svg.axes(
      frame, xTicks: frame.horizontal.ticks(every: view.tick).filter { $0.value >= 0 },
      yTicks: frame.vertical.ticks(every: view.tick).filter { $0.value >= 0 })
    svg.group(class: "plot", clip: "\(view.name)-frame") { svg in
      if let cell = view.cell { drawField(&svg, of: cell) }
      svg.path(locus.map(point), closed: true, class: "spectral")
      svg.group(class: "isotherms", clip: "\(view.name)-locus") { svg in
        for kelvin in view.isotherms {
          svg.path([-0.05, 0.05].map { point(kelvin: kelvin, duv: $0) }, class: "isotherm")
        }
      }
      svg.path(Self.daylight.map(point), class: "daylight")
      svg.path(Self.planckian.map(point), class: "planckian")
      for ellipse in ellipses where !isTiny(ellipse) {
        svg.group(class: "uncertain", title: ellipse.name) { svg in
          svg.path(ellipse.outline.map(point), closed: true, class: "ellipse")
        }
      }
    }
    svg.axisTitles(frame, x: "x", y: "y", isCompact: view.isCompact)
    drawWavelengths(&svg, &labels)
    drawTemperatures(&svg, &labels)
    let omitted = drawShots(&svg, &labels)
    // With several shots the ellipses are those of the shots, whose names are drawn already.
    for ellipse in ellipses where shots.count == 1 && !isTiny(ellipse) {
      svg.label(ellipse.name, at: point(ellipse.center), class: "small halo", &labels)
    }
    return (svg, omitted, ellipses.filter(isTiny).map(\.name))
  }

  private func drawField(_ svg: inout SVG, of cell: Double) {
    let width = cell * frame.box.width / (frame.horizontal.end - frame.horizontal.start)
    svg.defineBlur("\(view.name)-blur", deviation: 0.6 * width)
    svg.group(class: "field", clip: "\(view.name)-locus") { svg in
      svg.group(class: "mesh", filter: "\(view.name)-blur") { svg in
        for cell in ColorField.cells(of: frame, size: cell, outline: SpectralOutline.points) {
          svg.area(cell.box, color: cell.color)
        }
      }
    }
  }

  /// Indicates whether an ellipse is so small that the marks hide it.
  private func isTiny(_ ellipse: UncertaintyEllipse) -> Bool {
    let p = point(ellipse.center)
    return ellipse.outline.map(point).allSatisfy {
      ($0.x - p.x) * ($0.x - p.x) + ($0.y - p.y) * ($0.y - p.y) < 36
    }
  }

  private func point(_ c: Chromaticity) -> Point { frame.point(c.x, c.y) }

  private func point(kelvin: Double, duv: Double) -> Point {
    point(Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv)))
  }

  private func drawWavelengths(_ svg: inout SVG, _ labels: inout LabelPlacement) {
    for wavelength in view.wavelengths {
      let around = [-2.0, 0, 2].compactMap {
        SpectralLocus.chromaticity(wavelength: wavelength + $0).map(point)
      }
      guard around.count == 3 else { continue }
      let p = around[1]
      // This is the outward normal: the locus runs clockwise from blue to red.
      let (dx, dy) = (around[2].y - around[0].y, around[0].x - around[2].x)
      let length = max((dx * dx + dy * dy).squareRoot(), 1e-9)
      let (ux, uy) = (dx / length, dy / length)
      svg.line(from: p, to: Point(x: p.x + 5 * ux, y: p.y + 5 * uy), class: "tick")
      let origin = Point(x: p.x + 9 * ux, y: p.y + 9 * uy + 4 + 3 * uy)
      let anchor = ux > 0.35 ? SVG.Anchor.start : ux < -0.35 ? .end : .middle
      let text = Figure.plain(wavelength, 0)
      svg.text(text, at: origin, anchor: anchor, class: "small")
      labels.block(text: text, at: origin, anchor: anchor)
    }
  }

  private func drawTemperatures(_ svg: inout SVG, _ labels: inout LabelPlacement) {
    for kelvin in view.isotherms {
      let foot = point(kelvin: kelvin, duv: 0)
      labels.block(foot, radius: 3)
      svg.circle(at: foot, radius: 1.8, class: "foot")
      let text = kelvin.isFinite ? "\(Figure.plain(kelvin, 0)) K" : "∞"
      let width = LabelPlacement.width(of: text, fontSize: 12)
      // The label is at the isotherm's green end or where it leaves the frame, or else at the other
      // end.
      let boxes = [1.0, -1].map { side in
        var duv = 0.054
        while true {
          let at = point(kelvin: kelvin, duv: side * duv)
          let box = Box(left: at.x - width / 2, top: at.y - 8, width: width, height: 16)
          if duv < 0.008 || labels.bounds.contains(box) { return box }
          duv -= 0.001
        }
      }
      guard let box = boxes.first(where: { labels.isFree($0) && isWithinSpectralLocus($0) }) else {
        continue
      }
      svg.text(
        text, at: Point(x: box.left + width / 2, y: box.top + 12), anchor: .middle,
        class: "small halo")
      labels.block(box)
    }
  }

  /// Indicates whether a box lies entirely within the spectral locus.
  private func isWithinSpectralLocus(_ box: Box) -> Bool {
    box.corners.allSatisfy { corner in
      let c = frame.value(at: corner)
      return ColorField.contains(SpectralOutline.points, Chromaticity(x: c.x, y: c.y))
    }
  }

  /// Draws the shots, and returns the names of those that had no room for the shot or its name.
  private func drawShots(_ svg: inout SVG, _ labels: inout LabelPlacement) -> [String] {
    let visible = shots.filter { frame.box.contains(point($0.shot.light.chromaticity)) }
    for shot in visible {
      labels.block(dot: point(shot.shot.light.chromaticity), of: shot.name, radius: 5)
      if let seen = shot.seen, frame.box.contains(point(seen)) {
        labels.block(dot: point(seen), of: shot.name, radius: 5)
      }
    }
    for shot in visible {
      let c = shot.shot.light.chromaticity
      let p = point(c)
      let title = "\(shot.name): x \(Figure.plain(c.x, 4)), y \(Figure.plain(c.y, 4))"
      svg.group(class: "shot", title: title) { svg in
        if let seen = shot.seen, frame.box.contains(point(seen)) {
          svg.line(from: p, to: point(seen), class: "error")
          svg.circle(at: point(seen), radius: 4, class: "seen")
        }
        svg.line(from: Point(x: p.x - 6, y: p.y), to: Point(x: p.x + 6, y: p.y), class: "cross")
        svg.line(from: Point(x: p.x, y: p.y - 6), to: Point(x: p.x, y: p.y + 6), class: "cross")
        if visible.count > 6, let part = view.enlarged, part.box.contains(part.point(c.x, c.y)) {
          return
        }
        svg.label(shot.name, at: p, class: "name halo", &labels)
      }
    }
    return shots.map(\.name).filter { name in !visible.contains { $0.name == name } }
      + labels.omitted
  }

  /// The Planckian locus from infinite temperature to 1500 K.
  private static let planckian: [Chromaticity] = (0...60).map { index in
    Chromaticity(CorrelatedColorTemperature(mired: Double(index) / 60 * (1e6 / 1500), duv: 0))
  }

  private static let daylight: [Chromaticity] = stride(from: 40.0, through: 250, by: 7)
    .compactMap { DaylightLocus.chromaticity(kelvin: 1e6 / $0) }
}
