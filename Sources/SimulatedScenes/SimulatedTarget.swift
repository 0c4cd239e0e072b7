internal import ColorScience
internal import WbcalFoundation
internal import WhiteBalance

/// The target in front of the colored papers of a simulated scene.
public enum SimulatedTarget: String, Hashable, Sendable, CaseIterable {
  /// A gray card that reflects 18 %, upright in the middle.
  case card
  /// A ColorChecker Classic of the edition from 2014, turned and slanted by amounts that the seed
  /// determines. Its white is exposed to half of the full well.
  case chart
}

extension SimulatedTarget {
  /// The exposure of the scene relative to that for a card.
  var exposure: Double { self == .card ? 1 : 0.4 }

  /// The reflectances of the target's surfaces.
  var surfaces: [@Sendable (Double) -> Double] {
    switch self {
    case .card: return [{ _ in 0.18 }]
    case .chart:
      let board: @Sendable (Double) -> Double = { _ in 0.04 }
      return ColorChart.classicFrom2014.patches.map { patch in
        { patch.reflectance[max(380, min($0, 780))] }
      } + [board]
    }
  }

  /// Returns the function from a position to the index of the surface there. Positions are relative
  /// to the middle of the picture, to the right and down, in heights of the picture; `nil` is
  /// outside the target.
  func surface(seed: UInt64, aspect: Double) -> (_ x: Double, _ y: Double) -> Int? {
    switch self {
    case .card: return { x, y in max(abs(x) / aspect, abs(y)) <= 0.29 ? 0 : nil }
    case .chart:
      var random = SplitMix64(state: seed ^ 0xC4A7)
      let angle = 0.15 * random.nextSigned()
      let (cosine, sine) = (cos(angle), sin(angle))
      let slant = SIMD2(0.25 * random.nextSigned(), 0.25 * random.nextSigned())
      // The chart is in the middle of the picture and entirely visible.
      let cell = 0.16 * min(1, aspect / 1.3)
      return { x, y in
        let turned = SIMD2(cosine * x + sine * y, cosine * y - sine * x)
        let place =
          SIMD2(3, 2) + turned / (cell * (1 + (slant * turned).sum()))
        let patch = place.rounded(.down)
        guard place.x > -0.15, place.y > -0.15, place.x < 6.15, place.y < 4.15 else { return nil }
        let inside = (place - patch - SIMD2(repeating: 0.5))
        guard max(abs(inside.x), abs(inside.y)) < 0.43, patch.x >= 0, patch.y >= 0, patch.x < 6,
          patch.y < 4
        else { return 24 }
        return Int(6 * patch.y + patch.x)
      }
    }
  }
}
