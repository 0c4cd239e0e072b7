import ColorScience
import Testing

struct CIELUVTests {
  static let d50 = CIELABTests.d50
  static let d65 = CIELABTests.d65

  /// The primaries of sRGB as in Lindbloom's calculator, to its four decimals.
  @Test(arguments: [
    (XYZ(x: 0.4124564, y: 0.2126729, z: 0.0193339), LuvColor(l: 53.2408, u: 175.0151, v: 37.7564)),
    (XYZ(x: 0.3575761, y: 0.7151522, z: 0.1191920), LuvColor(l: 87.7347, u: -83.0776, v: 107.3985)),
    (XYZ(x: 0.1804375, y: 0.0721750, z: 0.9503041), LuvColor(l: 32.2970, u: -9.4054, v: -130.3423)),
  ])
  func publishedColors(xyz: XYZ, printed: LuvColor) {
    let luv = LuvColor(xyz, white: Self.d65)
    for path in [\LuvColor.l, \.u, \.v] {
      #expect(abs(luv[keyPath: path] - printed[keyPath: path]) <= 1e-4)
    }
  }

  /// Values computed from the definition with 40 digits; they equal those of `colour.XYZ_to_Luv`
  /// (colour-science 0.4.7) to rounding. Dark and negative values and values beyond the white are
  /// among them.
  @Test(arguments: [
    (
      XYZ(x: 0.20654008, y: 0.12197225, z: 0.05136952), d50,
      LuvColor(l: 41.527875294398335, u: 90.71959486299626, v: 7.087989583218944)
    ),
    (
      XYZ(x: 0.1422201, y: 0.23042768, z: 0.10495772), d65,
      LuvColor(l: 55.1163630449896, u: -37.600116614434704, v: 44.125999692948454)
    ),
    (
      XYZ(x: 0.001, y: 0.002, z: 0.003), d50,
      LuvColor(l: 1.8065925925925925, u: -2.563700656820238, v: -0.894180228418344)
    ),
    (
      XYZ(x: -0.1, y: 0.2, z: -0.3), d65,
      LuvColor(l: 51.83721152653849, u: -268.0977929883283, v: 290.89115085186404)
    ),
    (
      XYZ(x: 2.5, y: 1.5, z: 3), d50,
      LuvColor(l: 116.7868521361865, u: 128.98508995021652, v: -138.18095303420216)
    ),
    (
      XYZ(x: 0.004, y: -0.002, z: 0.001), d65,
      LuvColor(l: -1.8065925925925925, u: 20.984288343907327, v: -7.380908297670391)
    ),
  ])
  func exactColors(xyz: XYZ, white: XYZ, expected: LuvColor) {
    let luv = LuvColor(xyz, white: white)
    for path in [\LuvColor.l, \.u, \.v] {
      #expect(abs(luv[keyPath: path] - expected[keyPath: path]) <= 1e-12)
    }
    let back = XYZ(expected, white: white)
    for path in [\XYZ.x, \.y, \.z] {
      #expect(abs(back[keyPath: path] - xyz[keyPath: path]) <= 2e-15)
    }
  }

  /// Values of `colour.models.Luv_to_LCHuv` (colour-science 0.4.7).
  @Test(arguments: [
    (90.71959486299626, 7.087989583218944, 90.99606853286573, 4.467486260310392),
    (-45.711203964303536, 29.98412967012526, 54.66774368803824, 146.7372461148112),
    (1.2129781942135927, -2.1469409644718573, 2.465901783235702, 299.46556928432165),
  ])
  func polarForm(u: Double, v: Double, chroma: Double, hue: Double) {
    let color = LuvColor(l: 40, u: u, v: v)
    #expect(abs(color.chroma - chroma) <= 1e-13 && abs(color.hue - hue) <= 1e-13)
    let back = LuvColor(l: 40, chroma: chroma, hue: hue)
    #expect(back.l == 40 && abs(back.u - u) <= 1e-13 && abs(back.v - v) <= 1e-13)
  }

  /// Hues on both sides of a full turn.
  @Test func hues() {
    for hue in [0, 0.25, 0.75, 179.5, 180, 180.5, 359.25, 359.75] {
      #expect(abs(LuvColor(l: 40, chroma: 10, hue: hue).hue - hue) < 1e-12)
    }
    #expect(LuvColor(l: 40, u: 10, v: -1e-300).hue == 0)
    #expect(LuvColor(l: 40, u: .nan, v: 1).hue.isNaN)
  }

  @Test func edges() {
    let black = XYZ(x: 0, y: 0, z: 0)
    #expect(LuvColor(black, white: Self.d65) == LuvColor(l: 0, u: 0, v: 0))
    #expect(XYZ(LuvColor(l: 0, u: 0, v: 0), white: Self.d65) == black)
    #expect(XYZ(LuvColor(l: 0, u: 1, v: 0), white: Self.d65).y.isNaN)
    #expect(LuvColor(Self.d65, white: Self.d65) == LuvColor(l: 100, u: 0, v: 0))
    #expect(!LuvColor(XYZ(x: 3, y: 1, z: -6), white: Self.d65).u.isFinite)
    #expect(LuvColor(XYZ(x: 3, y: 1, z: -4), white: Self.d65).u.isFinite)
    for white in [
      XYZ(x: 0, y: 1, z: 1), XYZ(x: 1, y: 1, z: .infinity), XYZ(x: 1, y: .nan, z: 1),
      XYZ(x: 1, y: -1, z: 1),
    ] {
      for color in [Self.d65, black] {
        let luv = LuvColor(color, white: white)
        #expect(luv.l.isNaN && luv.u.isNaN && luv.v.isNaN)
      }
      #expect(XYZ(LuvColor(l: 50, u: 0, v: 0), white: white).x.isNaN)
    }
  }
}
