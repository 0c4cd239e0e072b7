public import ColorScience
public import WhiteBalance

extension DNGProfile {
  /// A table by which raw converters rotate hues and change saturations and values after
  /// ForwardMatrix, in ProPhoto RGB (ProfileHueSatMapData). It does not depend on the value, so
  /// exposure does not affect the change of a color.
  public struct HueSatMap: Hashable, Sendable {
    /// The change of one hue and saturation.
    public struct Change: Hashable, Sendable {
      /// Degrees that are added to the hue, which is 0 for red, 120 for green, 240 for blue.
      public var hue: Float
      /// The factor of the saturation, which is 1 − smallest / largest channel.
      public var saturation: Float
      /// The factor of the value, which is the largest channel.
      public var value: Float

      /// Creates a change from its parts.
      public init(hue: Float, saturation: Float, value: Float) {
        (self.hue, self.saturation, self.value) = (hue, saturation, value)
      }
    }

    /// The hues, from 0 in equal steps around the circle.
    public let hues: Int
    /// The saturations, from 0 to 1 in equal steps.
    public let saturations: Int
    /// The changes, for each hue one for each saturation, `hues` · `saturations` in all. At
    /// saturation 0 the factor of the value is 1.
    public let changes: [Change]

    /// Creates the table that changes the colors that a matrix gives for camera RGB to those that a
    /// root polynomial gives; `nil` if the matrix has no inverse.
    ///
    /// Error: for the patches of the ColorChecker Classic the mean CIEDE2000 difference from the
    /// root polynomial is below 0.05 (`HueSatMapTests`). Complexity: O(hues · saturations), some
    /// milliseconds.
    ///
    /// - Parameters:
    ///   - matrix: the matrix from balanced camera RGB to XYZ under D50, white Y = 1, like
    ///     ForwardMatrix.
    ///   - colors: the polynomial from balanced camera RGB to the same XYZ.
    ///   - hues: the number of hues of the table.
    ///   - saturations: the number of saturations of the table, 2 or more.
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
        // A gray has no hue, so its change is computed from a color with a very small saturation.
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
    // Colors outside the color space are clipped to it, as converters do.
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
