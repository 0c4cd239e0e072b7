import ColorScience

/// A point of a drawing, in its units to the right and down from the upper left corner.
struct Point: Hashable, Sendable { var x, y: Double }

/// An SVG drawing that is being built, to be embedded in an HTML page.
///
/// Coordinates have two decimals, so that equal input gives equal bytes. Shapes with a coordinate
/// that is not finite are omitted. The page's style sheet defines colors and line widths, by class.
struct SVG: Hashable, Sendable {
  /// The position of a text relative to its point.
  enum Anchor: String, Sendable { case start, middle, end }
  /// A value on an axis and its label.
  typealias Tick = (value: Double, label: String)

  let width: Double
  let height: Double
  /// The text for readers who cannot see the drawing (`aria-label`).
  let description: String
  private(set) var body = ""

  /// The element, without an XML namespace, which HTML supplies.
  var element: String { "<svg \(attributes)>\n\(body)</svg>\n" }

  /// Returns the drawing as a separate file with its style sheet.
  func file(style: String) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\n<style>\(style)</style>\n\(body)</svg>\n"
  }

  private var attributes: String {
    "viewBox=\"0 0 \(fixed(width, decimals: 0)) \(fixed(height, decimals: 0))\" role=\"img\" "
      + "aria-label=\"\(escaped(description))\""
  }

  mutating func line(from a: Point, to b: Point, class name: String) {
    guard let (x1, y1) = Self.text(a), let (x2, y2) = Self.text(b) else { return }
    open("line", name, "x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\"")
  }

  mutating func circle(at center: Point, radius: Double, class name: String) {
    guard let (x, y) = Self.text(center) else { return }
    open("circle", name, "cx=\"\(x)\" cy=\"\(y)\" r=\"\(fixed(radius, decimals: 2))\"")
  }

  mutating func rectangle(_ box: Box, class name: String) {
    guard let (x, y) = Self.text(Point(x: box.left, y: box.top)) else { return }
    let size =
      "width=\"\(fixed(box.width, decimals: 2))\" height=\"\(fixed(box.height, decimals: 2))\""
    open("rect", name, "x=\"\(x)\" y=\"\(y)\" \(size)")
  }

  /// Adds a line through points; fewer than two draw nothing.
  mutating func path(_ points: [Point], closed: Bool = false, class name: String) {
    guard let d = Self.pathData(points, closed: closed) else { return }
    open("path", name, "d=\"\(d)\"")
  }

  /// Adds a box filled with a color, `#rrggbb`.
  mutating func area(_ box: Box, color: String) {
    guard let (x, y) = Self.text(Point(x: box.left, y: box.top)) else { return }
    let (w, h) = (fixed(box.width, decimals: 2), fixed(box.height, decimals: 2))
    body += "<path fill=\"\(escaped(color))\" d=\"M\(x) \(y)h\(w)v\(h)h-\(w)z\"/>\n"
  }

  mutating func text(
    _ content: String, at point: Point, anchor: Anchor = .start, class name: String
  ) {
    guard let (x, y) = Self.text(point) else { return }
    body += "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor.rawValue)\">"
    body += "\(escaped(content))</text>\n"
  }

  /// Writes a label next to a point, if there is room.
  mutating func label(
    _ content: String, at point: Point, class name: String, _ labels: inout LabelPlacement
  ) {
    guard let label = labels.place(content, at: point) else { return }
    if let end = label.leader { line(from: point, to: end, class: "leader") }
    text(label.text, at: label.origin, anchor: label.anchor, class: name)
  }

  /// Adds a group of elements, with a title that appears under the pointer.
  mutating func group(
    class name: String, title: String? = nil, clip: String? = nil, filter: String? = nil,
    _ draw: (inout SVG) -> Void
  ) {
    body += "<g class=\"\(name)\""
    if let clip { body += " clip-path=\"url(#\(clip))\"" }
    if let filter { body += " filter=\"url(#\(filter))\"" }
    body += ">\n"
    if let title { body += "<title>\(escaped(title))</title>\n" }
    draw(&self)
    body += "</g>\n"
  }

  /// Defines a closed outline as a clip for groups; the name must be unique in the page.
  mutating func defineClip(_ name: String, _ outline: [Point]) {
    let d = Self.pathData(outline, closed: true) ?? ""
    body += "<clipPath id=\"\(name)\"><path d=\"\(d)\"/></clipPath>\n"
  }

  /// Defines a blur as a filter for groups; the name must be unique in the page.
  mutating func defineBlur(_ name: String, deviation: Double) {
    body += "<filter id=\"\(name)\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" "
    body += "color-interpolation-filters=\"sRGB\">"
    body += "<feGaussianBlur stdDeviation=\"\(fixed(deviation, decimals: 2))\"/></filter>\n"
  }

  /// Draws the frame of a chart, its grid and the labels of its ticks.
  mutating func axes(_ frame: PlotFrame, xTicks: [Tick], yTicks: [Tick]) {
    let box = frame.box
    for tick in xTicks {
      let x = frame.point(tick.value, frame.vertical.start).x
      line(from: Point(x: x, y: box.top), to: Point(x: x, y: box.bottom), class: "grid")
      text(tick.label, at: Point(x: x, y: box.bottom + 17), anchor: .middle, class: "small")
    }
    for tick in yTicks {
      let y = frame.point(frame.horizontal.start, tick.value).y
      line(from: Point(x: box.left, y: y), to: Point(x: box.right, y: y), class: "grid")
      text(tick.label, at: Point(x: box.left - 7, y: y + 4), anchor: .end, class: "small")
    }
    rectangle(box, class: "frame")
  }

  /// Writes the titles of the axes. It is called after the data are drawn, so that the titles are
  /// above them; both are within the frame if it is compact.
  mutating func axisTitles(_ frame: PlotFrame, x: String, y: String, isCompact: Bool = false) {
    let box = frame.box
    if isCompact {
      text(x, at: Point(x: box.right - 8, y: box.bottom - 8), anchor: .end, class: "axis halo")
    } else {
      text(
        x, at: Point(x: box.left + box.width / 2, y: box.bottom + 36), anchor: .middle,
        class: "axis")
    }
    text(y, at: Point(x: box.left + 8, y: box.top + 17), class: "axis halo")
  }
  private mutating func open(_ element: String, _ name: String, _ attributes: String) {
    body += "<\(element) class=\"\(name)\" \(attributes)/>\n"
  }

  private static func text(_ point: Point) -> (x: String, y: String)? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    return (fixed(point.x, decimals: 2), fixed(point.y, decimals: 2))
  }

  private static func pathData(_ points: [Point], closed: Bool) -> String? {
    let drawn = points.compactMap(text)
    guard drawn.count > 1 else { return nil }
    return "M" + drawn.map { "\($0.x) \($0.y)" }.joined(separator: "L") + (closed ? "Z" : "")
  }
}
