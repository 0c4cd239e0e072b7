internal import ColorScience
internal import WhiteBalance

/// The texture printed on the card and the papers of a simulated scene.
public enum SimulatedTexture: Hashable, Sendable {
  /// No texture.
  case none
  /// Squares with a side of `grain` pixels, each lighter or darker by up to a relative contrast,
  /// 0…0.9.
  case noise(contrast: Double, grain: Int)
  /// Lines of random letters of 3×5 dots with a side of `dot` pixels, darker than the paper by a
  /// relative contrast, 0…0.9.
  case text(contrast: Double, dot: Int)

  /// Returns the factor of the light of each pixel, row by row; empty without a texture.
  func factors(width: Int, height: Int, seed: UInt64) -> [Float] {
    let grain: Int
    switch self {
    case .none: return []
    case .noise(_, let pixels), .text(_, let pixels): grain = max(1, pixels)
    }
    let columns = width / grain + 1
    var random = SplitMix64(state: seed ^ 0x7E47)
    let dots: [Float] = (0..<columns * (height / grain + 1)).map { index in
      let (value, bit) = (random.nextSigned(), random.next() % 2 == 0)
      switch self {
      case .none: return 1
      case .noise(let contrast, _): return Float(1 + contrast * value)
      case .text(let contrast, _):
        let isInk = bit && index % columns % 4 < 3 && index / columns % 7 < 5
        return Float(isInk ? 1 - contrast : 1)
      }
    }
    return (0..<width * height).map { dots[$0 / width / grain * columns + $0 % width / grain] }
  }
}
