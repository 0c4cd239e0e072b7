import ColorScience
public import WhiteBalance

/// A chart's patches in their true colors and, in the middle of each, the displayed color, with the
/// difference between the two. The place of a patch that was not compared is empty.
public struct PatchDrawing: Hashable, Sendable {
  /// The comparison that is drawn.
  public let comparison: ChartComparison
  /// The title.
  public let title: String
  /// The number of patches in a row.
  public let columns: Int

  /// Creates a drawing of a comparison.
  ///
  /// - Parameters:
  ///   - comparison: the comparison that is drawn.
  ///   - title: the title above the patches.
  ///   - columns: the number of patches in a row, above 0.
  public init(_ comparison: ChartComparison, title: String, columns: Int = 6) {
    precondition(columns > 0, "`columns` must be positive")
    self.comparison = comparison
    self.title = title
    self.columns = columns
  }

  private static let side = 116.0
  private static let gap = 10.0
  private static let header = 64.0
  private static let style = """
    svg { background: #1c1c1c } text { font: 13px sans-serif; fill: #eee }
    .title { font-size: 16px } .small { font-size: 11px; fill: #bbb }
    """

  /// The drawing as a stand-alone SVG file.
  public var svg: String {
    var svg = canvas(top: Self.header)
    svg.text(title, at: Point(x: Self.gap, y: 24), class: "title")
    svg.text(
      "CIEDE2000: mean \(Figure.plain(comparison.mean, 2)), 95 % below "
        + "\(Figure.plain(comparison.p95, 2)), largest "
        + "\(Figure.plain(comparison.worst.difference, 2)) (\(comparison.worst.name)). Outside: "
        + "the expected color; inside: the shown color.", at: Point(x: Self.gap, y: 46),
      class: "small")
    draw(in: &svg, top: Self.header)
    return svg.file(style: Self.style)
  }

  /// Returns the patches alone, as a part of a page.
  func drawn() -> SVG {
    var svg = canvas(top: 0)
    draw(in: &svg, top: 0)
    return svg
  }

  private func canvas(top: Double) -> SVG {
    let step = Self.side + Self.gap
    let rows = (comparison.patches.map(\.index).max() ?? 0) / columns + 1
    return SVG(
      width: Double(columns) * step + Self.gap, height: top + Double(rows) * (step + 18),
      description: "\(title): patches as expected and as shown")
  }

  private func draw(in svg: inout SVG, top: Double) {
    let step = Self.side + Self.gap
    for patch in comparison.patches {
      let left = Self.gap + Double(patch.index % columns) * step
      let top = top + Double(patch.index / columns) * (step + 18)
      let difference = Figure.plain(patch.difference, 2)
      svg.group(class: "patch", title: "\(patch.name): CIEDE2000 \(difference)") { svg in
        svg.area(
          Box(left: left, top: top, width: Self.side, height: Self.side),
          color: Self.color(patch.expected))
        let inset = Self.side / 4
        svg.area(
          Box(left: left + inset, top: top + inset, width: 2 * inset, height: 2 * inset),
          color: Self.color(patch.shown))
        svg.text(
          "\(patch.name) \(difference)", at: Point(x: left, y: top + Self.side + 15),
          class: "small")
      }
    }
  }

  /// Returns a color as a screen shows it: the light's white becomes the screen's, and colors
  /// outside its gamut are clipped.
  private static func color(_ lab: LabColor) -> String {
    let space = RGBColorSpace.sRGB
    let light = space.fromXYZ * XYZ(lab, white: XYZ(space.white)).vector
    return (0..<3).reduce("#") { text, channel in
      let code = (255 * TransferFunction.sRGB.encoded(min(max(light[channel], 0), 1))).rounded()
      let digits = String(Int(code), radix: 16)
      return text + (digits.count < 2 ? "0" : "") + digits
    }
  }
}
