import CameraProfiles
import ColorScience

/// The composition of each channel of the picture: a bar for each row of the matrix after the
/// gains.
struct MixingChart {
  let mixing: ChannelMixing

  private static let box = Box(left: 60, top: 10, width: 486, height: 120)

  func drawn() -> SVG {
    var svg = SVG(
      width: ChromaticityDiagram.width, height: 178,
      description: "The composition of each channel of the picture")
    let rows = mixing.matrix.rows.map { [$0.x, $0.y, $0.z] }
    let most = rows.map { row in row.reduce(0) { $0 + max($1, 0) } }.max() ?? 1
    let least = rows.map { row in row.reduce(0) { $0 + min($1, 0) } }.min() ?? 0
    let frame = PlotFrame(
      box: Self.box, horizontal: .init(start: min(least * 1.1, -0.1), end: most * 1.1),
      vertical: .init(start: 3, end: 0))
    svg.axes(frame, xTicks: frame.horizontal.ticks(every: 0.5), yTicks: [])
    let names = ["red", "green", "blue"]
    for (index, row) in rows.enumerated() {
      let y = frame.point(0, Double(index) + 0.2).y
      svg.text(
        names[index], at: Point(x: frame.box.left - 7, y: y + 17), anchor: .end, class: "small")
      var (above, below) = (0.0, 0.0)
      for (name, share) in zip(names, row) {
        let start = share < 0 ? below : above
        let ends = [start, start + share].map { frame.point($0, 0).x }.sorted()
        let bar = Box(left: ends[0], top: y, width: ends[1] - ends[0], height: 24)
        svg.rectangle(bar, class: "share \(name)")
        if bar.width > 34 {
          svg.text(
            Figure.plain(share, 2), at: Point(x: (ends[0] + ends[1]) / 2, y: y + 16.5),
            anchor: .middle, class: "inside")
        }
        if share < 0 { below += share } else { above += share }
      }
    }
    let zero = frame.point(0, 0).x
    svg.line(
      from: Point(x: zero, y: frame.box.top), to: Point(x: zero, y: frame.box.bottom),
      class: "unity")
    svg.axisTitles(frame, x: "share of red, green and blue light after the gains", y: "")
    return svg
  }
}
