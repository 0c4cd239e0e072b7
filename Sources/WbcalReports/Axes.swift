extension SVG {
  /// A value on an axis and its label.
  typealias Tick = (value: Double, label: String)

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

  /// Writes what the axes mean. Called after the data are drawn, so that the titles lie above them.
  mutating func axisTitles(_ frame: PlotFrame, x: String, y: String) {
    let box = frame.box
    text(
      x, at: Point(x: box.left + box.width / 2, y: box.bottom + 36), anchor: .middle, class: "axis")
    text(y, at: Point(x: box.left + 8, y: box.top + 17), class: "axis halo")
  }
}
