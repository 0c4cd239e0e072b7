import ColorScience

/// The colors of a part of the chromaticity diagram, as far as a screen can show them.
///
/// The mesh is coarse and blurred in the drawing: it takes a few kilobytes and has no sharp edges,
/// which suits colors that only give an orientation. Colors outside sRGB are mixed with white until
/// they fit, so that the edge of the screen's gamut is not visible.
struct ColorField {
  struct Cell: Hashable {
    var box: Box
    var color: String
  }

  /// Returns the mesh of a frame, in cells of a size in x and y; cells far outside the spectral
  /// locus are omitted.
  static func cells(of frame: PlotFrame, size: Double, outline: [Chromaticity]) -> [Cell] {
    var cells: [Cell] = []
    // There are cells around the frame, because the blur would otherwise fade at its edge.
    let columns = Int(((frame.horizontal.end - frame.horizontal.start) / size).rounded(.up))
    let rows = Int(((frame.vertical.end - frame.vertical.start) / size).rounded(.up))
    for row in -1...rows {
      for column in -1...columns {
        let x = frame.horizontal.start + (Double(column) + 0.5) * size
        let y = frame.vertical.start + (Double(row) + 0.5) * size
        guard isNear(Chromaticity(x: x, y: y), outline, margin: 1.5 * size) else { continue }
        let upperLeft = frame.point(x - size / 2, y + size / 2)
        let lowerRight = frame.point(x + size / 2, y - size / 2)
        // The box is half a unit larger than the cell, to avoid seams.
        let box = Box(
          left: upperLeft.x, top: upperLeft.y, width: lowerRight.x - upperLeft.x + 0.5,
          height: lowerRight.y - upperLeft.y + 0.5)
        cells.append(Cell(box: box, color: color(Chromaticity(x: x, y: max(y, 0.002)))))
      }
    }
    return cells
  }

  /// Returns the brightest sRGB color of a chromaticity, as `#rrggbb`.
  static func color(_ chromaticity: Chromaticity) -> String {
    let light = SIMD3(chromaticity.x, chromaticity.y, 1 - chromaticity.x - chromaticity.y)
    var rgb = RGBColorSpace.sRGB.fromXYZ * light
    rgb -= min(0, rgb.min())
    guard rgb.max() > 0 else { return "#000000" }
    rgb /= rgb.max()
    var text = "#"
    for index in 0..<3 {
      let code = Int((255 * TransferFunction.sRGB.encoded(rgb[index])).rounded())
      text += (code < 16 ? "0" : "") + String(code, radix: 16)
    }
    return text
  }

  private static func isNear(
    _ point: Chromaticity, _ outline: [Chromaticity], margin: Double
  ) -> Bool {
    [0, -margin, margin].contains { dx in
      [0, -margin, margin].contains { dy in
        contains(outline, Chromaticity(x: point.x + dx, y: point.y + dy))
      }
    }
  }

  /// Indicates whether a point lies inside a closed outline: a ray from it crosses the outline an
  /// odd number of times.
  static func contains(_ outline: [Chromaticity], _ point: Chromaticity) -> Bool {
    var isInside = false
    guard var last = outline.last else { return false }
    for next in outline {
      if (next.y > point.y) != (last.y > point.y) {
        let crossing = last.x + (point.y - last.y) / (next.y - last.y) * (next.x - last.x)
        if point.x < crossing { isInside.toggle() }
      }
      last = next
    }
    return isInside
  }
}
