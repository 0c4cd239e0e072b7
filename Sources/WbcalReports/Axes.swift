extension SVG {
  /// An axis's value and what is written at it.
  typealias Tick = (value: Double, label: String)

  /// The frame of a chart, its grid and figures.
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

  /// What the axes mean; above what is drawn in the frame.
  mutating func axisTitles(_ frame: PlotFrame, x: String, y: String) {
    let box = frame.box
    text(
      x, at: Point(x: box.left + box.width / 2, y: box.bottom + 36), anchor: .middle,
      class: "axis")
    text(y, at: Point(x: box.left + 8, y: box.top + 17), class: "axis halo")
  }
}
