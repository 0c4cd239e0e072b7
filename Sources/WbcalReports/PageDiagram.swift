/// The chromaticity diagram without lights and without its field of colors, which would change how
/// the colors of a picture next to it look. A page marks lights in it.
package struct PageDiagram: Encodable, Sendable {
  /// The elements of the drawing, in pixels.
  package let svg: String
  /// The left, top, right and bottom of the plot in the drawing.
  package let box: [Double]
  /// The x at the left and right of the plot, and the y at its bottom and top.
  package let x, y: [Double]

  /// Draws the region of white lights, or the whole diagram, with the same scale in both
  /// directions.
  ///
  /// - Precondition: the width and the height are at least 100.
  package init(width: Int, height: Int, isWhole: Bool) {
    precondition(min(width, height) >= 100, "`width` and `height` must be at least 100")
    let view = ChromaticityDiagram.View(
      isWhole ? .whole : .white, width: Double(width), height: Double(height))
    let frame = view.frame
    svg = ChromaticityDiagram(view: view, shots: [], ellipses: []).drawn().svg.body
    box = [frame.box.left, frame.box.top, frame.box.right, frame.box.bottom]
    x = [frame.horizontal.start, frame.horizontal.end]
    y = [frame.vertical.start, frame.vertical.end]
  }
}

extension ChromaticityDiagram.View {
  /// Fits a view into another size, without the field of colors.
  fileprivate init(_ view: Self, width: Double, height: Double) {
    let box = Box(left: 38, top: 8, width: width - 48, height: height - 32)
    let (x, y) = (view.frame.horizontal, view.frame.vertical)
    let scale = min(box.width / (x.end - x.start), box.height / (y.end - y.start))
    func widened(_ axis: PlotFrame.Axis, to length: Double) -> PlotFrame.Axis {
      let margin = (length / scale - (axis.end - axis.start)) / 2
      return .init(start: axis.start - margin, end: axis.end + margin)
    }
    self.init(
      name: view.name, description: view.description,
      frame: PlotFrame(
        box: box, horizontal: widened(x, to: box.width), vertical: widened(y, to: box.height)),
      width: width, height: height,
      // Each number needs some room.
      tick: view.tick * (view.tick * scale < 34 ? 2 : 1), cell: nil, isCompact: true,
      isotherms: view.isotherms, wavelengths: view.wavelengths, enlarged: view.enlarged)
  }
}
