/// Matches the frames of a bracket to its pictures by their appearance.
package struct BracketMatch {
  /// The appearance of a frame relative to the frame before the bracket.
  package struct Look: Hashable {
    /// The exposure, in stops.
    package var stops: Double
    /// The change of ln(red/green), ln(blue/green).
    package var ratios: SIMD2<Double>

    package init(stops: Double, ratios: SIMD2<Double>) {
      (self.stops, self.ratios) = (stops, ratios)
    }

    /// The difference between two appearances, in stops.
    package func distance(to other: Look) -> Double {
      max(abs(stops - other.stops), 1.44 * CardColor.size(ratios - other.ratios))
    }
  }

  private let wanted: [Look]
  /// The largest distance at which a frame matches each picture.
  private let tolerances: [Double]
  private var isTaken: [Bool]
  /// Indicates whether pictures with different settings all differ in appearance.
  package let isDistinguishable: Bool
  /// The number of pictures whose settings have been written.
  package var sent = 0
  /// The appearance of the previous frame.
  private var last = Look(stops: 0, ratios: .zero)

  /// The largest distance, in stops, of pictures that count as equal.
  private static let same = 0.02

  /// - Parameters:
  ///   - wanted: The expected appearance of each picture, and its settings.
  ///   - now: The settings before the bracket.
  package init(wanted entries: [(look: Look, values: [ControlValue])], now: [ControlValue]) {
    wanted = entries.map(\.look)
    let all = wanted + [Look(stops: 0, ratios: .zero)]
    let settings = entries + [(Look(stops: 0, ratios: .zero), now)]
    isDistinguishable = entries.allSatisfy { one in
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
  /// The first picture that has not been taken.
  package var missing: Int? { isTaken.firstIndex(of: false) }

  package mutating func take(_ index: Int) { isTaken[index] = true }

  /// Indicates whether a frame has the expected appearance of a picture.
  package func shows(_ index: Int, _ look: Look) -> Bool {
    look.distance(to: wanted[index]) <= tolerances[index]
  }

  /// Returns the picture that a frame shows while the settings are written one after the other: the
  /// next one, or, if the frame differs from the previous frame, possibly a later one.
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
