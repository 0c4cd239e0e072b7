/// An upright rectangle in a drawing.
struct Box: Hashable, Sendable {
  var left, top, width, height: Double

  var right: Double { left + width }
  var bottom: Double { top + height }

  func contains(_ point: Point) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  func contains(_ other: Box) -> Bool {
    other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom
  }

  func overlaps(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  /// Returns the rectangle that is smaller by a margin on every side; larger if the margin is
  /// negative.
  func inset(by margin: Double) -> Box {
    Box(
      left: left + margin, top: top + margin, width: width - 2 * margin, height: height - 2 * margin
    )
  }

  var corners: [Point] {
    [
      Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
      Point(x: left, y: bottom),
    ]
  }
}

/// The part of a chart in which data are drawn, and the linear mapping of data to it.
struct PlotFrame: Hashable, Sendable {
  /// The values at the two ends of an axis: left and right, or bottom and top.
  struct Axis: Hashable, Sendable {
    var start, end: Double

    func contains(_ value: Double) -> Bool { min(start, end) <= value && value <= max(start, end) }

    /// Round values, at most eight, on an axis whose start is its lower end.
    var roundTicks: [SVG.Tick] {
      let length = end - start
      let decades: [Double] = [0.01, 0.1, 1, 10, 100, 1000, 10_000]
      let steps = decades.flatMap { [$0, 2 * $0, 5 * $0] }
      return ticks(every: steps.first { length / $0 <= 8 } ?? length / 4)
    }

    /// Returns the multiples of a step on an axis whose start is its lower end.
    func ticks(every step: Double) -> [SVG.Tick] {
      (Int((start / step).rounded(.up))...Int((end / step).rounded(.down))).map {
        (Double($0) * step, Figure.plain(Double($0) * step, step < 0.1 ? 2 : step < 1 ? 1 : 0))
      }
    }
  }

  var box: Box
  var horizontal: Axis
  var vertical: Axis

  /// Returns the data that are drawn at a point.
  func value(at point: Point) -> (x: Double, y: Double) {
    (
      horizontal.start + (point.x - box.left) / box.width * (horizontal.end - horizontal.start),
      vertical.start + (box.bottom - point.y) / box.height * (vertical.end - vertical.start)
    )
  }

  /// Returns the point at which data are drawn.
  func point(_ x: Double, _ y: Double) -> Point {
    Point(
      x: box.left + (x - horizontal.start) / (horizontal.end - horizontal.start) * box.width,
      y: box.bottom - (y - vertical.start) / (vertical.end - vertical.start) * box.height)
  }
}
