/// Which picture of a bracket a frame is, by what it looks like.
package struct BracketMatch {
  /// A frame beside the one before the bracket.
  package struct Look: Hashable {
    /// Its light, as a power of 2.
    package var stops: Double
    /// The change of ln(red/green), ln(blue/green).
    package var ratios: SIMD2<Double>

    package init(stops: Double, ratios: SIMD2<Double>) {
      (self.stops, self.ratios) = (stops, ratios)
    }

    /// How unlike two looks are, in stops.
    package func distance(to other: Look) -> Double {
      max(abs(stops - other.stops), 1.44 * CardColor.size(ratios - other.ratios))
    }
  }

  private let wanted: [Look]
  /// How near to each a frame has to be.
  private let tolerances: [Double]
  private var isTaken: [Bool]
  /// Whether no two that are set otherwise look the same.
  package let isTold: Bool
  /// How many have been set.
  package var sent = 0
  /// What the frame before looked like.
  private var last = Look(stops: 0, ratios: .zero)

  /// Pictures that differ by less are the same.
  private static let same = 0.02

  /// - Parameters:
  ///   - wanted: what each is to look like, and what is set for it.
  ///   - now: what is set before.
  package init(wanted entries: [(look: Look, values: [ControlValue])], now: [ControlValue]) {
    wanted = entries.map(\.look)
    let all = wanted + [Look(stops: 0, ratios: .zero)]
    let settings = entries + [(Look(stops: 0, ratios: .zero), now)]
    isTold = entries.allSatisfy { one in
      settings.allSatisfy {
        $0.values == one.values || $0.look.distance(to: one.look) > Self.same
      }
    }
    tolerances = wanted.map { look in
      let nearest = all.map { $0.distance(to: look) }.filter { $0 > Self.same }.min() ?? 1
      return min(0.1, 0.4 * nearest)
    }
    isTaken = wanted.map { _ in false }
  }

  package var isComplete: Bool { isTaken.allSatisfy(\.self) }
  /// The first that has not been taken.
  package var missing: Int? { isTaken.firstIndex(of: false) }

  package mutating func take(_ index: Int) { isTaken[index] = true }

  /// Whether a frame looks as one is to look.
  package func shows(_ index: Int, _ look: Look) -> Bool {
    look.distance(to: wanted[index]) <= tolerances[index]
  }

  /// The one that a frame shows which comes while they are set one after the other: the next, or,
  /// if the frame looks otherwise than the one before, a later one.
  package mutating func next(showing look: Look) -> Int? {
    defer { last = look }
    guard let first = missing, first < sent else { return nil }
    let hasChanged = look.distance(to: last) > Self.same
    let candidates = hasChanged ? Array(first..<sent) : [first]
    guard let index = candidates.first(where: { !isTaken[$0] && shows($0, look) }) else {
      return nil
    }
    isTaken[index] = true
    return index
  }
}
