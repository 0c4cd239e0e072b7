public import ColorScience
public import WhiteBalance

extension DNGProfile {
  /// A table by which raw converters turn hues and change saturations and values after
  /// ForwardMatrix, in ProPhoto RGB (ProfileHueSatMapData). The same for every value, it keeps
  /// colors at any exposure.
  public struct HueSatMap: Hashable, Sendable {
    /// What becomes of one hue and saturation.
    public struct Change: Hashable, Sendable {
      /// Degrees that are added to the hue, which is 0 for red, 120 for green, 240 for blue.
      public var hue: Float
      /// What the saturation, 1 − smallest / largest channel, is multiplied by.
      public var saturation: Float
      /// What the value, the largest channel, is multiplied by.
      public var value: Float

      /// A change from its parts.
      public init(hue: Float, saturation: Float, value: Float) {
        (self.hue, self.saturation, self.value) = (hue, saturation, value)
      }
    }

    /// The hues, from 0 in equal steps around the circle.
    public let hues: Int
    /// The saturations, from 0 to 1 in equal steps.
    public let saturations: Int
    /// For each hue the changes of each saturation, `hues` · `saturations` in all. That of
    /// saturation 0 keeps the value.
    public let changes: [Change]

    /// The table that turns what a matrix makes of camera RGB into what a root polynomial makes of
    /// it; `nil` where the matrix has no inverse.
    ///
    /// Error: for the patches of the ColorChecker Classic the mean CIEDE2000 to the root polynomial
    /// is below 0.05 (`HueSatMapTests`). Complexity: O(hues · saturations), some milliseconds.
    ///
    /// - Parameters:
    ///   - matrix: from balanced camera RGB to XYZ under D50, white Y = 1, as ForwardMatrix.
    ///   - colors: from and to the same.
    ///   - hues: how many hues the table has.
    ///   - saturations: how many saturations it has, 2 or more.
    public init?(
      from matrix: Matrix3x3, to colors: RootPolynomial, hues: Int = 90, saturations: Int = 30
    ) {
      guard let inverse = matrix.inverse,
        let adaptation = ChromaticAdaptation(
          from: XYZ(matrix * SIMD3(1, 1, 1)), to: XYZ(RGBColorSpace.proPhoto.white)),
        let back = adaptation.matrix.inverse
      else { return nil }
      let toCamera = inverse * back * RGBColorSpace.proPhoto.toXYZ
      let toShown = RGBColorSpace.proPhoto.fromXYZ * adaptation.matrix * colors
      self.hues = hues
      self.saturations = saturations
      changes = (0..<hues * saturations).map { place in
        let (hue, step) = (place / saturations, place % saturations)
        // A gray has no hue to turn: what is next to it tells.
        let color = HueSaturation(
          sixths: 6 * Double(hue) / Double(hues),
          saturation: step == 0 ? 1e-4 : Double(step) / Double(saturations - 1))
        let shown = HueSaturation(toShown(LinearRGB(toCamera * color.rgb)))
        var turn = 60 * (shown.sixths - color.sixths)
        turn -= 360 * (turn / 360).rounded()
        return Change(
          hue: Float(turn), saturation: Float(shown.saturation / color.saturation),
          value: step == 0 ? 1 : Float(shown.value))
      }
    }
  }
}

/// A color by its hue, in sixths of the circle, its saturation and its value.
private struct HueSaturation {
  var sixths, saturation, value: Double

  init(sixths: Double, saturation: Double) {
    (self.sixths, self.saturation, value) = (sixths, saturation, 1)
  }

  init(_ color: SIMD3<Double>) {
    // Colors beyond the space are moved to its edge, as converters do.
    let rgb = pointwiseMax(color, .zero)
    value = max(rgb.max(), 1e-9)
    let gap = max(rgb.max() - rgb.min(), 1e-12)
    saturation = gap / value
    if rgb.x >= rgb.max() {
      sixths = (rgb.y - rgb.z) / gap
    } else if rgb.y >= rgb.max() {
      sixths = 2 + (rgb.z - rgb.x) / gap
    } else {
      sixths = 4 + (rgb.x - rgb.y) / gap
    }
  }

  var rgb: SIMD3<Double> {
    func channel(_ shift: Double) -> Double {
      let place = (sixths + shift).truncatingRemainder(dividingBy: 6)
      return value * (1 - saturation * max(0, min(place, 4 - place, 1)))
    }
    return SIMD3(channel(5), channel(3), channel(1))
  }
}
