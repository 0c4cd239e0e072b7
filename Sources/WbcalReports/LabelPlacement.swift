/// Finds room for labels next to their points, so that none covers another.
struct LabelPlacement: Sendable {
  struct Placed: Hashable, Sendable {
    var text: String
    /// The point at which the baseline starts or ends.
    var origin: Point
    var anchor: SVG.Anchor
    /// The label's nearest point, if the label is so far away that it needs a leader line.
    var leader: Point?
  }

  let bounds: Box
  /// The font size, from which the sizes of texts are estimated.
  let fontSize: Double
  private(set) var occupied: [Box] = []
  private(set) var named: [(text: String, at: Point)] = []
  /// The labels that found no room.
  private(set) var omitted: [String] = []
  private(set) var dots: [(name: String, at: Point)] = []

  func isFree(_ box: Box) -> Bool {
    bounds.contains(box) && !occupied.contains(where: box.overlaps)
  }

  mutating func block(_ box: Box) { occupied.append(box) }

  /// Keeps labels away from a point and its surroundings.
  mutating func block(_ point: Point, radius: Double) {
    block(Box(left: point.x, top: point.y, width: 0, height: 0).inset(by: -radius))
  }

  /// Keeps labels away from a lamp's dot, and also the leader lines of other lamps.
  mutating func block(dot point: Point, of name: String, radius: Double) {
    block(point, radius: radius)
    dots.append((name, point))
  }

  mutating func block(text: String, at origin: Point, anchor: SVG.Anchor) {
    block(box(of: text, at: origin, anchor: anchor))
  }

  /// Returns the position of a label at a point; `nil` if there is no room, or the same text
  /// already stands at nearly the same point.
  mutating func place(_ text: String, at point: Point) -> Placed? {
    let label = Self.shortened(text)
    let isRepeated = named.contains {
      $0.text == label && abs($0.at.x - point.x) < 8 && abs($0.at.y - point.y) < 8
    }
    if isRepeated { return nil }
    for distance in [9.0, 20, 34, 52, 74] {
      for candidate in candidates(label, at: point, distance: distance) {
        let box = box(of: label, at: candidate.origin, anchor: candidate.anchor)
        guard isFree(box), candidate.leader.map({ isClear(from: point, to: $0, text) }) ?? true
        else { continue }
        occupied.append(box)
        named.append((label, point))
        return candidate
      }
    }
    omitted.append(text)
    return nil
  }

  /// Indicates whether a leader line passes no dot of another lamp, to which it would seem to
  /// belong.
  private func isClear(from start: Point, to end: Point, _ name: String) -> Bool {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    return dots.allSatisfy { dot in
      let (px, py) = (dot.at.x - start.x, dot.at.y - start.y)
      let share = max(0, min(1, (px * dx + py * dy) / max(dx * dx + dy * dy, 1e-9)))
      let (x, y) = (px - share * dx, py - share * dy)
      return dot.name == name || x * x + y * y > 25
    }
  }

  /// Returns a name, shortened to the room in a chart; the table shows the whole name.
  static func shortened(_ text: String) -> String {
    text.count <= 20 ? text : text.prefix(19) + "…"
  }

  /// Returns a generous estimate of a text's width, because the reader's font is unknown.
  static func width(of text: String, fontSize: Double) -> Double {
    let em = text.unicodeScalars.reduce(0.0) { sum, scalar in
      switch scalar {
      case "A"..."Z", "m", "w", "%", "&", "@": sum + 0.74
      case "\u{20}"..."\u{7E}": sum + 0.58
      case "\u{A0}"..."\u{24FF}": sum + 0.7
      default: sum + 1.1
      }
    }
    return em * fontSize
  }

  private func box(of text: String, at origin: Point, anchor: SVG.Anchor) -> Box {
    let width = Self.width(of: text, fontSize: fontSize)
    let left =
      switch anchor {
      case .start: origin.x
      case .middle: origin.x - width / 2
      case .end: origin.x - width
      }
    return Box(left: left, top: origin.y - 0.9 * fontSize, width: width, height: 1.2 * fontSize)
  }

  private func candidates(_ text: String, at p: Point, distance d: Double) -> [Placed] {
    let middle = 0.35 * fontSize
    let near = d < 15
    func placed(_ dx: Double, _ dy: Double, _ anchor: SVG.Anchor) -> Placed {
      let edge = Point(x: p.x + dx, y: p.y + dy)
      let gap = anchor == .start ? 3.0 : anchor == .end ? -3 : 0
      // A line from above or below must end before the letters.
      let stop = anchor == .middle ? (dy < 0 ? 0.6 : -0.6) * fontSize : 0
      return Placed(
        text: text, origin: Point(x: edge.x + gap, y: edge.y + middle), anchor: anchor,
        leader: near ? nil : Point(x: edge.x, y: edge.y + stop))
    }
    let slant = 0.75 * d
    return [
      placed(d, 0, .start), placed(-d, 0, .end),
      placed(slant, slant, .start), placed(slant, -slant, .start),
      placed(-slant, slant, .end), placed(-slant, -slant, .end),
      placed(0, d + middle, .middle), placed(0, -d - middle, .middle),
    ]
  }
}
