import ColorScience

/// The tone curve of the camera's pictures, compared with that of sRGB.
struct ToneCurveChart {
  let transfer: TransferFunction

  private static let box = Box(left: 46, top: 10, width: 500, height: 260)

  func drawn() -> SVG {
    var svg = SVG(
      width: ChromaticityDiagram.width, height: 318,
      description: "The tone curve of the camera's pictures")
    let frame = PlotFrame(
      box: Self.box, horizontal: .init(start: 0, end: 1), vertical: .init(start: 0, end: 255))
    svg.defineClip("tone-frame", frame.box.corners)
    svg.axes(
      frame, xTicks: frame.horizontal.ticks(every: 0.2), yTicks: frame.vertical.ticks(every: 50))
    // The values are closer together where the curves are steep.
    let lights = (0...100).map { share in Double(share * share) / 10_000 }
    func line(_ transfer: TransferFunction) -> [Point] {
      lights.map { frame.point($0, 255 * transfer.encoded($0)) }
    }
    svg.group(class: "plot", clip: "tone-frame") { svg in
      svg.path(line(.sRGB), class: "curve other")
      svg.path(line(transfer), class: "curve")
      if case .curve(let curve) = transfer {
        for point in curve.points.dropFirst() {
          svg.circle(
            at: frame.point(point.linear, 255 * point.stored), radius: 3.2,
            class: "measured neutral")
        }
      }
    }
    svg.axisTitles(frame, x: "light, 1 = white", y: "code")
    return svg
  }
}
