import ColorScience
import Foundation
import Testing

@testable import WbcalReports

struct DrawingTests {
  @Test func bytesOfADrawing() {
    var svg = SVG(width: 100, height: 50, description: "a \"b\" & <c>")
    svg.defineClip("box", Box(left: 0, top: 0, width: 10, height: 5).corners)
    svg.group(class: "g", title: "<t>", clip: "box") { svg in
      svg.line(from: Point(x: 1, y: 2), to: Point(x: 1.005, y: -2.5), class: "l")
      svg.path([Point(x: 0, y: 0), Point(x: .nan, y: 1), Point(x: 2, y: 1)], class: "p")
    }
    svg.text("1 < 2", at: Point(x: 3, y: 4), anchor: .end, class: "t")
    svg.circle(at: Point(x: .infinity, y: 0), radius: 1, class: "c")
    svg.path([Point(x: 0, y: 0)], class: "p")
    #expect(
      svg.element == """
        <svg viewBox="0 0 100 50" role="img" aria-label="a &quot;b&quot; &amp; &lt;c&gt;">
        <clipPath id="box"><path d="M0.00 0.00L10.00 0.00L10.00 5.00L0.00 5.00Z"/></clipPath>
        <g class="g" clip-path="url(#box)">
        <title>&lt;t&gt;</title>
        <line class="l" x1="1.00" y1="2.00" x2="1.00" y2="-2.50"/>
        <path class="p" d="M0.00 0.00L2.00 1.00"/>
        </g>
        <text class="t" x="3.00" y="4.00" text-anchor="end">1 &lt; 2</text>
        </svg>

        """)
  }

  @Test func framesMapBothWays() {
    let frame = PlotFrame(
      box: Box(left: 10, top: 20, width: 100, height: 50), horizontal: .init(start: 500, end: 0),
      vertical: .init(start: -1, end: 1))
    #expect(frame.point(500, -1) == Point(x: 10, y: 70))
    #expect(frame.point(0, 1) == Point(x: 110, y: 20))
    #expect(frame.point(125, 0) == Point(x: 85, y: 45))
    let data = frame.value(at: Point(x: 85, y: 45))
    #expect(data.x == 125 && data.y == 0)
  }

  /// A page marks a light where the diagram draws it.
  @Test(arguments: [(300, 200), (366, 340), (100, 700)], [false, true])
  func aPageMarksLightsInTheDiagram(size: (Int, Int), isWhole: Bool) throws {
    let diagram = PageDiagram(width: size.0, height: size.1, isWhole: isWhole)
    let (box, x, y) = (diagram.box, diagram.x, diagram.y)
    #expect(box[0] > 0 && box[1] > 0 && box[2] < Double(size.0) && box[3] < Double(size.1))
    let scale = (box[2] - box[0]) / (x[1] - x[0])
    #expect(abs(scale / ((box[3] - box[1]) / (y[1] - y[0])) - 1) < 1e-9)
    // The foot of an isotherm is its black body, and the shown part contains all common lights.
    for kelvin in [2000.0, 3000, 6500] {
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
      let (left, top) = (box[0] + (light.x - x[0]) * scale, box[3] - (light.y - y[0]) * scale)
      let foot =
        "<circle class=\"foot\" cx=\"\(Figure.plain(left, 2))\" cy=\"\(Figure.plain(top, 2))\""
      #expect(diagram.svg.contains(foot), "\(kelvin)")
      #expect(box[0] < left && left < box[2] && box[1] < top && top < box[3])
    }
    // Nothing colored is next to the picture.
    #expect(!diagram.svg.contains("fill=\"#") && !diagram.svg.contains("blur"))
  }

  @Test func labelsDoNotOverlap() throws {
    let bounds = Box(left: 0, top: 0, width: 400, height: 300)
    var labels = LabelPlacement(bounds: bounds, fontSize: 14)
    var boxes: [Box] = []
    for index in 0..<12 {
      let point = Point(x: 200 + Double(index % 4), y: 150 + Double(index / 4))
      guard let label = labels.place("lamp \(index)", at: point) else { continue }
      let width = LabelPlacement.width(of: label.text, fontSize: 14)
      let left =
        switch label.anchor {
        case .start: label.origin.x
        case .middle: label.origin.x - width / 2
        case .end: label.origin.x - width
        }
      let box = Box(left: left, top: label.origin.y - 11, width: width, height: 14)
      #expect(bounds.contains(box))
      #expect(!boxes.contains(where: box.overlaps), "\(index)")
      boxes.append(box)
    }
    #expect(boxes.count == 12 && labels.omitted.isEmpty)
  }

  @Test func labelsWithoutRoomAreCounted() {
    var labels = LabelPlacement(
      bounds: Box(left: 0, top: 0, width: 60, height: 20), fontSize: 14)
    #expect(labels.place("A", at: Point(x: 30, y: 10)) != nil)
    // A repeated label adds no information, so it is not reported as omitted.
    #expect(labels.place("A", at: Point(x: 31, y: 10)) == nil)
    #expect(labels.omitted.isEmpty)
    #expect(labels.place("too wide for this", at: Point(x: 30, y: 10)) == nil)
    #expect(labels.omitted == ["too wide for this"])
  }

  /// A line to a distant label must not pass another lamp's dot, because it would seem to begin
  /// there.
  @Test func leadersKeepOffTheDotsOfOthers() throws {
    var labels = LabelPlacement(
      bounds: Box(left: 0, top: 0, width: 400, height: 300), fontSize: 14)
    let point = Point(x: 200, y: 150)
    let others = [0.0, 45, 90, 135, 180, 225, 270].map { degrees in
      let angle = degrees * .pi / 180
      return Point(x: 200 + 14 * cos(angle), y: 150 + 14 * sin(angle))
    }
    labels.block(dot: point, of: "own", radius: 5)
    for other in others { labels.block(dot: other, of: "other", radius: 5) }
    let placed = labels.place("own", at: point)
    let end = try #require(placed?.leader)
    // The only free direction is up and to the right, at 315 degrees with y pointing down.
    #expect(end.x > 205 && end.y < 145)
    // If there is none, no misleading line is drawn, and the name is reported.
    labels.block(dot: Point(x: 210, y: 140), of: "other", radius: 5)
    #expect(labels.place("own too", at: Point(x: 200, y: 151)) == nil)
    #expect(labels.omitted == ["own too"])
  }

  @Test func colorsOfTheDiagram() {
    #expect(ColorField.color(Chromaticity(x: 0.3127, y: 0.3290)) == "#ffffff")
    #expect(ColorField.color(Chromaticity(x: 0.64, y: 0.33)) == "#ff0000")
    #expect(ColorField.color(Chromaticity(x: 0.30, y: 0.60)) == "#00ff00")
    #expect(ColorField.color(Chromaticity(x: 0.15, y: 0.06)) == "#0000ff")
    // Colors outside sRGB become paler; they do not wrap around.
    let green = ColorField.color(Chromaticity(x: 0.10, y: 0.80))
    #expect(green.count == 7 && green.hasPrefix("#00ff"))
  }

  @Test(arguments: [
    (1.25, 1, "+1.3"), (-1.25, 1, "−1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (0, 0, "0"),
    (.nan, 2, "–"), (.infinity, 2, "–"),
  ])
  func signedFigures(value: Double, decimals: Int, text: String) {
    #expect(Figure.signed(value, decimals) == text)
  }

  @Test func temperatures() {
    #expect(Figure.temperature(nil) == "–")
    #expect(Figure.temperature(.init(mired: 200, duv: 0)) == "5000")
    #expect(Figure.temperature(.init(mired: 200, duv: -0.051)) == "(5000)")
    #expect(Figure.temperature(.init(mired: 0, duv: 0)) == "∞")
    #expect(Figure.temperature(.init(mired: -1, duv: 0)) == "beyond ∞")
  }

  @Test func tints() {
    #expect(Figure.tint(nil) == "–")
    #expect(Figure.tint(.init(mired: 200, duv: 0.05)) == "+150.0")
    #expect(Figure.tint(.init(mired: 200, duv: -0.05)) == "−150.0")
  }

  @Test func escapedText() {
    #expect(
      escaped("<a b=\"c\" d='e'>&amp;</a>")
        == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;&lt;/a&gt;")
    let odd = "tab\t line\n nul\0 esc\u{1B} del\u{7F} csi\u{9B} \u{FFFE} é 日"
    #expect(
      escaped(odd)
        == "tab\t line\n nul\u{FFFD} esc\u{FFFD} del\u{FFFD} csi\u{FFFD} \u{FFFD} é 日")
  }

  @Test func lists() {
    #expect(Figure.list([]) == "")
    #expect(Figure.list(["A"]) == "A")
    #expect(Figure.list(["A", "B"]) == "A and B")
    #expect(Figure.list(["A", "B", "C"]) == "A, B and C")
    #expect(Figure.list((1...7).map(String.init)) == "1, 2, 3, 4, 5 and 2 others")
  }
}
